/** How sure the plan's cost is: the spans that the draws fall into, what moves it most, where owning or renting would win, and what is paid by each year. */
import { useEffect } from "preact/hooks";
import { isObject, valueAt } from "../json.ts";
import { usePage } from "../page.ts";
import { Part } from "./answer_part.tsx";
import { Spans } from "./charts/distribution.tsx";
import { Fan } from "./charts/fan.tsx";
import "./screens.css";

const kParts = ["tornado", "decision_flips"] as const;

/** While a part is open that is made of draws, a plan is asked for with them at once. */
function useDraws(): void {
  const { state } = usePage();
  useEffect(() => {
    state.showsDraws.value = true;
    return () => {
      state.showsDraws.value = false;
    };
  }, [state]);
}

export function PlanRisk({ place }: { place: string }) {
  const { state } = usePage();
  useDraws();
  const cost = valueAt(state.answer.value, `${place}/cost`);
  return (
    <>
      <Spans place={`${place}/cost/distribution`} />
      {kParts.map((key) =>
        isObject(cost) && cost[key] !== undefined ? <Part key={key} place={`${place}/cost/${key}`} level={3} /> : null,
      )}
    </>
  );
}

/** What owning and renting have cost by the end of each year. */
export function PlanFan({ place }: { place: string }) {
  useDraws();
  return <Fan place={`${place}/cost/distribution/paid_by_year`} />;
}
