/** How long the next session of the plan is: what today leaves for questions, so that it and the line of the plan agree. */
import type { StudyData } from "./backup.ts";
import { type Learner, minutesOf, secondsLeftToday } from "./learner.ts";

/** A shorter session is not begun: what comes back today may take one minute alone. */
const kLeastMinutes = 5;

/**
 * `planned` are today's minutes for questions, before any was answered; undefined without a plan. Once they are used up, and on a day that lessons or
 * a mock exam fill, a session is as long as the learner's day.
 */
export function sessionMinutes(
  learner: Pick<Learner, "planned">,
  { reviews, settings }: Pick<StudyData, "reviews" | "settings">,
  now: number,
  planned: number | undefined,
): number {
  const whole = minutesOf(settings);
  if (planned === undefined) return whole;
  const left = secondsLeftToday(learner, reviews, now, planned * 60, whole * 60);
  return left <= 0 ? whole : Math.min(whole, Math.max(kLeastMinutes, Math.ceil(left / 60)));
}
