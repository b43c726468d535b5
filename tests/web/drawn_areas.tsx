/** Every area of a plan drawn as text with all folds open, and the screens that its parts are tried on by hand. */
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import type { InitialData, PlanAnswer } from "../../web/src/contract.ts";
import { kIdleController } from "../../web/src/controller.ts";
import type { JsonObject } from "../../web/src/json.ts";
import { PageContext } from "../../web/src/page.ts";
import { kAreas, type PageName, route } from "../../web/src/route.ts";
import { AnswerParts } from "../../web/src/screens/ask_screen.tsx";
import { Headline } from "../../web/src/screens/headline.tsx";
import { PlanViewBody } from "../../web/src/screens/plan_views.tsx";
import { Report } from "../../web/src/screens/report.tsx";
import { WhatIf } from "../../web/src/screens/what_if.tsx";
import { createState, type State } from "../../web/src/state.ts";
import { Answer } from "../../web/src/views/answer.tsx";
import { Reasons } from "../../web/src/views/details.tsx";
import { ParetoFigure } from "../../web/src/views/pareto_chart.tsx";
import { Plans } from "../../web/src/views/plans.tsx";

export type Lists = Pick<InitialData, "models" | "gpus">;

export function stateOf(lists: Lists, request: JsonObject, answer: PlanAnswer, screen: PageName = "plan"): State {
  const explain = screen === "plan" ? "in options" : "at the top";
  const state = createState({ ...lists, preset: request, answer, verbs: {} }, { screen, explain });
  state.engine.value = "ready";
  return state;
}

function drawn(state: State, children: ComponentChildren): string {
  const page = { state, controller: kIdleController };
  return renderToString(<PageContext.Provider value={page}>{children}</PageContext.Provider>);
}

function first({ answer }: State): ComponentChildren {
  const { pareto } = answer.value;
  return (
    <>
      <Answer />
      <Plans />
      {pareto === undefined ? null : <ParetoFigure columns={pareto} />}
      <WhatIf />
      <Reasons />
    </>
  );
}

function reportOf(state: State): string {
  route.value = { screen: "report", rest: [] };
  return renderToString(<Report plan={{ state, controller: kIdleController }} />);
}

export type Area = (typeof kAreas)["plan"][number] | "report";
const kAll: readonly Area[] = [...kAreas.plan, "report"];

/** Views of the plan and its report, by name. */
export function areasOf(state: State, areas = kAll): Partial<Record<Area, string>> {
  const draw = (area: Area) => {
    if (area === "report") return reportOf(state);
    return drawn(state, area === "plan" ? first(state) : <PlanViewBody view={area} />);
  };
  return Object.fromEntries(areas.map((area) => [area, draw(area)]));
}

/** A screen by hand with its answer. */
export function byHandOf(state: State): string {
  return drawn(
    state,
    <>
      <Headline />
      <AnswerParts />
    </>,
  );
}
