/** On which days the learner has studied: answers of each, by the calendar of the place. */
import type { StudyData } from "./backup.ts";
import { calendarDays, timeOfDay } from "./spans.ts";

/** Times of everything that was answered, in sessions, labs and exams. */
export function answerTimes({ reviews, answers }: Pick<StudyData, "reviews" | "answers">): number[] {
  const inExams = answers.filter(({ answer }) => answer !== null).map(({ time }) => time);
  // The log has of an exam what was missed; the exam itself has it too.
  return [...reviews.filter(({ exam }) => exam === undefined).map(({ time }) => time), ...inExams];
}

/** How dark a day is drawn: none, a few, a session, more. */
export type DayLevel = 0 | 1 | 2 | 3;
const levelOf = (answers: number): DayLevel => (answers === 0 ? 0 : answers < 10 ? 1 : answers < 30 ? 2 : 3);

export interface StudyDay {
  time: number;
  answers: number;
  level: DayLevel;
}

function countsByAge(times: readonly number[], now: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const time of times) {
    const age = calendarDays(time, now);
    counts.set(age, (counts.get(age) ?? 0) + 1);
  }
  return counts;
}

/** The last days, the oldest first and today last. */
export function lastDays(times: readonly number[], now: number, days: number): StudyDay[] {
  const counts = countsByAge(times, now);
  return Array.from({ length: days }, (_, i) => {
    const age = days - 1 - i;
    const answers = counts.get(age) ?? 0;
    return { time: timeOfDay(now, -age), answers, level: levelOf(answers) };
  });
}

export const daysStudied = (times: readonly number[], now: number) => countsByAge(times, now).size;

/** Days in a row up to today; a streak up to yesterday still stands until today is over. */
export function streakOf(times: readonly number[], now: number): number {
  const counts = countsByAge(times, now);
  const first = counts.has(0) ? 0 : 1;
  let age = first;
  while (counts.has(age)) age += 1;
  return age - first;
}
