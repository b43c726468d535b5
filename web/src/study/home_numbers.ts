/** Numbers of the study home, as its views show them. */
import { chanceRight, type Estimate } from "./ability.ts";

/** The 95 % point of the standard normal distribution: two-sided 90 %. */
const kZ = 1.6448536269514722;

/** Shares are shown in whole percents. */
export const wholePercent = (share: number) => Math.round(share * 100) / 100;

/** The chance to be right at a question of medium difficulty, with its 90 % interval; undefined without an answer. */
export function abilityRange(ability: Estimate | undefined) {
  if (ability === undefined) return undefined;
  const { mean, deviation } = ability;
  const at = (z: number) => wholePercent(chanceRight(mean + z * deviation, 0));
  return { middle: at(0), low: at(-kZ), high: at(kZ) };
}
