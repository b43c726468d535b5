/** What the engine says in Chinese; the element loads it where a page asks for Chinese. */
import { inChinese } from "../../../web/src/sentences_zh.ts";

/** A message of the engine, in its own English where there is no translation. */
export function chinese(said: { message: string }): string {
  return inChinese(said) ?? said.message;
}
