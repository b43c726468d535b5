/** What the engine says in English, words of its keys included, in the language of the page. Apart from language.ts, so that the tables of texts can use it. */
import type { Message } from "./contract.ts";
import { currency } from "./currency.ts";

export type Translator = (said: string | Message) => string | undefined;
let translate: Translator | undefined;

/** From now on messages are said so; undefined for the engine's own language. */
export function translateWith(translator: Translator | undefined): void {
  translate = translator;
}

/** Is the value a sentence of the engine, with nothing else beside it? */
export function isMessage(value: unknown): value is Message {
  return (
    typeof value === "object" &&
    value !== null &&
    "message" in value &&
    "code" in value &&
    Object.keys(value).every((key) => ["message", "code", "values", "sentence"].includes(key))
  );
}

/** A message in the language of the page where it is known there, else as the engine wrote it. */
export function translated(message: string | Message): string {
  // Whoever draws it draws it again for another currency.
  const said = currency.value.per_usd > 0 ? translate?.(message) : undefined;
  return said ?? (typeof message === "string" ? message : message.message);
}
