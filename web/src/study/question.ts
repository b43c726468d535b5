/** A question as the engine asks it, and the marking of an answer. The engine says what is right; here an answer is only compared with it. */
import { isObject, type Json, type JsonObject } from "../json.ts";

export const kQuestionKinds = ["choice", "choose-two", "order", "match", "numeric", "read-drawing"] as const;
export type QuestionKind = (typeof kQuestionKinds)[number];

export interface Option {
  text: string;
  right?: boolean;
  why?: string;
  mistake?: string;
}

/** One step of a worked solution; written questions have text alone. */
export interface Step {
  text: string;
  name?: string;
  equation?: string;
  inputs?: { name: string; value: number; unit: string; source?: string }[];
  value?: number;
  unit?: string;
  source?: string;
}

export interface Question {
  /** Written: its id; generated: template/seed. */
  id: string;
  template?: string;
  objective: string;
  kind: QuestionKind;
  difficulty: number;
  prompt: string;
  /** Preformatted text above the options: a command's output, a topology, a roofline. */
  drawing?: string;
  /** The id of a drawing above the prompt, and the box of it that is asked for. */
  picture?: string;
  hidden?: string;
  /** Left sides of a match; `options` are the right sides. */
  lefts?: string[];
  options: Option[];
  answer: { options?: number[]; number?: number; unit?: string; tolerance?: number };
  solution: Step[];
  source?: string;
  /** The screen of the planner that shows this case, and the request with which it does. */
  planner?: { screen: string; request: JsonObject };
}

/**
 * What a learner answers: places of the chosen options (choice, choose-two, read-drawing), all places in the chosen order (order), the place of the
 * option for each left side (match), or a number.
 */
export type Answer = readonly number[] | number;

/** An answer as it was kept; undefined where it is none. */
export function readAnswer(value: Json | undefined): Answer | undefined {
  if (typeof value === "number") return value;
  return Array.isArray(value) && value.every((one) => typeof one === "number") ? (value as number[]) : undefined;
}

/** How many options an answer must have to be whole. */
function placesAsked({ kind, options, lefts }: Question): number {
  if (kind === "order") return options.length;
  if (kind === "match") return lefts?.length ?? 0;
  return kind === "choose-two" ? 2 : 1;
}

/** True where nothing is missing; a place that is not chosen yet is -1. */
export function isWhole(question: Question, answer: Answer | undefined): answer is Answer {
  if (answer === undefined) return false;
  if (typeof answer === "number") return question.kind === "numeric" && Number.isFinite(answer);
  return answer.length === placesAsked(question) && answer.every((place) => place >= 0);
}

/** Whether an answer is right: the same options (in any order where order says nothing), or a number within the tolerance (a share of it). */
export function isRight(question: Question, answer: Answer | undefined): boolean {
  const { kind, answer: expected } = question;
  if (!isWhole(question, answer)) return false;
  if (typeof answer === "number") {
    const { number = Number.NaN, tolerance = 0 } = expected;
    return Math.abs(answer - number) <= tolerance * Math.abs(number) + 1e-9 * Math.abs(number);
  }
  const places = expected.options ?? [];
  const isInOrder = kind === "order" || kind === "match";
  const own = isInOrder ? answer : [...answer].sort((a, b) => a - b);
  const right = isInOrder ? places : [...places].sort((a, b) => a - b);
  return own.length === right.length && own.every((place, i) => place === right[i]);
}

/** The card that a question belongs to: its template, or the written question itself. */
export const cardOf = ({ id, template }: Question) => template ?? id;

/** A question of an answer of the engine; undefined where it is none. */
export function readQuestion(value: unknown): Question | undefined {
  const isQuestion =
    isObject(value) &&
    ["id", "objective", "kind", "prompt"].every((key) => typeof value[key] === "string") &&
    kQuestionKinds.some((kind) => kind === value.kind) &&
    Array.isArray(value.options) &&
    Array.isArray(value.solution) &&
    isObject(value.answer);
  return isQuestion ? (value as unknown as Question) : undefined;
}
