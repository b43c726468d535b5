/** The questions at the end of a lesson, one after the other: its own, the others in an order of a seed, then its own again. */
import { shuffledPlaces, stream } from "./shown_question.ts";

export function closingOrder(further: readonly string[], seed: number): string[] {
  return shuffledPlaces(further.length, stream(seed)).flatMap((place) => further[place] ?? []);
}

/** The question that comes after `count` others; undefined where it is the lesson's own. */
export const closingAt = (order: readonly string[], count: number): string | undefined =>
  order[(count % (order.length + 1)) - 1];

export const afterOneMore = (count: number) => count + 1;
