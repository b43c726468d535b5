/**
 * How old a price is: by the day from which the engine counts ages of prices, never by the visitor's clock, so that the same
 * answer reads the same on every day.
 */
import { textAt } from "../json.ts";
import type { State } from "../state.ts";

const kDayMs = 86_400_000;
/** A price that is older is marked as such wherever it is shown. */
export const kOldDays = 180;

export function isOld(days: unknown): boolean {
  return typeof days === "number" && days > kOldDays;
}

/** The day of the request, else that of the newest price of the catalog, as the engine has it. */
export function priceDay(state: State): string | undefined {
  return textAt(state.answered.value, "/economics/price_policy/as_of") ?? state.initial.price_day;
}

/** Days from the first day that a date stands for (`2025-12`); undefined where one of the two is no date. */
export function ageInDays(asOf: string | undefined, today: string | undefined): number | undefined {
  const [from, to] = [asOf, today].map((day) =>
    /^\d{4}(-\d\d){0,2}$/.test(day ?? "") ? Date.parse(day ?? "") : Number.NaN,
  );
  const days = ((to ?? Number.NaN) - (from ?? Number.NaN)) / kDayMs;
  return Number.isFinite(days) ? days : undefined;
}
