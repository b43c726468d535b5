/** The study tool's modules stand apart: the first screen does not load them, and they reach no answer of the engine. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, source } from "../imports.ts";

/** What study modules may import beside each other. */
const kAllowed = new Set(["ts-fsrs", "idb", "@preact/signals", "json.ts", "csv.ts"]);

function reachedFrom(file: string, seen = new Set<string>()): Set<string> {
  for (const name of importsOf(file, "without types")) {
    if (seen.has(name)) continue;
    seen.add(name);
    if (existsSync(join(source, name)) && /\.tsx?$/.test(name)) reachedFrom(name, seen);
  }
  return seen;
}

describe("study modules", () => {
  it("are not loaded with the first screen", () => {
    const first = reachedFrom("main.tsx");
    expect(first.size).toBeGreaterThan(20);
    expect(first).toContain("state.ts");
    expect([...first].filter((name) => name.startsWith("study/") || name === "ts-fsrs" || name === "idb")).toEqual([]);
  });

  it("import nothing that knows the engine", () => {
    const own = readdirSync(join(source, "study")).filter((name) => name.endsWith(".ts"));
    const foreign = own.flatMap((name) =>
      importsOf(`study/${name}`, "without types")
        .filter((one) => !one.startsWith("study/") && !kAllowed.has(one))
        .map((one) => `${name}: ${one}`),
    );
    expect(own).toContain("scheduler.ts");
    expect(foreign).toEqual([]);
  });
});
