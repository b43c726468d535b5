/** Labs: a quantity is predicted before the engine says it. The error is a share of what the engine says. */
import type { JsonObject } from "../json.ts";
import { newId, type Review } from "./log.ts";
import type { SourceEntry } from "./pack.ts";
import { type Grade, kAgain, kEasy, kGood } from "./scheduler.ts";
import type { SliderScale } from "./sliders.ts";

export interface Lab {
  id: string;
  title: string;
  objective: string;
  minutes: number;
  setting: string;
  question: string;
  /** What the engine is asked, and where its answer has the predicted quantity. */
  request: JsonObject;
  answer_pointer: string;
  unit: string;
  slider: SliderScale & { start: number };
  hints: string[];
  /** The explanation. */
  reveal: string;
  explore: {
    inputs: (SliderScale & { pointer: string; label: string; unit?: string })[];
    shows: { pointer: string; label: string; unit?: string }[];
  };
  sources: string[];
}

export interface LabPack {
  labs: Lab[];
  /** Those that the labs name. */
  sources: Record<string, SourceEntry>;
}

/** A prediction counts as right up to this share of error. */
export const kRightWithin = 0.1;
/** Up to here it was known rather than estimated. */
const kKnownWithin = 0.02;

/** Below 0 where the prediction was too low. A quantity of 0 is met by 0 alone. */
export function errorOf(predicted: number, actual: number): number {
  if (actual === 0) return predicted === 0 ? 0 : predicted > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  return (predicted - actual) / Math.abs(actual);
}

const isWithin = (error: number, share: number) => Math.abs(error) <= share + 1e-9;

export const isClose = (error: number) => isWithin(error, kRightWithin);

/** The grade that the error earns: nobody is asked. */
export const gradeOfError = (error: number): Grade =>
  isWithin(error, kKnownWithin) ? kEasy : isClose(error) ? kGood : kAgain;

/** Far misses are told as a factor: "4 times too high" says more than 300 %. */
export function missOf(predicted: number, actual: number): { way: "low" | "high" | "none"; factor?: number } {
  const error = errorOf(predicted, actual);
  if (error === 0) return { way: "none" };
  const ratio = error > 0 ? predicted / actual : actual / predicted;
  const factor = Number.isFinite(ratio) && ratio >= 2 ? ratio : undefined;
  return { way: error > 0 ? "high" : "low", ...(factor === undefined ? {} : { factor }) };
}

const kLabCard = "lab.";
export const labCard = (lab: string) => `${kLabCard}${lab}`;
/** A prediction of a lab is kept as a review, and is no question. */
export const isLabCard = (card: string) => card.startsWith(kLabCard);

/** What a prediction leaves in the log. */
export function labReview(
  { id, objective }: Lab,
  predicted: number,
  actual: number,
  seconds: number,
  now: number,
): Review {
  const error = errorOf(predicted, actual);
  return {
    id: newId(),
    card: labCard(id),
    question: labCard(id),
    objective,
    time: now,
    grade: gradeOfError(error),
    right: isClose(error),
    answer: predicted,
    seconds,
  };
}

/** Earlier predictions of a lab, oldest first. */
export const predictionsOf = (reviews: readonly Review[], lab: string): Review[] =>
  reviews.filter(({ card }) => card === labCard(lab)).sort((a, b) => a.time - b.time);

/** The one after it in the list. */
export const labAfter = ({ labs }: LabPack, { id }: Lab): Lab | undefined =>
  labs[labs.findIndex((one) => one.id === id) + 1];

export const secondsBetween = (from: number, to: number) => Math.max(0, to - from) / 1000;
