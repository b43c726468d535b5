/** The forecast of a plan, worked out a little at a time, so that nothing waits for it. */
import { useEffect, useState } from "preact/hooks";
import { answeredCards } from "../../exam_kind.ts";
import { type DayLoad, forecastDays } from "../../exam_plan.ts";
import { habits, type Learner, secondsLeftToday, towardsExam } from "../../learner.ts";
import { inSlices } from "../../slices.ts";
import { questionMinutes, type StudyPlan } from "../../study_plan.ts";
import type { StudyTools } from "../study_data.ts";

/** Of a plan whose lessons and mock exams take their time; undefined until all days are known. */
export function useForecast(
  tools: StudyTools,
  learner: Learner,
  examAt: number,
  minutes: number,
  plan: StudyPlan | undefined,
): readonly DayLoad[] | undefined {
  const [days, setDays] = useState<readonly DayLoad[]>();
  const data = tools.store.data();
  // As a text, which stays the same while the minutes do.
  const each = plan === undefined ? "" : questionMinutes(plan, minutes).join(" ");
  useEffect(() => {
    const { reviews } = data;
    const now = Date.now();
    const settings = { now, examAt, seconds: minutes * 60, ...habits(reviews) };
    const [today = settings.seconds, ...later] = each === "" ? [] : each.split(" ").map((one) => Number(one) * 60);
    const secondsOn = [secondsLeftToday(learner, reviews, now, today, settings.seconds), ...later];
    const answered = answeredCards(data);
    const cards = towardsExam(learner).map((card) => ({ ...card, isMet: answered.has(card.id) }));
    return inSlices(forecastDays(learner.scheduler, cards, learner.weights, settings, secondsOn), setDays);
  }, [data, learner, examAt, minutes, each]);
  return days;
}
