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
      if (!this.#busy) this.#sendNext();
    });
  }

  #sendNext(): void {
    const next = this.#next;
    this.#busy = next !== undefined;
    if (next === undefined) return;
    this.#next = undefined;
    const answer = this.#send(next.question);
    // The question after it is on its way before anyone works on the answer.
    const settle = () => {
      this.#sendNext();
      next.settle(answer);
    };
    answer.then(settle, settle);
  }
}
