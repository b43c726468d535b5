/** A lab that runs: what the terminal shows, which step it is at, and how each step was solved. Every function returns the run that follows. */
import type { Difference } from "./compare.ts";
import type { Tools } from "./grammar.ts";
import { judge, toolsOf, type Verdict } from "./judge.ts";
import { type CommandLab, commandOf, isQuestion, type Lines, type Mark } from "./lab.ts";

/** What the terminal says about a line, which is not the tool's output: a text of the lab, or one of the page with its values. */
export type Note = { tone: "good" | "off" | "plain" } & (
  | { says: string }
  | { key: NoteKey; values?: Record<string, string | number> }
);
export type NoteKey =
  | "hidden"
  | "later"
  | "before"
  | "works"
  | "absent"
  | "unreadQuote"
  | "unreadPipe"
  | "unreadOperator"
  | "refused"
  | "offTool"
  | "offSubcommand"
  | "offMissingOption"
  | "offMissingWord"
  | "offExtraOption"
  | "offExtraWord"
  | "offValue"
  | "offWord"
  | "answerFirst"
  | "noHint"
  | "shown"
  | "help"
  | "helpTools"
  | "helpAny"
  | "wrongChoice";

export type Entry =
  | { kind: "line"; prompt: string; text: string }
  | { kind: "output"; lines: Lines }
  | { kind: "note"; note: Note };

export interface Run {
  /** Counted from 0; as many as there are steps at the end. */
  at: number;
  /** Wrong tries at this step. */
  wrong: number;
  shown: boolean;
  marks: readonly Mark[];
  entries: readonly Entry[];
  /** What was typed, oldest first. */
  typed: readonly string[];
  /** Wrong options of this step's question that were chosen. */
  chosen: readonly number[];
}

export const kNewRun: Run = { at: 0, wrong: 0, shown: false, marks: [], entries: [], typed: [], chosen: [] };

/** Wrong tries after which the command itself may be seen. A hint may be asked for at any time. */
export const kShowAfter = 2;

const note = (tone: Note["tone"], key: NoteKey, values?: Record<string, string | number>): Entry => ({
  kind: "note",
  note: values === undefined ? { tone, key } : { tone, key, values },
});
const saying = (tone: Note["tone"], says: string): Entry => ({ kind: "note", note: { tone, says } });
const printing = (lines: Lines): Entry[] => (lines.length === 0 ? [] : [{ kind: "output", lines }]);

const add = (run: Run, ...entries: Entry[]): Run => ({ ...run, entries: [...run.entries, ...entries] });
const missed = (run: Run): Run => ({ ...run, wrong: run.wrong + 1 });

function solved(run: Run): Run {
  const mark: Mark = run.shown ? "shown" : run.wrong === 0 ? "first" : "later";
  return { ...run, at: run.at + 1, wrong: 0, shown: false, chosen: [], marks: [...run.marks, mark] };
}

export const isOver = (lab: CommandLab, { at }: Run): boolean => at >= lab.steps.length;

const kOff: Record<Difference["kind"], NoteKey> = {
  tool: "offTool",
  subcommand: "offSubcommand",
  "missing option": "offMissingOption",
  "missing word": "offMissingWord",
  "extra option": "offExtraOption",
  "extra word": "offExtraWord",
  value: "offValue",
  word: "offWord",
};
const kUnread = { quote: "unreadQuote", pipe: "unreadPipe", operator: "unreadOperator" } as const;

/** The run after a line of which the judge says this. */
function after(lab: CommandLab, run: Run, verdict: Verdict): Run {
  const step = lab.steps[run.at];
  switch (verdict.kind) {
    case "accepted":
      return solved(
        add(
          run,
          ...printing(verdict.output),
          ...(step === undefined || isQuestion(step) ? [] : [saying("good", step.why)]),
        ),
      );
    case "hidden":
      return add(missed(run), ...printing(verdict.output), note("off", "hidden"));
    case "near":
      return verdict.looks
        ? add(run, ...printing(verdict.output), saying("plain", verdict.says))
        : add(missed(run), ...printing(verdict.output), saying("off", verdict.says));
    case "works":
      return add(run, ...printing(verdict.output), note("plain", "works"));
    case "refused":
      return add(
        missed(run),
        ...printing(verdict.output),
        ...(verdict.fault === "tool" ? [] : [note("off", "refused")]),
      );
    case "off": {
      const explores = verdict.difference.kind === "tool" || verdict.difference.kind === "subcommand";
      return add(
        explores ? run : missed(run),
        note(
          explores ? "plain" : "off",
          kOff[verdict.difference.kind],
          "word" in verdict.difference ? { word: verdict.difference.word } : undefined,
        ),
      );
    }
    case "absent":
      return add(run, note("plain", "absent", { word: verdict.word }));
    case "unread":
      return add(missed(run), note("off", kUnread[verdict.unread], { word: verdict.what }));
    case "later":
      return add(missed(run), note("off", "later"));
    case "before":
      return add(run, note("plain", "before"));
    case "nothing":
      return run;
  }
}

const kLetters = "abcdef";
export const letterOf = (place: number): string => kLetters[place] ?? "";

/** Words that speak to the lab, not to the machine. */
function spoken(tools: Tools, lab: CommandLab, run: Run, word: string): Run | undefined {
  if (word === "help") {
    const any = lab.any.map(({ command }) => command).join(", ");
    return add(
      run,
      note("plain", "help"),
      note("plain", "helpTools", { list: toolsOf(tools, lab).join(", ") }),
      ...(any === "" ? [] : [note("plain", "helpAny", { list: any })]),
    );
  }
  if (word === "clear") return { ...run, entries: [] };
  if (word === "hint") return hint(lab, run);
  if (word === "show me" || word === "show") return show(lab, run);
  return undefined;
}

export function hint(lab: CommandLab, run: Run): Run {
  const step = lab.steps[run.at];
  if (step === undefined || isQuestion(step)) return add(run, note("plain", "noHint"));
  return add(run, saying("plain", step.hint));
}

/** Shows the command; it is still typed. */
export function show(lab: CommandLab, run: Run): Run {
  const step = lab.steps[run.at];
  if (step === undefined || isQuestion(step) || run.wrong < kShowAfter) return add(run, note("plain", "noHint"));
  return add({ ...run, shown: true }, note("plain", "shown", { command: shownCommand(lab, run) ?? "" }));
}

/** The command of the step that may be shown. */
export function shownCommand(lab: CommandLab, { at }: Run): string | undefined {
  const step = lab.steps[at];
  const [way] = step === undefined || isQuestion(step) ? [] : step.accept;
  return way === undefined ? undefined : commandOf(way);
}

/** The run after the option at a place of this step's question was chosen. */
export function choose(lab: CommandLab, run: Run, place: number): Run {
  const step = lab.steps[run.at];
  const option = step !== undefined && isQuestion(step) ? step.options[place] : undefined;
  if (option === undefined) return run;
  const answer = saying(
    option.right ? "good" : "off",
    `${letterOf(place).toUpperCase()}. ${option.text} – ${option.why}`,
  );
  if (option.right) return solved(add(run, answer));
  return add({ ...missed(run), chosen: [...run.chosen, place] }, answer, note("plain", "wrongChoice"));
}

/** The run after a line was typed. */
export function enter(tools: Tools, lab: CommandLab, before: Run, text: string): Run {
  const line = text.trim();
  const run = add(line === "" ? before : { ...before, typed: [...before.typed, line] }, {
    kind: "line",
    prompt: lab.prompt,
    text: line,
  });
  const said = spoken(tools, lab, run, line.toLowerCase());
  if (said !== undefined) return said;
  const step = lab.steps[run.at];
  if (step !== undefined && isQuestion(step)) {
    const place = kLetters.indexOf(line.toLowerCase());
    if (line.length === 1 && place >= 0 && place < step.options.length) return choose(lab, run, place);
    const verdict = judge(tools, lab, run.at, line);
    // A question asks for no command: whatever is typed meanwhile is not a wrong try.
    const next = after(lab, run, verdict);
    const isOff = verdict.kind === "off" || verdict.kind === "later";
    return isOff ? add(run, note("plain", "answerFirst")) : { ...next, wrong: run.wrong };
  }
  return after(lab, run, judge(tools, lab, run.at, line));
}

/** The step that is on, counted from 1. */
export const placeOf = ({ at }: Run): number => at + 1;

/** Steps that were not solved at the first try, counted from 1. */
export const repeated = (marks: readonly Mark[]): number[] =>
  marks.flatMap((mark, i) => (mark === "first" ? [] : [i + 1]));
