/** Amounts of a question as text: an answer in the unit that was asked for, values of the solution as everywhere on the page. */
import { fieldText, numberText, phrase, traceText } from "../../../format.ts";

/** "1" is the unit of a bare number. */
export const shownUnit = (unit: string | undefined) => (unit === undefined || unit === "1" ? "" : unit);

export const answerAmount = (value: number, unit: string | undefined) =>
  `${numberText(value)} ${shownUnit(unit)}`.trim();

/** What the learner wrote, to its last digit: how a comma was read is seen by it. */
export const typedAmount = (value: number, unit: string | undefined) => `${fieldText(value)} ${shownUnit(unit)}`.trim();

/** GiB stays GiB: a step that converts would otherwise say the same twice. */
export const stepAmount = (value: number, unit: string | undefined) =>
  phrase(traceText(value, unit, unit === "GiB" ? "GiB" : "GB"));
