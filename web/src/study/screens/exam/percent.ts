/** Shares of answers as whole per cents: no exam of fifty questions says more. */
import { fill } from "../../../messages.ts";
import { resultTexts } from "./result_texts.ts";

export const shareText = (share: number) => `${Math.round(share * 100)} %`;

/** A chance; what is neither certain nor impossible is not called so. */
export function chanceText(chance: number): string {
  if (chance > 0 && chance < 0.01) return fill(resultTexts.below, { share: shareText(0.01) });
  if (chance < 1 && chance > 0.99) return fill(resultTexts.above, { share: shareText(0.99) });
  return shareText(chance);
}
