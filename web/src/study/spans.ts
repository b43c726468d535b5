/** Spans of time as a count and a unit, coarse enough to be read at a glance. */
import { kDayMs } from "./scheduler.ts";

export interface Span {
  count: number;
  unit: "minute" | "hour" | "day" | "month" | "year";
}

const kHourMs = 3_600_000;

/** Never 0: the shortest is a minute. */
export function spanOf(ms: number): Span {
  if (ms < kHourMs) return { count: Math.max(1, Math.round(ms / 60_000)), unit: "minute" };
  if (ms < kDayMs) return { count: Math.max(1, Math.round(ms / kHourMs)), unit: "hour" };
  const days = Math.max(1, Math.round(ms / kDayMs));
  if (days < 61) return { count: days, unit: "day" };
  return days < 700
    ? { count: Math.round(days / 30.44), unit: "month" }
    : { count: Math.round(days / 365.25), unit: "year" };
}

/** Whole days from one time to another, by the calendar of the place. */
export function calendarDays(from: number, to: number): number {
  const midnight = (time: number) => {
    const date = new Date(time);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  };
  return Math.round((midnight(to) - midnight(from)) / kDayMs);
}

/** Days of study up to an exam, today among them; its own day is for the exam, and counts only where it is today. */
export const daysUntilExam = (now: number, examAt: number) => Math.max(1, calendarDays(now, examAt));

/** "2026-12-01" of a time, as a date field has it. */
export function dateText(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Nine in the morning of a date field's day; undefined where it has none. */
export function timeOfDate(text: string): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(day), 9).getTime();
}

/** The time so many days after another. */
export const timeOfDay = (from: number, days: number) => from + days * kDayMs;
