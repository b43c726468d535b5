/**
 * A queue of one: at most one question is on its way, and of those asked meanwhile only the newest is kept. An older one that
 * was never sent resolves to undefined.
 */
export class LatestWins<Question, Answer> {
  readonly #send: (question: Question) => Promise<Answer>;
  #busy = false;
  #next: { question: Question; settle: (answer: Promise<Answer> | undefined) => void } | undefined;

  constructor(send: (question: Question) => Promise<Answer>) {
    this.#send = send;
  }

  ask(question: Question): Promise<Answer | undefined> {
    this.#next?.settle(undefined);
    return new Promise((resolve) => {
      this.#next = { question, settle: resolve };
      if (!this.#busy) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#busy = true;
    while (this.#next !== undefined) {
      const { question, settle } = this.#next;
      this.#next = undefined;
      const answer = this.#send(question);
      settle(answer);
      await answer.catch(() => undefined);
    }
    this.#busy = false;
  }
}
