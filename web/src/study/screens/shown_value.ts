/** A value of an answer as text: by the unit that a lesson names, else by its key. */
import { figureText, phrase, traceText } from "../../format.ts";
import { valueAt } from "../../json.ts";
import { flagText, wordText } from "../../screens/words.ts";
import type { State } from "../../state.ts";

export interface Shown {
  pointer: string;
  label: string;
  unit?: string;
}

/** Units of lessons that the core writes otherwise. */
const kUnits: Record<string, string> = { bytes: "B", "USD a year": "USD/y" };

/** The last word of a pointer that is no place in a list. */
const keyOf = (pointer: string) =>
  pointer
    .split("/")
    .filter((token) => !/^\d*$/.test(token))
    .at(-1) ?? "";

export function numberShown(value: number, { pointer, unit }: Omit<Shown, "label">): string {
  if (unit === undefined) return phrase(figureText(keyOf(pointer), value));
  return phrase(traceText(value, kUnits[unit] ?? unit, unit === "GiB" ? "GiB" : "GB"));
}

/** Undefined where the answer has no such value. */
export function shownText(state: State, answer: unknown, shown: Shown): string | undefined {
  const value = valueAt(answer, shown.pointer);
  if (typeof value === "number") return numberShown(value, shown);
  if (typeof value === "boolean") return flagText(value);
  return typeof value === "string" ? wordText(state, value, keyOf(shown.pointer)) : undefined;
}
