/** How far a prediction was off, in words. */
import { numberText } from "../../../format.ts";
import { fill } from "../../../messages.ts";
import { errorOf, missOf } from "../../labs.ts";
import { labTexts } from "./texts.ts";

export function errorText(predicted: number, actual: number): string {
  const { way, factor } = missOf(predicted, actual);
  if (way === "none") return labTexts.exact;
  if (factor !== undefined)
    return fill(way === "high" ? labTexts.tooHighFactor : labTexts.tooLowFactor, { factor: numberText(factor) });
  const share = Math.abs(errorOf(predicted, actual)) * 100;
  const error = `${share < 10 ? Number(share.toPrecision(2)) : Math.round(share)} %`;
  return fill(way === "high" ? labTexts.tooHigh : labTexts.tooLow, { error });
}
