/** What the engine says in Chinese, by the templates of core/base/data/messages.json. */
import templates from "../../core/base/data/messages.json" with { type: "json" };
import type { Message } from "./contract.ts";
import { filled } from "./templates.ts";
import words from "./words_zh.json" with { type: "json" };

/** The messages of the engine, in Chinese alone too: each is a string. */
const known = templates as unknown as Record<string, string>;

/** A word of the engine or one of its messages in Chinese; undefined where it is not known. */
export function inChinese(said: string | Message): string | undefined {
  if (typeof said === "string") return Object.hasOwn(words, said) ? words[said as keyof typeof words] : undefined;
  if (said.code === "as-written") return inChinese(said.message) ?? said.message;
  const template = known[said.sentence ?? said.code ?? ""];
  return template === undefined ? undefined : filled(template, said.values ?? {}, inChinese);
}
