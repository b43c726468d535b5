/** Points of the curve of the chance to pass: where it is worth drawing, and which mastery a chance needs. */
import type { Blueprint } from "./blueprint.ts";
import { passChance } from "./exam_result.ts";

/** A chance that one may rely on. */
export const kSafe = 0.9;

/** The curve from a little below what the learner may know; never shorter than its upper half. */
export function curveFrom<Point extends { mastery: number }>(points: readonly Point[], low: number): Point[] {
  const from = Math.floor(Math.max(0, Math.min(low - 0.05, 0.5)) * 10) / 10;
  return points.filter(({ mastery }) => mastery >= from - 1e-9);
}

/** Least whole per cent of mastery that passes with `chance`. */
export function masteryFor(blueprint: Blueprint, chance: number): number {
  for (let percent = 0; percent < 100; percent += 1) {
    if (passChance(blueprint, percent / 100) >= chance) return percent / 100;
  }
  return 1;
}
