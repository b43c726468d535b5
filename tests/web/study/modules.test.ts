/** The study tool's modules stand apart: the first screen does not load them, and they reach no answer of the engine. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const source = fileURLToPath(new URL("../../../web/src/", import.meta.url));
/** What study modules may import beside each other. */
const kAllowed = new Set(["ts-fsrs", "idb", "@preact/signals", "json.ts", "csv.ts"]);

/** What a file imports when it is loaded: neither types nor what it asks for later. */
function imported(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm);
  return [...statements].map(([, name = ""]) =>
    name.startsWith(".") ? relative(source, join(dirname(file), name)) : name,
  );
}

function reachedFrom(file: string, seen = new Set<string>()): Set<string> {
  for (const name of imported(join(source, file))) {
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
      imported(join(source, "study", name))
        .filter((one) => !one.startsWith("study/") && !kAllowed.has(one))
        .map((one) => `${name}: ${one}`),
    );
    expect(own).toContain("scheduler.ts");
    expect(foreign).toEqual([]);
  });
});
