/** How sure the plan's cost is: the spans that the draws fall into, what moves it most, and where owning or renting would win. */
import { useEffect } from "preact/hooks";
import { isObject, valueAt } from "../json.ts";
import { usePage } from "../state.ts";
import { Part } from "./things.tsx";
import "./screens.css";

const kParts = ["distribution", "tornado", "decision_flips"] as const;

export function PlanRisk({ place }: { place: string }) {
  const { state } = usePage();
  useEffect(() => {
    state.showsDraws.value = true;
    return () => {
      state.showsDraws.value = false;
    };
  }, [state]);
  const cost = valueAt(state.answer.value, `${place}/cost`);
  return (
    <>
      {kParts.map((key) =>
        isObject(cost) && cost[key] !== undefined ? <Part key={key} place={`${place}/cost/${key}`} level={3} /> : null,
      )}
    </>
  );
}
