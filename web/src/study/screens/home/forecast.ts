/** The forecast of a plan, worked out a few days at a time, so that nothing waits for it. */
import { useEffect, useState } from "preact/hooks";
import { type DayLoad, forecastDays } from "../../exam_plan.ts";
import { habits, type Learner } from "../../learner.ts";
import type { StudyTools } from "../study_data.ts";

/** One go at it, in milliseconds: short enough that a key pressed meanwhile is not noticed to wait. */
const kSliceMs = 12;

export interface Forecast {
  days: readonly DayLoad[];
  done: boolean;
}

export function useForecast(tools: StudyTools, learner: Learner, examAt: number, minutes: number): Forecast {
  const [shown, setShown] = useState<Forecast>({ days: [], done: false });
  const { reviews } = tools.store.data();
  useEffect(() => {
    const settings = { now: Date.now(), examAt, seconds: minutes * 60, ...habits(reviews) };
    const days = forecastDays(learner.scheduler, learner.planned, learner.weights, settings);
    const found: DayLoad[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const work = () => {
      const until = performance.now() + kSliceMs;
      for (;;) {
        const { value, done } = days.next();
        if (done === true) {
          setShown({ days: found, done: true });
          return;
        }
        found.push(value);
        if (performance.now() > until) break;
      }
      timer = setTimeout(work);
    };
    timer = setTimeout(work);
    return () => clearTimeout(timer);
  }, [reviews, learner, examAt, minutes]);
  return shown;
}
