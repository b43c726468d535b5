/** The forecast of a plan, worked out a little at a time, so that nothing waits for it. */
import { useEffect, useState } from "preact/hooks";
import { type DayLoad, forecastDays } from "../../exam_plan.ts";
import { habits, type Learner, towardsExam } from "../../learner.ts";
import { inSlices } from "../../slices.ts";
import type { StudyTools } from "../study_data.ts";

/** Undefined until all days are known. */
export function useForecast(
  tools: StudyTools,
  learner: Learner,
  examAt: number,
  minutes: number,
  minutesOn: readonly number[] = [],
): readonly DayLoad[] | undefined {
  const [days, setDays] = useState<readonly DayLoad[]>();
  const { reviews } = tools.store.data();
  // As a text, which stays the same while the minutes do.
  const each = minutesOn.join(" ");
  useEffect(() => {
    const settings = { now: Date.now(), examAt, seconds: minutes * 60, ...habits(reviews) };
    const secondsOn = each === "" ? [] : each.split(" ").map((one) => Number(one) * 60);
    const cards = towardsExam(learner);
    return inSlices(forecastDays(learner.scheduler, cards, learner.weights, settings, secondsOn), setDays);
  }, [reviews, learner, examAt, minutes, each]);
  return days;
}
