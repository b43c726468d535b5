/** The commands of the palette, and how typed words find them. Nothing here draws. */
import type { Json, JsonObject } from "../json.ts";
import { isObject, pointerToken } from "../json.ts";
import { labelOf } from "../messages.ts";

export interface Command {
  id: string;
  group: string;
  title: string;
  /** Further words that it is found by. */
  also?: string;
  keys?: string;
  /** Keeps the palette open. */
  stays?: boolean;
  run(): void;
}

/** Commands that hold every typed word: those whose title begins with the first word, then other titles, then other words. */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const rank = ({ group, title, also = "" }: Command) => {
    if (title.toLowerCase().startsWith(words[0] ?? "") && holds(title)) return 0;
    if (holds(`${group} ${title}`)) return 1;
    return holds(`${group} ${title} ${also}`) ? 2 : undefined;
  };
  const ranked = commands.map((command) => ({ command, place: rank(command) }));
  return [0, 1, 2].flatMap((place) => ranked.filter((one) => one.place === place).map(({ command }) => command));
}

export interface NumberInput {
  pointer: string;
  label: string;
  value: number;
}

/** Every number of a request that could be set by a command. */
export function numberInputs(value: Json, pointer = ""): NumberInput[] {
  const inside = (key: string, item: Json): NumberInput[] => {
    const at = `${pointer}/${pointerToken(key)}`;
    return typeof item === "number" ? [{ pointer: at, label: labelOf(key), value: item }] : numberInputs(item, at);
  };
  if (Array.isArray(value)) return value.flatMap((item, i) => inside(String(i), item));
  return isObject(value) ? Object.entries(value as JsonObject).flatMap(([key, item]) => inside(key, item)) : [];
}

/** `output tokens 256` as the words and the number that they ask for; undefined where it ends in no number. */
export function settingOf(typed: string): { words: string; value: number } | undefined {
  const found = /^(.*\S)\s+(-?\d+(?:\.\d+)?(?:e\d+)?)$/i.exec(typed.trim());
  return found?.[1] === undefined ? undefined : { words: found[1], value: Number(found[2]) };
}
