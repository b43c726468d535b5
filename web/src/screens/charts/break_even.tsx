/** From which use on owning is cheaper: the engine is asked once for each use, and its answers are drawn. */

import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { useEffect, useState } from "preact/hooks";
import { figureText } from "../../format.ts";
import { type JsonObject, numberAt } from "../../json.ts";
import { fill, labelOf } from "../../messages.ts";
import { usePage } from "../../page.ts";
import { askEngine } from "../../pages.ts";
import { moneyTicks, UprightTicks } from "../../views/chart.tsx";
import { useWidth } from "../narrow.ts";
import { texts } from "../texts.ts";
import { ChartTable } from "./chart_table.tsx";
import { AcrossNames } from "./curve.tsx";

const kUses = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const kUsed = "usd_per_gpu_hour_used";
const kHeight = 280;
interface AtUse {
  use: number;
  own: number;
  rent: number;
}

/** The same question at another use, without the draws that the curve does not need. */
export function requestAt(request: JsonObject, use: number): JsonObject {
  const { uncertainty: _draws, explain: _trace, exports: _files, ...rest } = request;
  return { ...rest, utilization: use };
}

async function curve(request: JsonObject): Promise<AtUse[]> {
  const points: AtUse[] = [];
  for (const use of kUses) {
    const answer: unknown = JSON.parse(await askEngine(requestAt(request, use)));
    const own = numberAt(answer, `/on_premises/${kUsed}`);
    const rent = numberAt(answer, `/cloud/${kUsed}`);
    if (own !== undefined && rent !== undefined) points.push({ use, own, rent });
  }
  return points;
}

export function BreakEven({ point }: { point: JsonObject }) {
  const { state } = usePage();
  const request = state.answered.value;
  const [points, setPoints] = useState<AtUse[]>([]);
  const isCost = state.answer.value.kind === "cost";
  useEffect(() => {
    let isCurrent = true;
    if (isCost)
      void curve(request).then(
        (found) => {
          if (isCurrent) setPoints(found);
        },
        () => undefined,
      );
    return () => {
      isCurrent = false;
    };
  }, [request, isCost]);
  if (points.length < 2) return null;
  return <Curve points={points} crossing={numberAt(point, "/utilization")} now={numberAt(request, "/utilization")} />;
}

interface CurveProps {
  points: readonly AtUse[];
  crossing: number | undefined;
  now: number | undefined;
}

function Curve({ points, crossing, now }: CurveProps) {
  const width = useWidth();
  const all = points.flatMap(({ own, rent }) => [own, rent]);
  const [, most = 1] = extent(all);
  const x = scaleLinear([0, 1], [60, width - 32]);
  const y = scaleLinear([0, most], [kHeight - 36, 12]);
  const path = (of: "own" | "rent") =>
    line<AtUse>(
      (point) => x(point.use),
      (point) => y(point[of]),
    )([...points]) ?? "";
  const money = (usd: number) => figureText("usd", usd).value;
  const share = (use: number) => figureText("utilization", use).value;
  const meets = crossing !== undefined && crossing <= 1;
  return (
    <figure class="chart-figure">
      <figcaption>
        <h3>{meets ? fill(texts.breakEvenAt, { use: share(crossing) }) : texts.breakEvenNever}</h3>
      </figcaption>
      <p class="note">{texts.breakEvenNote}</p>
      <svg
        class="chart curve"
        viewBox={`0 0 ${width} ${kHeight}`}
        role="img"
        aria-label={fill(texts.breakEvenDescription, { from: share(points[0]?.use ?? 0), most: money(most) })}
      >
        <UprightTicks ticks={moneyTicks(y, (shown) => shown.ticks(4))} y={y} from={60} to={width - 12} text={money} />
        <AcrossNames ticks={x.ticks(5)} x={x} y={kHeight - 14} text={share} />
        {meets ? (
          <g class="target">
            <line x1={x(crossing)} x2={x(crossing)} y1="12" y2={kHeight - 36} />
          </g>
        ) : null}
        {now === undefined ? null : (
          <g class="now">
            <line x1={x(now)} x2={x(now)} y1="12" y2={kHeight - 36} />
            <text x={x(now) + 6} y={kHeight - 44}>
              {fill(texts.yourUse, { use: share(now) })}
            </text>
          </g>
        )}
        {(["own", "rent"] as const).map((way, i) => {
          const first = points[way === "own" ? 1 : points.length - 2];
          return (
            <g key={way} class={`curve-${way} part-${i}`}>
              <path d={path(way)} />
              {first === undefined ? null : (
                <text
                  x={way === "own" ? x(first.use) + 8 : x(1)}
                  y={y(first[way]) - 8}
                  text-anchor={way === "own" ? "start" : "end"}
                >
                  {way === "own" ? labelOf("on_premises") : labelOf("cloud")}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <ChartTable
        columns={[labelOf("utilization"), labelOf("on_premises"), labelOf("cloud")]}
        rows={points.map(({ use, own, rent }) => ({ key: String(use), cells: [share(use), money(own), money(rent)] }))}
      />
    </figure>
  );
}
