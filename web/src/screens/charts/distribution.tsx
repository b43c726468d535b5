/** What the draws say: for each result the middle value and the span that nine of ten draws fall into. */
import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { figureText, phrase } from "../../format.ts";
import { isObject, valueAt } from "../../json.ts";
import { fill, labelOf } from "../../messages.ts";
import { usePage } from "../../page.ts";
import { texts } from "../texts.ts";
import { Amount } from "../value.tsx";
import { ChartTable } from "./chart_table.tsx";
import { Fan } from "./fan.tsx";

const kQuantiles = ["p5", "p50", "p95"] as const;
const kSpan = 44;

export function Distribution({ place }: { place: string }) {
  return (
    <>
      <Spans place={place} />
      <Fan place={`${place}/paid_by_year`} />
    </>
  );
}

export function Spans({ place }: { place: string }) {
  const { state } = usePage();
  const all = valueAt(state.answer.value, place);
  if (!isObject(all)) return null;
  const rows = Object.entries(all).flatMap(([key, value]) => {
    if (!isObject(value)) return [];
    const [low, middle, high] = kQuantiles.map((name) => value[name]);
    if (typeof low !== "number" || typeof middle !== "number" || typeof high !== "number") return [];
    return [{ key, label: labelOf(key), low, middle, high, at: `${place}/${key}` }];
  });
  const crossesZero = rows.some(({ low }) => low < 0);
  const scalars = Object.keys(all).filter((key) => typeof all[key] === "number" && key !== "draws");
  return (
    <figure class="chart-figure">
      <p class="note">
        {fill(texts.distributionNote, { draws: figureText("draws", Number(all.draws ?? 0)).value })}
        {crossesZero ? ` ${texts.distributionZero}` : null}
      </p>
      {scalars.map((key) => (
        <p key={key}>
          {labelOf(key)}: <Amount place={`${place}/${key}`} />
        </p>
      ))}
      {rows.map(({ key, ...row }) => (
        <Span
          key={key}
          {...row}
          unitKey={key}
          alike={rows.filter((other) => unitWords(other.key) === unitWords(key))}
        />
      ))}
      <ChartTable
        columns={[texts.result, "p5", "p50", "p95"]}
        rows={rows.map(({ key, label, at }) => ({
          key,
          cells: [label, ...kQuantiles.map((name) => <DrawnNumber key={name} place={`${at}/${name}`} unitKey={key} />)],
        }))}
      />
    </figure>
  );
}

/** The unit that a key ends in: only results of one unit share a scale. */
function unitWords(key: string): string {
  return key.replace(/^.*?_usd/, "usd");
}

/** A quantile is called `p5`; its unit stands in the name of the result. */
function DrawnNumber({ place, unitKey }: { place: string; unitKey: string }) {
  const { state } = usePage();
  const value = valueAt(state.answer.value, place);
  return typeof value === "number" ? <span>{phrase(figureText(unitKey, value))}</span> : null;
}

interface SpanProps {
  label: string;
  low: number;
  middle: number;
  high: number;
  unitKey: string;
  alike: readonly { low: number; high: number }[];
}

function Span({ label, low, middle, high, unitKey, alike }: SpanProps) {
  const [from = 0, to = 1] = extent([0, ...alike.flatMap((other) => [other.low, other.high])]);
  const x = scaleLinear([from, to], [2, 98]);
  const text = (value: number) => phrase(figureText(unitKey, value));
  const bare = (value: number) => figureText(unitKey, value).value;
  const words = `${label}: ${text(low)} – ${text(middle)} – ${text(high)}`;
  return (
    <div class="span-row">
      <p>
        {label} <b>{text(middle)}</b> <span class="note">{`${bare(low)} – ${bare(high)}`}</span>
      </p>
      <svg class="chart" width="100%" height={kSpan / 2} role="img" aria-label={words}>
        <line class="span-track" x1="2%" x2="98%" y1="11" y2="11" />
        {from < 0 ? <line class="zero-line" x1={`${x(0)}%`} x2={`${x(0)}%`} y1="0" y2="22" /> : null}
        <rect class="fill" x={`${x(low)}%`} width={`${x(high) - x(low)}%`} y="5" height="12" rx="3" />
        <line class="middle-line" x1={`${x(middle)}%`} x2={`${x(middle)}%`} y1="2" y2="20" />
      </svg>
    </div>
  );
}
