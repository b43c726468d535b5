/** What a faster answer, or run, costs. The chart and its code come with the first answer of the engine, which brings its points. */
import { useEffect } from "preact/hooks";
import { messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { Failed, lazy } from "./lazy.tsx";

const chart = lazy(async () => (await import("./pareto_chart.tsx")).ParetoFigure);

export function ParetoChart() {
  const { state } = usePage();
  const columns = state.answer.value.pareto;
  const isComing = columns !== undefined;
  useEffect(() => {
    if (isComing) chart.load();
  }, [isComing]);
  if (columns === undefined) return state.engine.value === "ready" ? null : <Waiting />;
  if (chart.failed.value) return <Failed again={chart.load} />;
  const Loaded = chart.view.value;
  return Loaded === undefined ? <Waiting /> : <Loaded columns={columns} />;
}

/** The page opens without the points; their place is kept until the engine brings them. */
function Waiting() {
  return (
    <figure class="card pareto">
      <figcaption>
        <h2>{messages.paretoTitle}</h2>
      </figcaption>
      <div class="waiting" />
    </figure>
  );
}
