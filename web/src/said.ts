/** What the engine says in English, words of its keys included, in the language of the page. Apart from language.ts, so that the tables of texts can use it. */
let translate: ((message: string) => string | undefined) | undefined;

/** From now on messages are said so; undefined for the engine's own language. */
export function sayWith(translator: ((message: string) => string | undefined) | undefined): void {
  translate = translator;
}

/** A message in the language of the page where it is known there, else as the engine wrote it. */
export function said(message: string): string {
  return translate?.(message) ?? message;
}
