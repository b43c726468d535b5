/**
 * How old a price is: by the day from which the engine counts ages of prices, never by the visitor's clock, so that the same
 * answer reads the same on every day.
 */
import { textAt } from "../json.ts";
import type { State } from "../state.ts";

const kDayMs = 86_400_000;
/** A price that is older is marked as such wherever it is shown. */
export const kOldDays = 180;

/** The day of the request, else that of the newest price of the catalog, as the engine has it. */
export function priceDay(state: State): string {
  return textAt(state.answered.value, "/economics/price_policy/as_of") ?? state.initial.price_day ?? "";
}

/** Days from the first day that a date stands for (`2025-12`); not a number where one of the two is no date. */
export function ageInDays(asOf: string, today: string): number {
  return (Date.parse(today) - Date.parse(asOf)) / kDayMs;
}
