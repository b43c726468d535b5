/**
 * What a faster answer, or run, costs: the layouts that no other layout of the same GPU beats, one line a GPU, and the plans
 * of the answer as larger marks, with a table twin.
 */
import { extent } from "d3-array";
import { scaleLog } from "d3-scale";
import { useState } from "preact/hooks";
import type { Pareto as Columns, PlanAnswer } from "../contract.ts";
import { figureText, numberText, phrase } from "../format.ts";
import { numberAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { nameOf, shownPlan } from "../state.ts";
import { AcrossTicks, percentOf, SeriesLegend, Switch, seriesClass, ticksOf, UprightTicks } from "./chart.tsx";
import { ChartFiles } from "./chart_files.tsx";
import { type ChosenRow, FindableRow } from "./chosen_row.tsx";
import { Disclosure } from "./fold.tsx";
import { type Choosable, ChoosableMarks, LimitLine, undominated } from "./marks.tsx";

/** What the upright axis shows. */
type Measure = "usd_per_hour" | "gpu_count";

export interface Point {
  key: string;
  gpu: string;
  gpus: number;
  usd: number | undefined;
  /** Per output token in seconds, or of a run in days. */
  time: number;
  /** Absent for training. */
  ttft: number | undefined;
}

/** What the axis across shows: how its numbers are written, and where a plan and the request have theirs. */
interface Across {
  key: "tpot_s" | "days";
  title: string;
  note: string;
  point: string;
  /** The name of a limit, in lines. */
  limit: string[];
  column: string;
  planPlace: string;
  limitPlace: string;
}

const kSecondsOfDay = 86_400;
const kHeight = 320;
/** Numbers with their unit need room. */
const kAcrossApart = 0.2;
/** More GPUs than this are drawn without a name of their own; the table has them all. */
const kNamed = 6;

function acrossOf(columns: Columns): Across {
  return columns.run_s === undefined
    ? {
        key: "tpot_s",
        title: messages.paretoTitle,
        note: messages.paretoNote,
        point: messages.paretoPoint,
        limit: [messages.paretoTarget, messages.paretoPercentile],
        column: messages.columnNextToken,
        planPlace: "estimates/0/latency/tpot_s",
        limitPlace: "/workloads/0/tpot_s_p95_max",
      }
    : {
        key: "days",
        title: messages.paretoRunTitle,
        note: messages.paretoRunNote,
        point: messages.paretoRunPoint,
        limit: [messages.paretoDeadline],
        column: messages.columnRun,
        planPlace: "estimates/0/run/time_days",
        limitPlace: "/workloads/0/deadline_days",
      };
}

/** The columns as rows; rows with a number missing are left out. */
export function pointsOf(columns: Columns): Point[] {
  return columns.gpu.flatMap((gpu, i) => {
    const run = columns.run_s?.[i];
    const time = run === undefined ? columns.tpot_s?.[i] : run / kSecondsOfDay;
    const gpus = columns.gpu_count?.[i];
    if (time === undefined || gpus === undefined) return [];
    const usd = columns.usd_per_hour?.[i] ?? undefined;
    return [{ key: `point ${i}`, gpu, gpus, usd, time, ttft: columns.ttft_without_wait_s?.[i] }];
  });
}

function amountOf(point: Point, measure: Measure): number | undefined {
  return measure === "gpu_count" ? point.gpus : point.usd;
}

export function ParetoFigure({ columns }: { columns: Columns }) {
  const points = pointsOf(columns);
  const across = acrossOf(columns);
  const priced = points.some(({ usd }) => usd !== undefined);
  const [wanted, setWanted] = useState<Measure>("usd_per_hour");
  const [row, setRow] = useState<ChosenRow>();
  const measure = priced ? wanted : "gpu_count";
  const drawn = points.filter((point) => amountOf(point, measure) !== undefined);
  if (drawn.length < 2) return null;
  return (
    <figure class="card pareto">
      <figcaption>
        <h2>{across.title}</h2>
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
      <p class="note">{across.note}</p>
      <Drawing points={drawn} measure={measure} across={across} showRow={(key) => setRow({ key })} />
      <Disclosure summary={messages.paretoTable} open={row !== undefined}>
        {() => <PointTable points={points} across={across} row={row} />}
      </Disclosure>
      <ChartFiles />
    </figure>
  );
}

interface DrawingProps {
  points: readonly Point[];
  measure: Measure;
  across: Across;
  showRow: (key: string) => void;
}

function Drawing({ points, measure, across, showRow }: DrawingProps) {
  const { state, controller } = usePage();
  const [said, say] = useState<string>();
  const limit = numberAt(state.answered.value, across.limitPlace);
  const plans = planPoints(state.answer.value, across);
  const shown = shownPlan(state)?.index;
  const placed = <One extends Point>(all: readonly One[]) =>
    all.flatMap((point) => {
      const amount = amountOf(point, measure);
      return amount === undefined ? [] : [{ ...point, x: point.time, y: amount }];
    });
  const front = undominated(placed(points), "less", "less");
  const large = placed(plans);
  const all = [...front, ...large];
  const times = all.map((point) => point.x);
  const [fast = 1, slow = 1] = extent(limit === undefined ? times : [...times, limit]);
  const [few = 1, many = 1] = extent(all, (point) => point.y);
  const x = scaleLog([fast / 1.1, slow * 1.1], [14, 98]);
  const y = scaleLog([few / 1.5, many * 1.3], [kHeight - 26, 8]);
  const gpus = [...new Set(points.map(({ gpu }) => gpu))];
  const inPlans = new Set(plans.map(({ gpu }) => gpu));
  const named = gpus.length <= kNamed ? gpus : gpus.filter((gpu) => inPlans.has(gpu)).slice(0, kNamed);
  const order = [...gpus.filter((gpu) => !named.includes(gpu)), ...named];
  const time = (value: number) => phrase(figureText(across.key, value));
  const textOf = (point: Point) => pointText(nameOf(state.initial.gpus, point.gpu), point, across);
  const markOf = (point: (typeof front)[number]): Choosable => ({
    key: point.key,
    x: x(point.x),
    y: y(point.y),
    series: named.indexOf(point.gpu),
    text: textOf(point),
    choose: () => showRow(point.key),
  });
  const chosen = large.find(({ key }) => key === planKey(shown));
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset */}
      <svg
        class="chart"
        width="100%"
        height={kHeight}
        role="group"
        aria-label={fill(messages.paretoDescription, {
          count: front.length,
          gpus: gpus.map((gpu) => nameOf(state.initial.gpus, gpu)).join(", "),
          from: time(fast),
          to: time(slow),
        })}
      >
        <AcrossTicks ticks={ticksOf(x, kAcrossApart)} x={percentOf(x)} top={8} bottom={kHeight - 26} text={time} />
        <UprightTicks
          ticks={ticksOf(y)}
          y={y}
          from="0%"
          to="100%"
          above
          text={(tick) => (measure === "gpu_count" ? numberText(tick) : `$${numberText(tick)}`)}
        />
        {limit === undefined ? null : (
          <LimitLine
            x={x(limit)}
            top={8}
            bottom={kHeight - 26}
            lines={across.limit.map((line) => fill(line, { value: time(limit) }))}
          />
        )}
        {order.map((gpu) => {
          const line = front.filter((point) => point.gpu === gpu);
          return (
            <g key={gpu} class={seriesClass(named.indexOf(gpu))}>
              {line.slice(1).map((point, i) => {
                const from = line[i] ?? point;
                return (
                  <line key={point.key} x1={`${x(from.x)}%`} y1={y(from.y)} x2={`${x(point.x)}%`} y2={y(point.y)} />
                );
              })}
            </g>
          );
        })}
        <ChoosableMarks
          marks={[
            ...order.flatMap((gpu) => front.filter((point) => point.gpu === gpu)).map(markOf),
            ...large.map((point) => ({
              ...markOf(point),
              large: true,
              text: fill(messages.paretoPlan, { plan: textOf(point) }),
              choose: () => controller.showPlan(point.plan),
            })),
          ]}
          say={say}
        />
        {chosen === undefined ? null : (
          <svg class="chosen" aria-hidden="true" x={`${x(chosen.x)}%`} y={y(chosen.y)}>
            <circle r="10" />
            <text x={-14} y="20" text-anchor="end">
              {messages.paretoChosen}
            </text>
          </svg>
        )}
      </svg>
      <SeriesLegend names={named.map((gpu) => nameOf(state.initial.gpus, gpu))} />
      <p class="note readout">{said ?? messages.paretoHint}</p>
    </>
  );
}

function planKey(index: number | undefined): string {
  return `plan ${index}`;
}

/** The plans of the answer with their own numbers: a plan asks more of its layout than the peak alone. */
function planPoints(answer: PlanAnswer, across: Across): (Point & { plan: number })[] {
  return (answer.plans ?? []).flatMap(({ gpu, gpu_count: gpus }, i) => {
    const time = numberAt(answer, `/plans/${i}/${across.planPlace}`);
    if (gpu === undefined || gpus === undefined || time === undefined) return [];
    const usd = numberAt(answer, `/plans/${i}/cost/cloud/usd_per_hour`);
    return [{ key: planKey(i), plan: i, gpu, gpus, usd, time, ttft: undefined }];
  });
}

function pointText(gpu: string, point: Point, across: Across): string {
  const rent = point.usd === undefined ? "" : fill(messages.paretoRent, { rent: figureText("usd", point.usd).value });
  return fill(across.point, {
    gpus: numberText(point.gpus),
    gpu,
    time: phrase(figureText(across.key, point.time)),
    rent,
  });
}

interface PointTableProps {
  points: readonly Point[];
  across: Across;
  row: ChosenRow | undefined;
}

function PointTable({ points, across, row }: PointTableProps) {
  const { state } = usePage();
  const hasFirst = points.some(({ ttft }) => ttft !== undefined);
  return (
    <table class="plain numbers">
      <thead>
        <tr>
          <th scope="col">{messages.columnGpu}</th>
          <th scope="col">{messages.columnGpus}</th>
          <th scope="col">{across.column}</th>
          {hasFirst ? <th scope="col">{messages.columnFirstTokenAlone}</th> : null}
          <th scope="col">{messages.columnRent}</th>
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <FindableRow key={point.key} rowKey={point.key} chosen={row}>
            <th scope="row">{nameOf(state.initial.gpus, point.gpu)}</th>
            <td>{numberText(point.gpus)}</td>
            <td>{phrase(figureText(across.key, point.time))}</td>
            {hasFirst ? <td>{point.ttft === undefined ? "–" : phrase(figureText("ttft_s", point.ttft))}</td> : null}
            <td>{point.usd === undefined ? "–" : figureText("usd", point.usd).value}</td>
          </FindableRow>
        ))}
      </tbody>
    </table>
  );
}
