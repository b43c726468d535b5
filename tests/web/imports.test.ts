/** No file of the page imports itself by way of others, neither for values nor for types. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { importsOf, source } from "./imports.ts";

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));

/** The first circle found from `file` on, as the files along it. */
function circleFrom(file: string, path: readonly string[], done: Set<string>): string[] | undefined {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (done.has(file)) return undefined;
  for (const next of importsOf(file, "with types")) {
    if (!files.includes(next)) continue;
    const circle = circleFrom(next, [...path, file], done);
    if (circle !== undefined) return circle;
  }
  done.add(file);
  return undefined;
}

describe("imports", () => {
  it("are read", () => {
    expect(importsOf("page.ts", "with types")).toContain("state.ts");
    expect(importsOf("page.ts", "without types")).not.toContain("state.ts");
  });

  it("have no circle", () => {
    const done = new Set<string>();
    expect(files.flatMap((file) => circleFrom(file, [], done) ?? [])).toEqual([]);
    expect(done.size).toBe(files.length);
  });
});
