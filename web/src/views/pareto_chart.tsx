/**
 * What a faster answer, or run, costs: the layouts that no other layout of the same GPU beats, one line a GPU, and the plans
 * of the answer as larger marks, with a table twin.
 */
import { useState } from "preact/hooks";
import type { Pareto as Columns, PlanAnswer } from "../contract.ts";
import { currency } from "../currency.ts";
import { figureText, numberText, phrase, roundUsdText } from "../format.ts";
import { numberAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { nameOf, shownPlan } from "../state.ts";
import { Switch } from "./chart.tsx";
import { ChartFiles } from "./chart_files.tsx";
import { type ChosenRow, FindableRow } from "./chosen_row.tsx";
import { Disclosure } from "./fold.tsx";
import { FrontDrawing, undominated } from "./front_drawing.tsx";
import { paretoTexts } from "./pareto_texts.ts";

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
/** Numbers with their unit need room. */
const kAcrossApart = 0.2;

function acrossOf(columns: Columns): Across {
  return columns.run_s === undefined
    ? {
        key: "tpot_s",
        title: messages.paretoTitle,
        note: paretoTexts.note,
        point: paretoTexts.point,
        limit: [paretoTexts.target, paretoTexts.percentile],
        column: messages.columnNextToken,
        planPlace: "estimates/0/latency/tpot_s",
        limitPlace: "/workloads/0/tpot_s_p95_max",
      }
    : {
        key: "days",
        title: paretoTexts.runTitle,
        note: paretoTexts.runNote,
        point: paretoTexts.runPoint,
        limit: [paretoTexts.deadline],
        column: paretoTexts.columnRun,
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
            legend={paretoTexts.measure}
            name="measure"
            choices={[
              ["usd_per_hour", fill(paretoTexts.byRent, { currency: currency.value.sign })],
              ["gpu_count", paretoTexts.byGpus],
            ]}
            chosen={measure}
            choose={setWanted}
          />
        ) : null}
      </figcaption>
      <p class="note">{across.note}</p>
      <Drawing points={drawn} measure={measure} across={across} showRow={(key) => setRow({ key })} />
      <Disclosure summary={paretoTexts.table} open={row !== undefined}>
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
  const limit = numberAt(state.answered.value, across.limitPlace);
  const gpuName = (gpu: string) => nameOf(state.initial.gpus, gpu);
  const time = (value: number) => phrase(figureText(across.key, value));
  const placed = <One extends Point>(all: readonly One[]) =>
    all.flatMap((point) => {
      const amount = amountOf(point, measure);
      const text = pointText(gpuName(point.gpu), point, across);
      return amount === undefined ? [] : [{ ...point, x: point.time, y: amount, text }];
    });
  const front = undominated(placed(points), "less", "less").map((point) => ({
    ...point,
    choose: () => showRow(point.key),
  }));
  const plans = placed(planPoints(state.answer.value, across)).map((point) => ({
    ...point,
    text: fill(paretoTexts.plan, { plan: point.text }),
    choose: () => controller.showPlan(point.plan),
  }));
  return (
    <FrontDrawing
      front={front}
      plans={plans}
      chosen={{ key: planKey(shownPlan(state)?.index), name: paretoTexts.chosen }}
      across={{ text: time, apart: kAcrossApart }}
      upright={measure === "gpu_count" ? { text: numberText } : { text: roundUsdText, isMoney: true }}
      limit={
        limit === undefined
          ? undefined
          : { at: limit, lines: across.limit.map((line) => fill(line, { value: time(limit) })) }
      }
      spoken={([from, to]) =>
        fill(paretoTexts.description, {
          count: front.length,
          gpus: [...new Set(points.map(({ gpu }) => gpu))].map(gpuName).join(", "),
          from: time(from),
          to: time(to),
        })
      }
      hint={paretoTexts.hint}
    />
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
  const rent = point.usd === undefined ? "" : fill(paretoTexts.rent, { rent: figureText("usd", point.usd).value });
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
