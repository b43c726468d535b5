/** The raw log of reviews: what was asked and answered, never what follows from it. Every state of the study tool can be computed from it again. */
import { csv } from "../csv.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { type Grade, type GradedAt, kGrades } from "./scheduler.ts";

/** Why an answer was wrong, as the learner says. */
export const kMistakes = ["knowledge", "reasoning", "misread"] as const;
export type Mistake = (typeof kMistakes)[number];

export interface Review {
  /** Unique for ever; restoring a backup merges by it. */
  id: string;
  /** What is learned: a written question or a template. */
  card: string;
  /** What was shown: the card/seed; of an exam the written question itself, or template/seed. */
  question: string;
  objective: string;
  /** When it was answered, in milliseconds since 1970 UTC. */
  time: number;
  grade: Grade;
  right: boolean;
  /** Places of the chosen options as they were shown, or a number; null where the learner said not to know. */
  answer: Json;
  /** Time that the answer took. */
  seconds: number;
  /** 0.5 to 0.99, stated before the answer was shown, where it was asked. */
  confidence?: number;
  mistake?: Mistake;
  /** Named mistakes of the engine that lead to the wrong options that were chosen. */
  traps?: readonly string[];
  /** The exam or the session that it belongs to. */
  exam?: string;
  session?: string;
}

export const newId = () => crypto.randomUUID();

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
/** No time of this tool lies later; a time that no calendar has breaks whatever shows it. */
const kLatestTime = Date.UTC(2200, 0, 1);
/** A time at which something can have been done, or be planned. */
export const isTime = (value: unknown): value is number => isNumber(value) && value >= 0 && value < kLatestTime;
const isMissingOr = (is: (value: unknown) => boolean) => (value: unknown) => value === undefined || is(value);

/** What each field of a review must be. */
const kFields: Record<keyof Review, (value: unknown) => boolean> = {
  id: isText,
  card: isText,
  question: isText,
  objective: isText,
  time: isTime,
  grade: (value) => kGrades.some((grade) => grade === value),
  right: (value) => typeof value === "boolean",
  answer: (value) => value !== undefined,
  seconds: (value) => isNumber(value) && value >= 0,
  confidence: isMissingOr((value) => isNumber(value) && value > 0 && value < 1),
  mistake: isMissingOr((value) => kMistakes.some((one) => one === value)),
  traps: isMissingOr((value) => Array.isArray(value) && value.every(isText)),
  exam: isMissingOr(isText),
  session: isMissingOr(isText),
};

/** Fields of `value` that keep it from being a review; empty for a review. */
export function faultsOf(value: unknown): string[] {
  if (!isObject(value)) return [""];
  return Object.entries(kFields).flatMap(([key, isRight]) => (isRight(value[key]) ? [] : [key]));
}

export const isReview = (value: unknown): value is Review => faultsOf(value).length === 0;

/** By time, and by id where times are equal, so that every copy of a log has one order. */
export const inOrder = (reviews: readonly Review[]): Review[] =>
  [...reviews].sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));

/** The reviews of each card in order: what a scheduler replays. */
export function byCard(reviews: readonly Review[]): Map<string, (Review & GradedAt)[]> {
  const cards = new Map<string, Review[]>();
  for (const review of inOrder(reviews)) {
    const own = cards.get(review.card);
    if (own === undefined) cards.set(review.card, [review]);
    else own.push(review);
  }
  return cards;
}

const kColumns = [
  "id",
  "time",
  "card",
  "question",
  "objective",
  "grade",
  "right",
  "confidence",
  "answer",
  "seconds",
  "mistake",
  "exam",
  "session",
  "traps",
];

/** The log as a table for other programs; times as ISO 8601 in UTC. */
export function reviewsCsv(reviews: readonly Review[]): string {
  const rows = inOrder(reviews).map(
    ({ time, traps, ...rest }): JsonObject => ({
      ...(rest as JsonObject),
      ...(traps === undefined ? {} : { traps: traps.join(" ") }),
      time: new Date(time).toISOString(),
    }),
  );
  return csv(rows, kColumns);
}
