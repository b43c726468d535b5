/** The steps of the plan's workload under the roofs of its GPU. The plan on the page is told without them: the engine is asked once more. */
import { useEffect, useState } from "preact/hooks";
import { isObject, type JsonObject, valueAt } from "../json.ts";
import { type Page, PageContext, usePage } from "../page.ts";
import { LazyExplanation } from "../views/lazy.tsx";
import { Part } from "./answer_part.tsx";
import { openBeside } from "./page_beside.ts";
import "./screens.css";

/** The same question with the roofs, and without the draws that they do not need. */
export function withRoofline(request: JsonObject): JsonObject {
  const options = isObject(request.options) ? request.options : {};
  return { ...request, options: { ...options, draws: 0, roofline: true } };
}

/** `place` is that of the workload's estimate. */
export function PlanRoofline({ place }: { place: string }) {
  const page = usePage();
  const request = page.state.answered.value;
  const [beside, setBeside] = useState<Page>();
  useEffect(() => {
    let isCurrent = true;
    openBeside(page.state.initial, withRoofline(request), { screen: "plan", explain: "in options" }).then(
      (opened) => {
        if (isCurrent) setBeside(opened);
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [request]);
  const isInner = beside?.state.explaining.value !== undefined;
  const isOuter = page.state.explaining.value !== undefined;
  // One explanation at a time.
  useEffect(() => {
    if (isInner) page.controller.closeExplanation();
  }, [isInner]);
  useEffect(() => {
    if (isOuter) beside?.controller.closeExplanation();
  }, [isOuter]);
  if (beside === undefined || valueAt(beside.state.answer.value, `${place}/roofline`) === undefined) return null;
  return (
    <PageContext.Provider value={beside}>
      <LazyExplanation />
      <Part place={`${place}/roofline`} level={3} />
    </PageContext.Provider>
  );
}
