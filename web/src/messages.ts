/** Every sentence and label of the first screen. `{name}` marks what is filled in. */
import table from "./data/messages.json";
import ownLabels from "./data/page_labels.json";
import answerTable from "./labels.json";
import { followLanguage } from "./language.ts";
import { translated } from "./translation.ts";

export const messages = followLanguage("messages", table);
export type Messages = typeof messages;

/** Labels of answer fields: what the tables of the engine say, and of kinds without a table, requests and charts. */
export const labels: Record<string, string> = { ...answerTable.labels, ...ownLabels };

/** The unit that a key ends in: `_s` of `ttft_s`. */
const kUnitSuffix = new RegExp(`(?:${Object.keys(answerTable.units).join("|")}|_months)$`);

/** A label for a field of an answer or a name of an equation. */
export function labelOf(key: string): string {
  const known = Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (known !== undefined) return translated(known);
  const bound = /_(low|high|p\d+)$/.exec(key);
  if (bound !== null) return `${labelOf(key.slice(0, bound.index))}, ${bound[1]}`;
  return ownWords(key);
}

/** A key without its unit. */
export function ownWords(key: string): string {
  return humanize(key.replace(kUnitSuffix, ""));
}

/** `kv_cache_bytes` as `Kv cache bytes`, with the usual abbreviations in capitals. */
export function humanize(key: string): string {
  const text = key
    .replaceAll("_", " ")
    .replaceAll("-", " ")
    .replace(
      /\b(gpu|kv|usd|pue|tco|ttft|tpot|mfu|hfu|flops|nvlink|it|id|cuda|pcie|pdu|ecc|mig|cpu|[bt]?fp?\d+|int\d+)(s?)\b/g,
      (_, word: string, s: string) => (word === "pcie" ? "PCIe" : word.toUpperCase()) + s,
    );
  return translated(text.charAt(0).toUpperCase() + text.slice(1));
}

/** A label inside a sentence: `Kv heads` small, `KV cache` as it is. */
export function inSentence(label: string): string {
  return /^[A-Z][^A-Z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** Fills `{name}` places with text. */
export function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
