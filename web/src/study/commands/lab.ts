/** Command labs: a session at a terminal in steps. A step asks for a command, or for what its output says. */

import { labCard, predictionsOf } from "../labs.ts";
import { newId, type Review } from "../log.ts";
import type { SourceEntry } from "../pack.ts";
import { type Grade, kAgain, kEasy, kGood } from "../scheduler.ts";
import type { Tools } from "./grammar.ts";

export type Lines = readonly string[];

/** A way to write a command; with an output of its own where the tool prints something else for it. */
export type Way = string | { command: string; output: Lines };

/** Not what a step asks for, but near it. */
export interface NearMiss {
  /** `...` is any value of an option, and at the end whatever follows. */
  command: string;
  /** What is off. */
  says: string;
  /** It only looks around: no wrong try. */
  looks?: boolean;
  /** What the tool prints. */
  output?: Lines;
}

export interface CommandStep {
  task: string;
  /** The first one is shown to who asks for it. */
  accept: readonly Way[];
  output: Lines;
  /** What a filter must leave of the output. */
  keep?: readonly string[];
  /** One sentence: why this command. */
  why: string;
  hint: string;
  near?: readonly NearMiss[];
  /** It changes the machine: what earlier steps printed no longer holds. */
  changes?: boolean;
}

export interface QuestionStep {
  question: string;
  options: readonly { text: string; right?: boolean; why: string }[];
}

export type Step = CommandStep | QuestionStep;
export const isQuestion = (step: Step): step is QuestionStep => "question" in step;

export interface CommandLabEntry {
  id: string;
  title: string;
  objective: string;
  minutes: number;
  /** How many steps it has. */
  steps: number;
}

export interface CommandLab extends Omit<CommandLabEntry, "steps"> {
  /** Id of the lesson that speaks of its tools. */
  lesson?: string;
  setting: string;
  /** Before every command line, as `ops@dgx-01:~$`. */
  prompt: string;
  steps: readonly Step[];
  /** What works at any time; in steps `from` to `to`, counted from 1, where it says so. */
  any: readonly { command: string; output: Lines; from?: number; to?: number }[];
  sources: readonly string[];
}

/** The file of a lab. */
export interface CommandLabFile {
  lab: CommandLab;
  /** Those that it names. */
  sources: Record<string, SourceEntry>;
}

/** The list of all labs, and the tools that their terminals know. */
export interface CommandLabPack {
  labs: readonly CommandLabEntry[];
  tools: Tools;
}

export const commandOf = (way: Way): string => (typeof way === "string" ? way : way.command);

/** How a step was solved: at the first try, after others, or after it was shown. */
export type Mark = "first" | "later" | "shown";

/** This share of the steps must be solved without being shown for a lab to count as done. */
export const kDoneFrom = 0.8;

export const solvedOf = (marks: readonly Mark[]): number => marks.filter((mark) => mark !== "shown").length;
export const isDone = (marks: readonly Mark[]): boolean =>
  marks.length > 0 && solvedOf(marks) / marks.length >= kDoneFrom;

function gradeOf(marks: readonly Mark[]): Grade {
  if (!isDone(marks)) return kAgain;
  return marks.every((mark) => mark === "first") ? kEasy : kGood;
}

/** Its name among the labs, which the log keeps apart from questions. */
const kKind = "command.";

/** What a finished lab leaves in the log: how many of its steps were solved. */
export function commandReview(
  { id, objective }: Pick<CommandLab, "id" | "objective">,
  marks: readonly Mark[],
  seconds: number,
  now: number,
): Review {
  const card = labCard(`${kKind}${id}`);
  return {
    id: newId(),
    card,
    question: card,
    objective,
    time: now,
    grade: gradeOf(marks),
    right: isDone(marks),
    answer: solvedOf(marks),
    seconds,
  };
}

/** Earlier runs of a lab, oldest first. */
export const runsOf = (reviews: readonly Review[], lab: string): Review[] => predictionsOf(reviews, `${kKind}${lab}`);

/** The one after it in the list. */
export const commandLabAfter = ({ labs }: CommandLabPack, id: string): CommandLabEntry | undefined =>
  labs[labs.findIndex((one) => one.id === id) + 1];
