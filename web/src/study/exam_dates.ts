/** The dates of exams: that of the chosen one is `examAt`, those of others are kept beside it. */
import { isObject } from "../json.ts";
import { isTime } from "./log.ts";
import type { ExamDate, StudySettings } from "./study_settings.ts";

/** Dates that can be read; undefined where there is none. */
export function datesOf(value: unknown): StudySettings["otherDates"] {
  if (!isObject(value)) return undefined;
  const dates = Object.entries(value).flatMap(([exam, one]): [string, ExamDate][] => {
    if (!isObject(one) || !isTime(one.examAt)) return [];
    const { examAt, planFrom } = one;
    return [[exam, { examAt, ...(isTime(planFrom) ? { planFrom } : {}) }]];
  });
  return dates.length === 0 ? undefined : Object.fromEntries(dates);
}

/** The settings with another exam chosen. `before` is the exam whose date they hold; that date is kept for when it is chosen again. */
export function withExam(settings: StudySettings, before: string, exam: string): StudySettings {
  if (before === exam) return { ...settings, exam };
  const { examAt, planFrom, otherDates = {}, ...others } = settings;
  const { [exam]: own, ...rest } = otherDates;
  const left = examAt === undefined ? {} : { [before]: { examAt, ...(planFrom === undefined ? {} : { planFrom }) } };
  const dates = { ...rest, ...left };
  return { ...others, exam, ...own, ...(Object.keys(dates).length === 0 ? {} : { otherDates: dates }) };
}
