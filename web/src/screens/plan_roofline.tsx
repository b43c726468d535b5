/** The steps of the plan's workload under the roofs of its GPU. The plan on the page is told without them: the engine is asked once more. */
import { useEffect, useState } from "preact/hooks";
import { isObject, type JsonObject, valueAt } from "../json.ts";
import { type Page, usePage } from "../page.ts";
import { Part } from "./answer_part.tsx";
import { Beside, openBeside } from "./page_beside.tsx";
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
  if (beside === undefined || valueAt(beside.state.answer.value, `${place}/roofline`) === undefined) return null;
  return (
    <Beside page={beside}>
      <Part place={`${place}/roofline`} level={3} />
    </Beside>
  );
}
