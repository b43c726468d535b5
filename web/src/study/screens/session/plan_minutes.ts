/** What the plan leaves for questions today, kept by the home for the sessions that begin elsewhere. */
import { store as keepText, stored } from "../../../settings.ts";
import { examAhead, type Learner, minutesOf } from "../../learner.ts";
import { sessionMinutes } from "../../session_minutes.ts";
import { dateText } from "../../spans.ts";
import type { StudyTools } from "../study_data.ts";

const kName = "study plan questions";

/** Of everything that changes what today has; the plan of another exam, day, date or pace has another one. */
export function planKey({ pack, store }: StudyTools, now: number): string {
  const { settings } = store.data();
  const examAt = examAhead(settings, now) ?? now;
  return `${pack.blueprint.exam.id}/${dateText(now)}/${dateText(examAt)}/${minutesOf(settings)}`;
}

export const keepPlanMinutes = (key: string, minutes: number) => keepText(kName, `${key} ${minutes}`);

/** Minutes of the session of the plan that begins next. */
export function nextMinutes(tools: StudyTools, learner: Pick<Learner, "planned">, now: number): number {
  const [key, minutes] = (stored(kName) ?? "").split(" ");
  return sessionMinutes(learner, tools.store.data(), now, key === planKey(tools, now) ? Number(minutes) : undefined);
}
