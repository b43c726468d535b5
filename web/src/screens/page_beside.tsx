/** A page that asks beside the address bar: its request is given, and nothing of it is kept. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { PlanAnswer, PlanRequest } from "../contract.ts";
import { createController } from "../controller.ts";
import type { JsonObject } from "../json.ts";
import { type Page, PageContext, usePage } from "../page.ts";
import { askEngine } from "../pages.ts";
import { type Asking, createState, type State } from "../state.ts";
import { LazyExplanation } from "../views/lazy.tsx";

const kNoAnswer: PlanAnswer = { feasible: true };

/** Once it is answered, by the page's engine unless another one is given. */
export async function openBeside(
  initial: State["initial"],
  request: PlanRequest,
  asking?: Asking,
  answer = (text: string) => askEngine(JSON.parse(text) as JsonObject),
): Promise<Page> {
  const state = createState({ ...initial, preset: request, answer: kNoAnswer }, asking);
  const controller = createController(state, {
    answer,
    readHash: () => "",
    replaceHash: () => undefined,
  });
  await controller.start();
  return { state, controller };
}

/** Shows something of a page beside the one around it, with its own explanations: one is open at a time. */
export function Beside({ page: beside, children }: { page: Page; children: ComponentChildren }) {
  const around = usePage();
  const isInner = beside.state.explaining.value !== undefined;
  const isOuter = around.state.explaining.value !== undefined;
  useEffect(() => {
    if (isInner) around.controller.closeExplanation();
  }, [isInner]);
  useEffect(() => {
    if (isOuter) beside.controller.closeExplanation();
  }, [isOuter]);
  return (
    <PageContext.Provider value={beside}>
      <LazyExplanation />
      {children}
    </PageContext.Provider>
  );
}
