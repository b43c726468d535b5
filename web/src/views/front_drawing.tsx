/**
 * What a search found, in two of its measures: the marks that no other of the same GPU beats, one line, colour and shape a GPU,
 * and larger ones of plans. Both axes are logarithmic.
 */
import { extent } from "d3-array";
import { scaleLog } from "d3-scale";
import { useState } from "preact/hooks";
import { usePage } from "../page.ts";
import { nameOf } from "../state.ts";
import { AcrossTicks, moneyTicks, percentOf, SeriesLegend, seriesClass, ticksOf, UprightTicks } from "./chart.tsx";
import { ChoosableMarks, LimitLine } from "./marks.tsx";

export interface FrontMark {
  key: string;
  gpu: string;
  x: number;
  y: number;
  /** What the mark is. */
  text: string;
  beyond?: boolean;
  choose: () => void;
}

export interface FrontAxis {
  /** Of a tick. */
  text: (value: number) => string;
  name?: string;
  /** In US dollars: its ticks are round in the currency on show. */
  isMoney?: boolean;
  /** How far apart its numbers must be, as a share of the axis. */
  apart?: number;
}

type Ends = readonly [from: number, to: number];

interface FrontDrawingProps {
  /** Marks that none of the same GPU beats. */
  front: readonly FrontMark[];
  plans?: readonly FrontMark[];
  /** The key of the plan on show, and how it is called. */
  chosen?: { key: string; name: string };
  across: FrontAxis;
  upright: FrontAxis;
  /** A limit on the measure across. */
  limit?: { at: number; lines: readonly string[] } | undefined;
  /** For who does not see it. */
  spoken: (across: Ends, upright: Ends) => string;
  /** Said while no mark is pointed at. */
  hint: string;
}

/** More GPUs than this are drawn without a name of their own; the table has them all. */
const kNamed = 5;
const kHeight = 330;

/** GPUs with a colour and shape of their own: those of plans first, then those with most marks. */
function namedOf(front: readonly FrontMark[], plans: readonly FrontMark[]): string[] {
  const inPlans = new Set(plans.map(({ gpu }) => gpu));
  const counts = new Map<string, number>();
  for (const { gpu } of front) counts.set(gpu, (counts.get(gpu) ?? 0) + 1);
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([gpu]) => gpu);
  return [...new Set([...byCount.filter((gpu) => inPlans.has(gpu)), ...byCount])].slice(0, kNamed);
}

export function FrontDrawing(props: FrontDrawingProps) {
  const { front, plans = [], chosen, across, upright, limit, spoken, hint } = props;
  const { state } = usePage();
  const [said, say] = useState<string>();
  const all = [...front, ...plans];
  const places = all.map((mark) => mark.x);
  const [left = 1, right = 1] = extent(limit === undefined ? places : [...places, limit.at]);
  const [low = 1, high = 1] = extent(all, (mark) => mark.y);
  const top = upright.name === undefined ? 8 : 28;
  const bottom = kHeight - (across.name === undefined ? 26 : 46);
  const x = scaleLog([left / 1.1, right * 1.1], [14, 98]);
  const y = scaleLog([low / 1.5, high * 1.3], [bottom, top]);
  const named = namedOf(front, plans);
  // Those with names of their own are drawn above the others.
  const order = [...new Set([...front.map(({ gpu }) => gpu).filter((gpu) => !named.includes(gpu)), ...named])];
  const byGpu = order.map((gpu) => front.filter((mark) => mark.gpu === gpu).sort((a, b) => a.x - b.x));
  const drawn = (mark: FrontMark, large: boolean) => ({
    ...mark,
    large,
    x: x(mark.x),
    y: y(mark.y),
    series: named.indexOf(mark.gpu),
  });
  const ring = plans.find(({ key }) => key === chosen?.key);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset */}
      <svg class="chart" width="100%" height={kHeight} role="group" aria-label={spoken([left, right], [low, high])}>
        <AcrossTicks ticks={ticksOf(x, across.apart)} x={percentOf(x)} top={top} bottom={bottom} text={across.text} />
        <UprightTicks
          ticks={upright.isMoney ? moneyTicks(y, ticksOf) : ticksOf(y)}
          y={y}
          from="0%"
          to="100%"
          above
          text={upright.text}
        />
        {upright.name === undefined ? null : (
          <text class="axis-name" x="0" y="12">
            {upright.name}
          </text>
        )}
        {across.name === undefined ? null : (
          <text class="axis-name" x="98%" y={kHeight - 8} text-anchor="end">
            {across.name}
          </text>
        )}
        {limit === undefined ? null : <LimitLine x={x(limit.at)} top={top} bottom={bottom} lines={limit.lines} />}
        {byGpu.map((line, i) => (
          <g key={order[i]} class={seriesClass(named.indexOf(order[i] ?? ""))}>
            {line.slice(1).map((mark, at) => {
              const from = line[at] ?? mark;
              return <line key={mark.key} x1={`${x(from.x)}%`} y1={y(from.y)} x2={`${x(mark.x)}%`} y2={y(mark.y)} />;
            })}
          </g>
        ))}
        <ChoosableMarks
          marks={[...byGpu.flat().map((mark) => drawn(mark, false)), ...plans.map((mark) => drawn(mark, true))]}
          say={say}
        />
        {ring === undefined ? null : (
          <svg class="chosen" aria-hidden="true" x={`${x(ring.x)}%`} y={y(ring.y)}>
            <circle r="10" />
            <text x={-14} y="20" text-anchor="end">
              {chosen?.name}
            </text>
          </svg>
        )}
      </svg>
      <SeriesLegend names={named.map((gpu) => nameOf(state.initial.gpus, gpu))} />
      <p class="note readout">{said ?? hint}</p>
    </>
  );
}

/** Which end of a measure is better. */
type Better = "less" | "more";

interface Placed {
  gpu: string;
  x: number;
  y: number;
}

/** The marks of which no other mark of the same GPU is at least as good in both measures and better in one. */
export function undominated<One extends Placed>(all: readonly One[], across: Better, upright: Better): One[] {
  const isAtLeast = (a: number, b: number, better: Better) => (better === "less" ? a <= b : a >= b);
  const beats = (a: One, b: One) =>
    a.gpu === b.gpu && isAtLeast(a.x, b.x, across) && isAtLeast(a.y, b.y, upright) && (a.x !== b.x || a.y !== b.y);
  return all.filter((one) => !all.some((other) => beats(other, one)));
}
