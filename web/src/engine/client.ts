/**
 * The engine as the page uses it: text in, text out. A worker that dies, fails or does not answer in time is replaced once
 * and asked again; a second failure in a row is reported. A failed engine is never used again, because its memory may be
 * broken.
 */

/** A running worker. `died` settles only if the worker fails outside a call. */
export interface EngineProcess {
  answer(request: string): Promise<string>;
  readonly died: Promise<Error>;
  stop(): void;
}

export class EngineFailed extends Error {}

const kAnswerWithinMs = 15_000;

export class EngineClient {
  readonly #start: () => EngineProcess;
  readonly #answerWithinMs: number;
  #process: EngineProcess | undefined;

  constructor(start: () => EngineProcess, answerWithinMs = kAnswerWithinMs) {
    this.#start = start;
    this.#answerWithinMs = answerWithinMs;
  }

  /** `withinMs` is for questions that take longer than others. */
  async answer(request: string, withinMs = this.#answerWithinMs): Promise<string> {
    try {
      return await this.#ask(request, withinMs);
    } catch {
      try {
        return await this.#ask(request, withinMs);
      } catch (error) {
        throw new EngineFailed(error instanceof Error ? error.message : String(error));
      }
    }
  }

  async #ask(request: string, withinMs: number): Promise<string> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      this.#process ??= this.#start();
      const process = this.#process;
      return await Promise.race([
        process.answer(request),
        process.died.then((error) => Promise.reject(error)),
        new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new Error("no answer in time")), withinMs);
        }),
      ]);
    } catch (error) {
      this.#process?.stop();
      this.#process = undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
