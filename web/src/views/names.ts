/** Names of what the answer calls by an id. */
import type { Plan, ShownNumber } from "../contract.ts";
import { figureText, keyOf, phrase } from "../format.ts";
import { numberAt } from "../json.ts";
import { messages } from "../messages.ts";
import { isOneRun } from "../one_run.ts";
import { nameOf, type State } from "../state.ts";

export function planName(state: State, plan: Plan | undefined): string {
  return plan?.gpu_name ?? nameOf(state.initial.gpus, plan?.gpu);
}

/** A number of a plan in words; a target may be one of the request. */
export function shownText({ answer, answered, memoryUnit }: State, plan: string, number: ShownNumber): string {
  const value = numberAt(answer.value, plan + number.place) ?? numberAt(answered.value, number.place);
  return value === undefined ? "" : phrase(figureText(keyOf(number.place), value, memoryUnit.value));
}

/** What the cost of plans is called. */
export function costTitle(plans: readonly Plan[] | undefined): string {
  return plans?.every(isOneRun) ? messages.costOfRun : messages.headlines.cost_per_year;
}

/** How a plan is paid, in the words of the engine: "own the base and rent the rest". */
export function wayText(way: string | undefined): string {
  return way === undefined ? "" : ((messages.ways as Record<string, string>)[way] ?? way);
}

/** Words that are written otherwise among people than in a request; the screens beside the plan bring them. */
export const wordNames: Record<string, string> = {};

/** A word that stands for a thing people know by another writing: `tensorrt-llm`, `fp8`, `infiniband`. */
export function choiceName(word: string): string {
  const known = wordNames[word];
  if (known !== undefined) return known;
  if (/^(?:(?:bf|tf|fp|mxfp|nvfp|int)\d+|i?q\d)/.test(word)) return word.toUpperCase();
  return word;
}
