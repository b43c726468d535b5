/** Words of an answer as people read them: names in place of ids, spaces in place of hyphens. */

import { isObject, type JsonObject, valueAt } from "../json.ts";
import { humanize, labelOf, messages } from "../messages.ts";
import { nameOf, type State } from "../state.ts";
import { translated } from "../translation.ts";
import { choiceName, wordNames } from "../views/names.ts";
import { placeNamed } from "../views/place_names.ts";
import { fieldLabel, hasLabel } from "./field_names.ts";
import { sectionTitles, texts } from "./texts.ts";

/** Keys whose words are names that people type as they stand. */
const kVerbatim =
  /(?:engine|framework|program|provider|provider_name|instance|region|precision|profile|form_factor|system|switch|id|name|workload|create)s?$/;

/** Servers and switches by their ids: `dgx-h100`, `qm9700`. */
const kDevice = /(?:^|_)(?:system|switch)$/;

const kItemHelp =
  /^(?:\w+: )?an id of the catalog(?:,? (?:or )?an object(?: of the same shape)?)?(?:, or a Hugging Face config\.json)?(?:[;,] )?/;

/** What a schema says about a field, in words of the form: labels in place of keys, no talk of JSON. */
export function helpText(description: string, labelOfKey: (key: string) => string): string {
  const text = description
    .replace(kItemHelp, "")
    .replaceAll(/`?\b[a-z0-9]+(?:_[a-z0-9]+)+\b`?/g, (key) => `“${labelOfKey(key.replaceAll("`", ""))}”`)
    .replaceAll(/`([^`]+)`/g, "$1")
    .replace(/, t[tp][fo]t p95, s$/, texts.forMost)
    // The currency on show is beside the field.
    .replace(/, USD(?=;|$| per | a |\/)/, "")
    .replaceAll(/ x (?=[a-z“])/g, " × ")
    .replace(/; absent: /, `. ${texts.leftEmpty} `);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A word of the answer: the name where it is an id of the catalog, else the word without its hyphens. */
export function wordText(state: State, word: string, key = ""): string {
  const items = [...state.initial.gpus, ...state.initial.models];
  if (items.some(({ id }) => id === word)) return nameOf(items, word);
  if (key === "input") return fieldLabel(word);
  if (key === "formula") {
    const name = word.split(".").at(-1) ?? "";
    return fieldLabel(name);
  }
  const [first = "", ...others] = word.split(", ");
  if (others.length > 0 && items.some(({ id }) => id === first))
    return [nameOf(items, first), ...others.map(choiceName)].join(", ");
  if (kDevice.test(key) && /^[a-z0-9-]+$/.test(word)) return word.replaceAll("-", " ").toUpperCase();
  if (Object.hasOwn(wordNames, word)) return wordNames[word] ?? word;
  if (/^(?:bf|tf|fp|mxfp|nvfp|int)\d+$/.test(first)) return [choiceName(first), ...others].join(", ");
  if (key === "country") return placeNamed(state, word);
  if (word.includes("_") && hasLabel(word)) return fieldLabel(word);
  if (kVerbatim.test(key)) return translated(word);
  return /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(word) && /[a-z]{3}/.test(word) && !/\d/.test(word)
    ? humanize(word)
    : translated(word);
}

/** The title of a part of an answer, by its key. */
export function titleOfPart(key: string): string {
  return sectionTitles[key] ?? labelOf(key);
}

export function flagText(flag: boolean): string {
  return flag ? messages.yes : messages.no;
}

/** One number with the bounds and percentiles that stand beside it under names of their own. */
export interface NumberGroup {
  key: string;
  low?: string;
  high?: string;
  percentiles: string[];
}

const kPercentile = /_(p\d+)$/;

/** The numbers of an object in its order; bounds and percentiles go with the number that they belong to. */
export function numberGroups(object: JsonObject): NumberGroup[] {
  const keys = Object.keys(object).filter((key) => typeof object[key] === "number");
  const has = (key: string) => keys.includes(key);
  const isPart = (key: string) => {
    const base = key.replace(/_(low|high|p\d+)$/, "");
    return base !== key && has(base);
  };
  return keys
    .filter((key) => !isPart(key))
    .map((key) => ({
      key,
      low: has(`${key}_low`) ? `${key}_low` : undefined,
      high: has(`${key}_high`) ? `${key}_high` : undefined,
      percentiles: keys.filter((other) => kPercentile.test(other) && other.replace(kPercentile, "") === key),
    }));
}

/** What a row is taken from, and remarks on some rows: no columns of their own, so they stand with the rest of the row. */
const kBeside: ReadonlySet<string> = new Set(["source", "document", "note"]);

/** Things that are counted one by one need no unit. */
const kPieces = "pieces";

/** The columns of a table of objects: scalar keys of any row, in the order of their first appearance. */
export function columnsOf(rows: readonly JsonObject[]): string[] {
  const keys = new Set<string>();
  for (const row of rows)
    for (const [key, value] of Object.entries(row)) if (value !== null && typeof value !== "object") keys.add(key);
  const all = [...keys];
  return all.filter((key) => {
    if (kBeside.has(key) || isSaidByAnother(key, all)) return false;
    const base = key.replace(/_(low|high|p\d+)$/, "");
    const isPieces = key === "unit" && rows.every((row) => row.unit === kPieces);
    return !isPieces && (base === key || !all.includes(base)) && !rows.some((row) => isLong(row[key]));
  });
}

/** The id of a thing whose name stands in the same object, or a part of a sentence that does. */
export function isSaidByAnother(key: string, keys: readonly string[]): boolean {
  const has = (...others: string[]) => others.some((other) => keys.includes(other));
  switch (key) {
    case "item":
      return has("name");
    case "architecture":
      return has("title");
    case "provider":
      return has("provider_name");
    case "values":
    case "sentence":
      return has("message", "text");
    case "code":
      return has("text");
    default:
      return false;
  }
}

/** Columns of lists whose rows are known best by numbers that stand deeper in them. */
const kColumns: Record<string, readonly string[]> = {
  deployments: [
    "layout",
    "gpu",
    "gpu_count",
    "engine",
    "cost/usd_per_million_output_tokens",
    "latency/ttft_s_p95",
    "latency/tpot_s_p95",
  ],
  layouts: [
    "gpu",
    "gpu_count",
    "step/time_s",
    "throughput/mfu",
    "memory_per_gpu/total_gib",
    "run/time_days",
    "run/cost_usd",
  ],
};

/** The columns of a list of the answer: chosen ones where the list is known, else what its rows hold. */
export function columnsOfList(list: string, rows: readonly JsonObject[]): string[] {
  const chosen = kColumns[list]?.filter((path) => rows.some((row) => valueAt(row, `/${path}`) !== undefined));
  return chosen !== undefined && chosen.length > 0 ? chosen : columnsOf(rows);
}

/** Flat objects with the same keys, which are compared best in one table. */
export function isAlike(objects: readonly unknown[]): objects is JsonObject[] {
  if (objects.length < 2 || !objects.every(isObject)) return false;
  const keysOf = (object: JsonObject) => Object.keys(object).join(" ");
  const [first] = objects as JsonObject[];
  const isFlat = (object: JsonObject) =>
    Object.values(object).every((value) => value !== null && typeof value !== "object" && !isLong(value));
  return (objects as JsonObject[]).every(
    (object) => isFlat(object) && keysOf(object) === keysOf(first ?? {}) && Object.keys(object).length > 1,
  );
}

/** Keys in their order, those that lead to objects alike next to each other taken together. */
export function runsAlike(object: JsonObject, keys: readonly string[]): string[][] {
  const runs: string[][] = [];
  for (const key of keys) {
    const run = runs.at(-1);
    if (run !== undefined && isAlike([...run, key].map((one) => object[one]))) run.push(key);
    else runs.push([key]);
  }
  return runs;
}

/** Sentences and files are no cells. */
export function isLong(value: unknown): boolean {
  return typeof value === "string" && value.length > 90;
}

/** Numbers whose unit stands beside them. */
export const kWithUnit: readonly string[] = ["value", "shortfall", "claimed_value", "verified_value"];

/** What a row holds beside its columns. */
export function restOf(row: JsonObject, columns: readonly string[]): JsonObject {
  const isPart = (key: string) =>
    columns.some((column) => key.startsWith(`${column}_`) && /_(low|high|p\d+)$/.test(key));
  const keys = Object.keys(row);
  const isUnit = (key: string) =>
    key === "unit" && (kWithUnit.some((name) => typeof row[name] === "number") || row.unit === kPieces);
  return Object.fromEntries(
    Object.entries(row).filter(
      ([key, value]) =>
        value !== null &&
        !columns.includes(key) &&
        !isPart(key) &&
        !isUnit(key) &&
        !isSaidByAnother(key, keys) &&
        !isEmpty(value),
    ),
  );
}

export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === undefined || (isObject(value) && Object.keys(value).length === 0);
}
