/** Scenarios that people keep in this browser: a name and the whole link of each. */
import { signal } from "@preact/signals";
import { isObject } from "../json.ts";
import { withoutCurrency } from "../route.ts";
import { store, stored } from "../settings.ts";

export interface Scenario {
  name: string;
  /** The address of the screen with its request, from `#` on. */
  hash: string;
  /** Day it was kept, as `2026-11-21`. */
  saved: string;
}

const kKey = "scenarios";

/** Reads a kept list; entries that are no scenarios are left out. */
export function readScenarios(text: string | undefined): Scenario[] {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(list)) return [];
    return list.filter(isObject).flatMap(({ name, hash, saved }) => {
      const isWhole = typeof name === "string" && name !== "" && typeof hash === "string" && /^#\//.test(hash);
      return isWhole ? [{ name, hash, saved: typeof saved === "string" ? saved : "" }] : [];
    });
  } catch {
    return [];
  }
}

/** A list with one more scenario; one of the same name is replaced. */
export function withScenario(list: readonly Scenario[], scenario: Scenario): Scenario[] {
  return [...list.filter(({ name }) => name !== scenario.name), scenario];
}

export const scenarios = signal<readonly Scenario[]>(readScenarios(stored(kKey)));

/** True where the browser has kept the list. The list on show is right either way. */
function keep(list: readonly Scenario[]): boolean {
  scenarios.value = list;
  return store(kKey, JSON.stringify(list));
}

/** What is kept is a question; money is shown in the currency that is chosen when it is opened. */
export function saveScenario(name: string, hash: string): boolean {
  const saved = new Date().toISOString().slice(0, 10);
  return keep(withScenario(scenarios.value, { name, hash: withoutCurrency(hash) || "#/", saved }));
}

export function removeScenario(name: string): boolean {
  return keep(scenarios.value.filter((scenario) => scenario.name !== name));
}

/** Takes over the scenarios of a file; those of the same name are kept as they are, and their number is told. */
export function importScenarios(text: string): { added: number; kept: number } {
  const known = new Set(scenarios.value.map(({ name }) => name));
  const read = readScenarios(text);
  const fresh = read.filter(({ name }) => !known.has(name));
  keep([...scenarios.value, ...fresh]);
  return { added: fresh.length, kept: read.length - fresh.length };
}
