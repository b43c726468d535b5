/** What the page's files import of each other. */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const source = fileURLToPath(new URL("../../web/src/", import.meta.url));

const kLoaded = /^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm;
const kWithTypes = /^(?:import|export)\s+(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm;

/** The imports of a file, own files by their place in `web/src`; what it asks for while it runs does not count. */
export function importsOf(file: string, types: "with types" | "without types"): string[] {
  const statements = readFileSync(join(source, file), "utf8").matchAll(types === "with types" ? kWithTypes : kLoaded);
  return [...statements].map(([, name = ""]) =>
    name.startsWith(".") ? relative(source, join(source, dirname(file), name)) : name,
  );
}
