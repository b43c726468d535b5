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
): readonly DayLoad[] | undefined {
  const [days, setDays] = useState<readonly DayLoad[]>();
  const { reviews } = tools.store.data();
  useEffect(() => {
    const settings = { now: Date.now(), examAt, seconds: minutes * 60, ...habits(reviews) };
    return inSlices(forecastDays(learner.scheduler, towardsExam(learner), learner.weights, settings), setDays);
  }, [reviews, learner, examAt, minutes]);
  return days;
}
