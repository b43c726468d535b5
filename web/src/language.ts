/** The language of the page: English is built in, another one is loaded when it is first asked for. */
import { signal } from "@preact/signals";
import { type Translator, translateWith } from "./translation.ts";

export type Language = "en" | "zh";
export const kLanguages: readonly { id: Language; name: string; tag: string }[] = [
  { id: "en", name: "English", tag: "en" },
  { id: "zh", name: "简体中文", tag: "zh-Hans" },
];

/** The language on show. Views that are drawn under another one are drawn anew. */
export const language = signal<Language>("en");

/** A file of `data/` in one language: a text is written there once for each, or once where they say the same. */
type Spoken<Table> = Table extends string | Record<Language, string>
  ? string
  : { [Key in keyof Table]: Spoken<Table[Key]> };

interface Followed {
  live: object;
  english: object;
}
const tables = new Map<string, Followed>();
let chinese: typeof import("./sentences.ts") | undefined;
/** Undefined: the engine's own words, which speak of US dollars. */
let english: Translator | undefined;

const translator = () => (language.value === "en" ? english : chinese?.inChinese);

/** Says the messages of the engine in English otherwise than the engine itself; undefined: as it does. */
export function speakEnglishWith(next: typeof english): void {
  english = next;
  translateWith(translator());
}

function fillTable(name: string, { live, english }: Followed): void {
  Object.assign(live, english, language.value === "en" ? undefined : chinese?.tables[`./data/${name}.json`]);
}

/**
 * The texts of `data/<name>.json` in the language of the page: their values are replaced in place, so views read them while
 * drawing. `english` is the file, of which the bundler keeps the English texts.
 */
export function followLanguage<Table extends object>(name: string, english: Table, live: object = {}): Spoken<Table> {
  const entry = { live, english };
  tables.set(name, entry);
  fillTable(name, entry);
  return live as Spoken<Table>;
}

/** Changes every table in place, then the signal. A language that cannot be loaded leaves everything as it is. */
export async function speak(next: Language): Promise<void> {
  if (next === language.value) return;
  if (next === "zh") chinese ??= await import("./sentences.ts");
  const before = language.peek();
  language.value = next;
  translateWith(translator());
  for (const [name, entry] of tables) fillTable(name, entry);
  if (before !== next && typeof document !== "undefined")
    document.documentElement.lang = kLanguages.find(({ id }) => id === next)?.tag ?? next;
}
