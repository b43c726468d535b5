/** A formula in words: its title, and what it is made of with the units. */
import { humanize, inSentence } from "../../messages.ts";
import type { FormulaEntry } from "../formula_sheet.ts";

/** A single letter stays as it is. */
export const nameText = (name: string) => (name.length === 1 ? name : inSentence(humanize(name)));

const withUnit = (text: string, unit: string) => (unit === "1" ? text : `${text} (${unit})`);

/** "Transfer time (s)" for "perf.transfer_time". */
export const titleOf = ({ id, unit }: FormulaEntry) => withUnit(humanize(id.slice(id.indexOf(".") + 1)), unit);

/** "payload (B), bandwidth (B/s)". */
export function inputsText({ inputs }: FormulaEntry): string {
  const units = new Map(inputs.map(({ name, unit }) => [name, unit]));
  return [...units].map(([name, unit]) => withUnit(nameText(name), unit)).join(", ");
}
