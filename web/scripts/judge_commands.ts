/**
 * Judges lines at steps of the command labs, for checks outside the page. Reads one object per line of standard input and writes what it does:
 * `{"lab", "at", "line"}` the verdict of a line at a step, `{"lab", "play": [lines]}` where a run of these lines ends and how its steps were solved.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { judge } from "../src/study/commands/judge.ts";
import { enter, kNewRun } from "../src/study/commands/run.ts";
import { readCommandLabs } from "./study_commands.ts";

type Asked = { lab: string } & ({ at: number; line: string } | { play: string[] });

const data = join(fileURLToPath(new URL("../../", import.meta.url)), "core/study/data");
const { labs, tools } = readCommandLabs(data);
const byId = new Map(labs.map((lab) => [lab.id, lab]));

for (const text of readFileSync(0, "utf8").split("\n")) {
  if (text.trim() === "") continue;
  const asked = JSON.parse(text) as Asked;
  const lab = byId.get(asked.lab);
  if (lab === undefined) throw new Error(`There is no lab ${asked.lab}.`);
  if ("play" in asked) {
    const { at, marks } = asked.play.reduce((run, line) => enter(tools, lab, run, line), kNewRun);
    console.log(JSON.stringify({ at, marks }));
  } else console.log(JSON.stringify(judge(tools, lab, asked.at, asked.line)));
}
