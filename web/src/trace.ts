/** Finds the explanation of a number: by its place in the answer, or by the id of a trace entry. */
import type { TraceEntry } from "./contract.ts";

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
export type Origin = "input" | "assumed" | "catalog" | "constant" | "method" | "formula";

/** The id without the running number that makes it unique. */
export function bareId(id: string): string {
  return id.replace(/^n\d+:/, "");
}

export function originOf(entry: TraceEntry): Origin {
  const id = bareId(entry.id);
  if (id.startsWith("request")) return entry.source?.startsWith("assumed") ? "assumed" : "input";
  if (id.startsWith("catalog/")) return "catalog";
  if (id.startsWith("constant/")) return "constant";
  if (id.startsWith("method/")) return "method";
  return "formula";
}

/** The inputs of an entry with the equation's name for each. */
export function inputsOf(index: TraceIndex, entry: TraceEntry): { name: string; entry: TraceEntry }[] {
  return (entry.inputs ?? []).flatMap((id, i) => {
    const input = index.byId.get(id);
    return input === undefined ? [] : [{ name: entry.names?.[i] ?? bareId(id), entry: input }];
  });
}
