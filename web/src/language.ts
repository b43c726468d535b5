/** The language of the page: English is built in, another one is loaded when it is first asked for. */
import { signal } from "@preact/signals";
import { messages } from "./messages.ts";
import { translateWith } from "./translation.ts";

export type Language = "en" | "zh";
export const kLanguages: readonly { id: Language; name: string; tag: string }[] = [
  { id: "en", name: "English", tag: "en" },
  { id: "zh", name: "简体中文", tag: "zh-Hans" },
];

/** The language on show. Views that are drawn under another one are drawn anew. */
export const language = signal<Language>("en");

type Table = Record<string, unknown>;
interface Live {
  live: Table;
  english: Table;
}
const tables = new Map<string, Live>();
let translated: Record<string, Table> | undefined;
let translator: typeof import("./sentences.ts").inChinese | undefined;

function fillTable(name: string, { live, english }: Live): void {
  const other = language.value === "en" ? undefined : translated?.[name];
  Object.assign(live, english, other);
}

/** Makes a table of texts follow the language; `name` is its name in the files of the other languages. */
export function followLanguage(name: string, live: Table): void {
  const entry = { live, english: { ...live } };
  tables.set(name, entry);
  fillTable(name, entry);
}

followLanguage("messages", messages);

/** Changes every table in place, then the signal. A language that cannot be loaded leaves everything as it is. */
export async function speak(next: Language): Promise<void> {
  if (next === language.value) return;
  if (next === "zh" && translated === undefined) {
    const [texts, { inChinese }] = await Promise.all([import("./messages_zh.ts"), import("./sentences.ts")]);
    translated = texts as unknown as Record<string, Table>;
    translator = inChinese;
  }
  const before = language.peek();
  translateWith(next === "en" ? undefined : translator);
  language.value = next;
  for (const [name, entry] of tables) fillTable(name, entry);
  if (before !== next && typeof document !== "undefined")
    document.documentElement.lang = kLanguages.find(({ id }) => id === next)?.tag ?? next;
}
