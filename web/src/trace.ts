/** Finds the explanation of a number: by its place in the answer, or by the id of a trace entry. */
import type { Named, TraceEntry } from "./contract.ts";
import { humanize, labelOf } from "./messages.ts";

export interface TraceIndex {
  byId: ReadonlyMap<string, TraceEntry>;
  byPlace: ReadonlyMap<string, TraceEntry>;
}

export function indexTrace(trace: readonly TraceEntry[] | undefined): TraceIndex | undefined {
  if (trace === undefined) return undefined;
  const byId = new Map<string, TraceEntry>();
  const byPlace = new Map<string, TraceEntry>();
  for (const entry of trace) {
    byId.set(entry.id, entry);
    for (const place of entry.at ?? []) byPlace.set(place, entry);
  }
  return { byId, byPlace };
}

/** Where a number comes from, for the one line that closes an explanation. */
export type Origin = "input" | "assumed" | "chosen" | "catalog" | "constant" | "method" | "formula";

/** The id without the running number that makes it unique. */
export function bareId(id: string): string {
  return id.replace(/^n\d+:/, "");
}

export function originOf(entry: TraceEntry): Origin {
  const id = bareId(entry.id);
  const source = entry.source ?? "";
  if (id.startsWith("request")) {
    if (source.startsWith("chosen")) return "chosen";
    return source.startsWith("default") ? "assumed" : "input";
  }
  if (id.startsWith("catalog/") && entry.equation === undefined) return "catalog";
  if (id.startsWith("constant/")) return "constant";
  if (id.startsWith("method/")) return "method";
  return "formula";
}

/** The words of a source that say more than the origin does already; several sources come one by one. */
export function sourcesOf(entry: TraceEntry): string[] {
  const origin = originOf(entry);
  const source = entry.source ?? "";
  if (origin === "input" || source === "") return [];
  const words = origin === "chosen" ? source.replace(/^[^,]*, /, "") : source.replace(/^default: /, "");
  return origin === "assumed" ? [words] : words.split("; ");
}

/** The inputs of an entry with the equation's name for each. */
export function inputsOf(index: TraceIndex, entry: TraceEntry): { name: string; entry: TraceEntry }[] {
  return (entry.inputs ?? []).flatMap((id, i) => {
    const input = index.byId.get(id);
    return input === undefined ? [] : [{ name: entry.names?.[i] ?? bareId(id), entry: input }];
  });
}

/** Answers hold display units, equations base units. A step that only converts is passed over: what it converts tells more. */
export function beforeConversion(index: TraceIndex, entry: TraceEntry): TraceEntry {
  const [input] = inputsOf(index, entry);
  return input !== undefined && entry.inputs?.length === 1 && /_in_[^/]+(?:\/\w+)?$/.test(bareId(entry.id))
    ? input.entry
    : entry;
}

/** What an entry is, in words: `Memory` of which GPU, which row of which table, or the name of a formula's result. */
export function titleOf(entry: TraceEntry, named: readonly Named[]): string {
  const words = bareId(entry.id).split("/");
  if (words[0] !== "catalog") return labelOf(words.at(-1)?.split(".").at(-1) ?? "");
  const [, list = "", item = "", ...rest] = words;
  const field = labelOf((rest.length === 0 ? item : rest.join(" ")).replaceAll(".", " "));
  if (rest.length === 0) return field;
  const table = /^(.+)\.(?:csv|json)$/.exec(list)?.[1];
  if (table !== undefined && /^\d+$/.test(item)) return `${field} (${humanize(table)}, row ${item})`;
  return `${field} of ${named.find(({ id }) => id === item)?.name ?? item}`;
}
