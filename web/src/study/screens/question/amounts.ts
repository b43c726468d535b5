/** Amounts of a question as text: an answer in the unit that was asked for. */
import { fieldText, numberText } from "../../../format.ts";

/** "1" is the unit of a bare number. */
export const shownUnit = (unit: string | undefined) => (unit === undefined || unit === "1" ? "" : unit);

export const answerAmount = (value: number, unit: string | undefined) =>
  `${numberText(value)} ${shownUnit(unit)}`.trim();

/** What the learner wrote, to its last digit: how a comma was read is seen by it. */
export const typedAmount = (value: number, unit: string | undefined) => `${fieldText(value)} ${shownUnit(unit)}`.trim();
