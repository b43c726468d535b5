/** Names of what the answer calls by an id. */
import type { Plan } from "../contract.ts";
import { nameOf, type State } from "../state.ts";

export function planName(state: State, plan: Plan | undefined): string {
  return plan?.gpu_name ?? nameOf(state.initial.gpus, plan?.gpu);
}
