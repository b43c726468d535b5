/** A page that asks beside the address bar: its request is given, and nothing of it is kept. */
import type { PlanAnswer, PlanRequest } from "../contract.ts";
import { createController } from "../controller.ts";
import type { JsonObject } from "../json.ts";
import type { Page } from "../page.ts";
import { askEngine } from "../pages.ts";
import { type Asking, createState, type State } from "../state.ts";

const kNoAnswer: PlanAnswer = { feasible: true };

/** Once it is answered. */
export async function openBeside(initial: State["initial"], request: PlanRequest, asking?: Asking): Promise<Page> {
  const state = createState({ ...initial, preset: request, answer: kNoAnswer }, asking);
  const controller = createController(state, {
    answer: (text) => askEngine(JSON.parse(text) as JsonObject),
    readHash: () => "",
    replaceHash: () => undefined,
  });
  await controller.start();
  return { state, controller };
}
