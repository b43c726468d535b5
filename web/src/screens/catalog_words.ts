/** Values of the catalog as people read them: names in place of ids, words in place of codes, units by the key. */
import { figureText, phrase } from "../format.ts";
import type { JsonObject } from "../json.ts";
import { labelOf } from "../messages.ts";
import { nameOf, type State } from "../state.ts";
import { placeNamed } from "../views/place_names.ts";
import { ageInDays, kOldDays, priceDay } from "../views/price_age.ts";
import { texts } from "./texts.ts";
import { flagText, wordText } from "./words.ts";

/** A value of the catalog as text; its key decides the unit. */
export function valueText(key: string, value: unknown): string {
  if (typeof value === "number") return key === "year" ? String(value) : phrase(figureText(key, value));
  if (typeof value === "boolean") return flagText(value);
  if (value === undefined || value === null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Keys whose words are of a small list of codes. */
const kCoded = new Set(["segment", "cooling", "type", "kind", "confidence", "technology"]);

export function modelKind(word: string): string {
  return (texts.kindsOfModel as Record<string, string>)[word] ?? word;
}

/** Their label says the unit, and another column the currency. */
const kUnitInLabel = new Set(["electricity_price_per_kwh"]);

/** `bare` where the label says the unit of money. */
export function catalogText(state: State, key: string, value: unknown, bare = false): string {
  const isSaid = bare ? /(?:^|_)usd_/.test(key) : kUnitInLabel.has(key);
  if (isSaid && typeof value === "number") return figureText(key, value).value;
  if (typeof value !== "string") return valueText(key, value);
  if (key === "gpu") return nameOf(state.initial.gpus, value);
  if (key === "country") return placeNamed(state, value);
  if (key === "arch") return modelKind(value);
  return kCoded.has(key) ? wordText(state, value, key) : value;
}

/** The label of a column or fact of the catalog. */
export function catalogLabel(key: string): string {
  return (texts.catalogLabels as Record<string, string>)[key] ?? labelOf(key);
}

/** The order of the columns of a list that has one; what people look for first is seen first on a phone. */
const kOrder: Record<string, readonly string[]> = {
  sources: ["title", "publisher", "date", "kind"],
  prices: [
    ...["provider", "gpu", "country", "usd_per_gpu_hour", "contract_usd_per_gpu_hour"],
    ...["reserved_1y_usd_per_gpu_hour", "reserved_3y_usd_per_gpu_hour", "spot_usd_per_gpu_hour"],
    ...["as_of", "age_days", "segment", "instance", "region"],
  ],
};

export function inOrder(list: string, columns: readonly string[]): string[] {
  const first = (kOrder[list] ?? []).filter((key) => columns.includes(key));
  return [...first, ...columns.filter((key) => !first.includes(key))];
}

/** What rows have in one column, by what they are called: for the choices of a filter. */
export function choicesOf(state: State, rows: readonly JsonObject[], key: string): [value: string, name: string][] {
  const values = new Set(rows.flatMap((row) => (typeof row[key] === "string" ? [row[key]] : [])));
  return [...values]
    .map((value): [string, string] => [value, catalogText(state, key, value)])
    .sort(([, a], [, b]) => a.localeCompare(b));
}

/** True where a price that is told by years, as `street 2023-25`, is old even at the end of the last of them. */
export function isOldBasis(state: State, basis: string): boolean {
  const years = /\b(20)(\d\d)(?:-(\d\d))?\b/.exec(basis);
  return years !== null && ageInDays(`${years[1]}${years[3] ?? years[2]}-12-31`, priceDay(state)) > kOldDays;
}
