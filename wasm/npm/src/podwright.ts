import type { Answers, Kind, Refusal, RequestOf } from "./messages.js";

/** An engine that is loaded. It keeps nothing between two questions. */
export interface Podwright {
  /** The answer to a request; a request with errors in it is refused with all of them. */
  answer<K extends Kind>(request: RequestOf<K>): Answers[K] | Refusal;
  /** JSON text in, JSON text out: what `podwright COMMAND FILE --json` prints, without the line end. */
  answerText(request: string): string;
}

/** The engine stopped within a question. Its memory may be broken, so it answers nothing more: load another. */
export class EngineFailed extends Error {
  override name = "EngineFailed";
}
