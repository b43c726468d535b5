/** The labs as the page reads them: their file, with the sources that they name. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Lab, LabPack } from "../src/study/labs.ts";
import type { SourceEntry } from "../src/study/pack.ts";

export function labPack(core: string, named: (ids: string[]) => Record<string, SourceEntry>): LabPack {
  const { labs } = JSON.parse(readFileSync(join(core, "study/data/labs.json"), "utf8")) as { labs: Lab[] };
  return { labs, sources: named(labs.flatMap(({ sources }) => sources)) };
}
