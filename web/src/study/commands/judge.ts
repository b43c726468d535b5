/** What a typed line does at a step of a lab. Pure: the same line at the same step always does the same. */
import { type Difference, difference, nearest } from "./compare.ts";
import { asAsked, filtered, kFilterNames } from "./filters.ts";
import { kWhatever, type Reading, readCommand, type Tools } from "./grammar.ts";
import { type CommandLab, type CommandStep, commandOf, isQuestion, type Lines, type Way } from "./lab.ts";
import { readLine } from "./shell.ts";

export type Verdict =
  /** It is what the step asks for. */
  | { kind: "accepted"; output: Lines }
  /** It would be, but a filter hides what the step is about. */
  | { kind: "hidden"; output: Lines }
  /** A near miss that the lab knows. */
  | { kind: "near"; output: Lines; says: string; looks?: true }
  /** The tool understands it; it is not what the step asks for. */
  | { kind: "off"; difference: Difference }
  /** It works, and leads nowhere. */
  | { kind: "works"; output: Lines }
  /** The command of a later step. */
  | { kind: "later" }
  /** The command of an earlier step; the machine has changed since. */
  | { kind: "before" }
  /** The shell or the tool refuses it. */
  | { kind: "refused"; output: Lines; fault: "tool" | "option" | "command" | "value" }
  /** A program that a machine has and this terminal has not. */
  | { kind: "absent"; word: string }
  | { kind: "unread"; unread: "quote" | "pipe" | "operator"; what: string }
  | { kind: "nothing" };

/** Programs that any machine has: the shell would not say that they do not exist. */
const kUsual = new Set(
  `awk sed cut tr xargs tee jq ls cd pwd cat less more head tail grep egrep wc sort uniq man watch top htop ps kill ssh scp
  vi vim nano echo export env printenv sleep systemctl journalctl dmesg lspci lsmod modprobe ip ping df du free uname date
  which find python python3 pip apt apt-get yum dnf exit logout reboot shutdown bash sh sudo su time clear rm mv cp mkdir
  touch chmod chown`.split(/\s+/),
);

type Read = Extract<Reading, { command: unknown }>;
const isRead = (reading: Reading): reading is Read => "command" in reading;

/** The first command of a line; what follows a pipe only filters. */
function readingOf(tools: Tools, line: string): Reading | undefined {
  const shell = readLine(line);
  const [words = []] = "stages" in shell ? shell.stages : [];
  return words.length === 0 ? undefined : readCommand(tools, words);
}

function doesSame(tools: Tools, given: Read, line: string): Read | undefined {
  const asked = readingOf(tools, line);
  if (asked === undefined || !isRead(asked)) return undefined;
  return difference(given.command, asked.command, given.known) === undefined ? asked : undefined;
}

/** Whether a line is, word by word, another one; `...` at its end is whatever follows. */
function isWritten(line: string, asked: string): boolean {
  const wordsOf = (text: string) => {
    const shell = readLine(text);
    return "stages" in shell ? (shell.stages[0] ?? []) : [];
  };
  const words = wordsOf(asked);
  const own = wordsOf(line);
  const open = words.at(-1) === kWhatever;
  if (open) words.pop();
  return words.every((word, i) => own[i] === word) && (open || own.length === words.length);
}

interface Typed {
  tools: Tools;
  line: string;
  /** After the first pipe. */
  filters: readonly (readonly string[])[];
}

const ownOutput = (way: Way, step: CommandStep): Lines => (typeof way === "string" ? step.output : way.output);

/** What a step prints for a command that it accepts. */
function printed({ tools }: Typed, given: Read, step: CommandStep): Lines | undefined {
  for (const way of step.accept) {
    const asked = doesSame(tools, given, commandOf(way));
    if (asked !== undefined) return asAsked(ownOutput(way, step), given.command, asked.command, given.known);
  }
  return undefined;
}

/** A near miss may be a line that the tool does not even understand: then it is compared word by word. */
function nearMiss({ tools, line }: Typed, reading: Reading, step: CommandStep) {
  return step.near?.find(({ command }) =>
    isRead(reading) ? doesSame(tools, reading, command) !== undefined : isWritten(line, command),
  );
}

const through = (typed: Typed, lines: Lines, as: (output: Lines) => Verdict): Verdict => {
  const left = filtered(lines, typed.filters);
  return "missing" in left ? { kind: "absent", word: left.missing } : as(left);
};

/** Whether a filter leaves what the step is about. */
function isKept({ keep = [] }: CommandStep, printed: Lines, output: Lines): boolean {
  const has = (lines: Lines, text: string) => lines.some((line) => line.includes(text));
  if (output.length === 0) return printed.length === 0;
  return keep.every((text) => has(output, text) || !has(printed, text));
}

/** Of a command that the lab knows from another place: what works at any time, and other steps. */
function elsewhere(typed: Typed, reading: Read, lab: CommandLab, at: number): Verdict | undefined {
  const known = lab.any.find(
    ({ command, from = 1, to = lab.steps.length }) =>
      at + 1 >= from && at + 1 <= to && doesSame(typed.tools, reading, command) !== undefined,
  );
  if (known !== undefined) return through(typed, known.output, (output) => ({ kind: "works", output }));
  for (let i = at - 1; i >= 0; i -= 1) {
    const step = lab.steps[i];
    if (step === undefined || isQuestion(step)) continue;
    const lines = printed(typed, reading, step);
    if (lines === undefined) continue;
    const changed = lab.steps.slice(i, at).some((one) => !isQuestion(one) && one.changes === true);
    return changed ? { kind: "before" } : through(typed, lines, (output) => ({ kind: "works", output }));
  }
  const comes = lab.steps.slice(at + 1).some((one) => !isQuestion(one) && printed(typed, reading, one) !== undefined);
  return comes ? { kind: "later" } : undefined;
}

function stray(typed: Typed, reading: Reading, step: CommandStep | undefined): Verdict {
  if (!isRead(reading)) {
    if (reading.fault === "tool" && kUsual.has(reading.word)) return { kind: "absent", word: reading.word };
    return { kind: "refused", output: reading.output, fault: reading.fault };
  }
  const all = (step?.accept ?? []).flatMap((way) => {
    const asked = readingOf(typed.tools, commandOf(way));
    return asked === undefined || !isRead(asked) ? [] : [difference(reading.command, asked.command, reading.known)];
  });
  return { kind: "off", difference: nearest(all.filter((one) => one !== undefined)) ?? { kind: "tool" } };
}

/** What a line does at step `at` of a lab, counted from 0; after the last one only what works at any time does something. */
export function judge(tools: Tools, lab: CommandLab, at: number, text: string): Verdict {
  const line = text.replaceAll(/\$\{(\w+)\}/g, "$$$1").replaceAll("$USER", /^\w+/.exec(lab.prompt)?.[0] ?? "");
  const shell = readLine(line);
  if (!("stages" in shell)) return { kind: "unread", unread: shell.unread, what: shell.what };
  const [words = [], ...filters] = shell.stages;
  if (words.length === 0) return { kind: "nothing" };
  const reading = readCommand(tools, words);
  const typed = { tools, line, filters };
  const now = lab.steps[at];
  const step = now === undefined || isQuestion(now) ? undefined : now;
  if (step !== undefined) {
    const lines = isRead(reading) ? printed(typed, reading, step) : undefined;
    if (lines !== undefined)
      return through(typed, lines, (output) => ({ kind: isKept(step, lines, output) ? "accepted" : "hidden", output }));
    const near = nearMiss(typed, reading, step);
    if (near !== undefined)
      return through(typed, near.output ?? [], (output) => ({
        kind: "near",
        output,
        says: near.says,
        ...(near.looks === true ? { looks: true as const } : {}),
      }));
  }
  return (isRead(reading) ? elsewhere(typed, reading, lab, at) : undefined) ?? stray(typed, reading, step);
}

/** Programs that may come first on a line of a lab: those of its steps. */
export function toolsOf(tools: Tools, lab: CommandLab): string[] {
  const lines = [
    ...lab.steps.flatMap((step) => (isQuestion(step) ? [] : step.accept.map(commandOf))),
    ...lab.any.map(({ command }) => command),
  ];
  const names = lines.flatMap((line) => {
    const reading = readingOf(tools, line);
    return reading !== undefined && isRead(reading) ? [reading.command.tool] : [];
  });
  return [...new Set(names)].sort();
}

export { kFilterNames };
