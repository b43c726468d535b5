/** What a faster answer costs: the layouts that no other layout of the same GPU beats, one line a GPU, with a table twin. */
import { extent } from "d3-array";
import { scaleLog } from "d3-scale";
import { useState } from "preact/hooks";
import type { Pareto as Columns } from "../contract.ts";
import { figureText, numberText, phrase } from "../format.ts";
import { numberAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { nameOf, shownPlan } from "../state.ts";
import { AcrossTicks, Mark, percentOf, SeriesLegend, Switch, seriesClass, ticksOf, UprightTicks } from "./chart.tsx";
import { ChartFiles } from "./chart_files.tsx";
import { Disclosure } from "./fold.tsx";

/** What the upright axis shows. */
type Measure = "usd_per_hour" | "gpu_count";

export interface Point {
  gpu: string;
  tpot: number;
  ttft: number;
  gpus: number;
  usd: number | undefined;
}

const kHeight = 320;
/** More GPUs than this are drawn without a name of their own; the table has them all. */
const kNamed = 6;

/** The columns as rows; rows with a number missing are left out. */
export function pointsOf(columns: Columns | undefined): Point[] {
  return (columns?.gpu ?? []).flatMap((gpu, i) => {
    const tpot = columns?.tpot_s?.[i];
    const ttft = columns?.ttft_without_wait_s?.[i];
    const gpus = columns?.gpu_count[i];
    const usd = columns?.usd_per_hour?.[i] ?? undefined;
    return tpot === undefined || ttft === undefined || gpus === undefined ? [] : [{ gpu, tpot, ttft, gpus, usd }];
  });
}

function amountOf(point: Point, measure: Measure): number | undefined {
  return measure === "gpu_count" ? point.gpus : point.usd;
}

export function ParetoChart() {
  const { state } = usePage();
  const points = pointsOf(state.answer.value.pareto);
  const priced = points.some(({ usd }) => usd !== undefined);
  const [wanted, setWanted] = useState<Measure>("usd_per_hour");
  const measure = priced ? wanted : "gpu_count";
  const drawn = points.filter((point) => amountOf(point, measure) !== undefined);
  if (state.engine.value !== "ready" && state.answer.value.pareto === undefined) return <Waiting />;
  if (drawn.length < 2) return null;
  return (
    <figure class="card pareto">
      <figcaption>
        <h2>{messages.paretoTitle}</h2>
        {priced ? (
          <Switch
            legend={messages.paretoMeasure}
            name="measure"
            choices={[
              ["usd_per_hour", messages.paretoByRent],
              ["gpu_count", messages.paretoByGpus],
            ]}
            chosen={measure}
            choose={setWanted}
          />
        ) : null}
      </figcaption>
      <p class="note">{messages.paretoNote}</p>
      <Drawing points={drawn} measure={measure} />
      <Disclosure summary={messages.paretoTable}>{() => <PointTable points={points} />}</Disclosure>
      <ChartFiles />
    </figure>
  );
}

/** The page opens without the points; their place is kept until the engine brings them. */
function Waiting() {
  return (
    <figure class="card pareto">
      <figcaption>
        <h2>{messages.paretoTitle}</h2>
      </figcaption>
      <p class="note">{messages.paretoNote}</p>
      <div class="waiting" />
    </figure>
  );
}

function Drawing({ points, measure }: { points: readonly Point[]; measure: Measure }) {
  const { state } = usePage();
  const answer = state.answer.value;
  const shown = shownPlan(state);
  const target = numberAt(state.answered.value, "/workloads/0/tpot_s_p95_max");
  const planTpot = shown && numberAt(answer, `${shown.place}/estimates/0/latency/tpot_s`);
  const planAmount =
    shown && numberAt(answer, `${shown.place}/${measure === "gpu_count" ? "gpu_count" : "cost/cloud/usd_per_hour"}`);
  const all = (extra: number | undefined, values: number[]) =>
    extent(extra === undefined ? values : [...values, extra]);
  const [fast = 1, slow = 1] = all(
    target,
    all(
      planTpot,
      points.map(({ tpot }) => tpot),
    ) as number[],
  );
  const amounts = points.flatMap((point) => amountOf(point, measure) ?? []);
  const [few = 1, many = 1] = all(planAmount, amounts);
  const x = scaleLog([fast / 1.1, slow * 1.1], [14, 98]);
  const y = scaleLog([few / 1.5, many * 1.3], [kHeight - 26, 8]);
  const gpus = [...new Set(points.map(({ gpu }) => gpu))];
  const inPlans = new Set((answer.plans ?? []).map(({ gpu }) => gpu));
  const named = gpus.length <= kNamed ? gpus : gpus.filter((gpu) => inPlans.has(gpu)).slice(0, kNamed);
  const order = [...gpus.filter((gpu) => !named.includes(gpu)), ...named];
  return (
    <>
      <svg
        class="chart"
        width="100%"
        height={kHeight}
        role="img"
        aria-label={fill(messages.paretoDescription, {
          count: points.length,
          gpus: gpus.map((gpu) => nameOf(state.initial.gpus, gpu)).join(", "),
          from: phrase(figureText("tpot_s", fast)),
          to: phrase(figureText("tpot_s", slow)),
        })}
      >
        <AcrossTicks
          ticks={ticksOf(x)}
          x={percentOf(x)}
          top={8}
          bottom={kHeight - 26}
          text={(tick) => phrase(figureText("tpot_s", tick))}
        />
        <UprightTicks
          ticks={ticksOf(y)}
          y={y}
          from="0%"
          to="100%"
          above
          text={(tick) => (measure === "gpu_count" ? numberText(tick) : `$${numberText(tick)}`)}
        />
        {target === undefined ? null : (
          <g class="target">
            <line x1={`${x(target)}%`} x2={`${x(target)}%`} y1="8" y2={kHeight - 26} />
            <text
              x={`${x(target)}%`}
              y="18"
              dx={x(target) > 50 ? -6 : 6}
              text-anchor={x(target) > 50 ? "end" : "start"}
            >
              {fill(messages.paretoTarget, { value: phrase(figureText("tpot_s", target)) })}
            </text>
          </g>
        )}
        {order.map((gpu) => {
          const line = points.filter((point) => point.gpu === gpu);
          const place = named.indexOf(gpu);
          const at = (point: Point) => [`${x(point.tpot)}%`, y(amountOf(point, measure) ?? few)] as const;
          return (
            <g key={gpu} class={seriesClass(place)}>
              {line.slice(1).map((point, i) => {
                const [x1, y1] = at(line[i] ?? point);
                const [x2, y2] = at(point);
                return <line key={`${point.tpot}`} x1={x1} y1={y1} x2={x2} y2={y2} />;
              })}
              {line.map((point) => {
                const [cx, cy] = at(point);
                return (
                  <svg key={`${point.tpot}`} x={cx} y={cy} class="mark" aria-hidden="true">
                    <Mark series={place} area={44} title={pointText(nameOf(state.initial.gpus, gpu), point)} />
                  </svg>
                );
              })}
            </g>
          );
        })}
        {planTpot === undefined || planAmount === undefined ? null : (
          <svg class="chosen" aria-hidden="true" x={`${x(planTpot)}%`} y={y(planAmount)}>
            <circle r="9" />
            <text x={-12} y="18" text-anchor="end">
              {messages.paretoChosen}
            </text>
          </svg>
        )}
      </svg>
      <SeriesLegend names={named.map((gpu) => nameOf(state.initial.gpus, gpu))} />
    </>
  );
}

function pointText(gpu: string, point: Point): string {
  const rent = point.usd === undefined ? "" : fill(messages.paretoRent, { rent: figureText("usd", point.usd).value });
  return fill(messages.paretoPoint, {
    gpus: numberText(point.gpus),
    gpu,
    tpot: phrase(figureText("tpot_s", point.tpot)),
    rent,
  });
}

function PointTable({ points }: { points: readonly Point[] }) {
  const { state } = usePage();
  return (
    <table class="plain numbers">
      <thead>
        <tr>
          <th scope="col">{messages.columnGpu}</th>
          <th scope="col">{messages.columnGpus}</th>
          <th scope="col">{messages.columnNextToken}</th>
          <th scope="col">{messages.columnFirstTokenAlone}</th>
          <th scope="col">{messages.columnRent}</th>
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <tr key={`${point.gpu}${point.tpot}`}>
            <th scope="row">{nameOf(state.initial.gpus, point.gpu)}</th>
            <td>{numberText(point.gpus)}</td>
            <td>{phrase(figureText("tpot_s", point.tpot))}</td>
            <td>{phrase(figureText("ttft_s", point.ttft))}</td>
            <td>{point.usd === undefined ? "–" : figureText("usd", point.usd).value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
