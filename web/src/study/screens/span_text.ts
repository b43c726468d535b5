/** Spans and days in the language of the page. */
import { language } from "../../language.ts";
import type { Span } from "../spans.ts";

/** "3 days" */
export const spanText = ({ count, unit }: Span) =>
  new Intl.NumberFormat(language.value, { style: "unit", unit, unitDisplay: "long" }).format(count);

/** "in 3 days", "3 days ago" where `count` is below 0, "tomorrow" */
export const fromNowText = (count: number, unit: Span["unit"]) =>
  new Intl.RelativeTimeFormat(language.value, { numeric: "auto" }).format(count, unit);

/** "Mon, 24 Nov" */
export const dayText = (time: number) =>
  new Intl.DateTimeFormat(language.value, { weekday: "short", day: "numeric", month: "short" }).format(time);

/** "24 November 2026" */
export const longDayText = (time: number) =>
  new Intl.DateTimeFormat(language.value, { day: "numeric", month: "long", year: "numeric" }).format(time);

/** "24 Nov 2026, 11:30" */
export const dateText = (time: number) =>
  new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(time);
