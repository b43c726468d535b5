/** The command labs, written below `study/` of the site: their list with the tools, and a file for each. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tools } from "../src/study/commands/grammar.ts";
import type { CommandLab, CommandLabFile, CommandLabPack } from "../src/study/commands/lab.ts";
import type { SourceEntry } from "../src/study/pack.ts";

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/** In the order that command_tools.json gives them. */
export function readCommandLabs(data: string): { labs: CommandLab[]; tools: Tools } {
  const { order, tools } = read(join(data, "command_tools.json")) as { order: string[]; tools: Tools };
  const folder = join(data, "commands");
  const labs = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => read(join(folder, name)) as CommandLab);
  const place = ({ id }: CommandLab) => order.indexOf(id);
  const lost = labs.filter((lab) => place(lab) < 0);
  if (lost.length > 0) throw new Error(`command_tools.json has no place for ${lost.map(({ id }) => id).join(", ")}.`);
  return { labs: labs.sort((a, b) => place(a) - place(b)), tools };
}

export function commandFiles(
  data: string,
  sourcesNamed: (ids: readonly string[]) => Record<string, SourceEntry>,
): Record<string, CommandLabPack | CommandLabFile> {
  const { labs, tools } = readCommandLabs(data);
  const list = labs.map(({ id, title, objective, minutes, steps }) => ({
    id,
    title,
    objective,
    minutes,
    steps: steps.length,
  }));
  const each = labs.map((lab) => [`commands/${lab.id}.json`, { lab, sources: sourcesNamed(lab.sources) }] as const);
  return { "commands.json": { labs: list, tools }, ...Object.fromEntries(each) };
}
