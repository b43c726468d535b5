/** What drawings share: ticks of their axes, shapes of their series, their legend, and ways to draw. */
import type { ScaleLogarithmic } from "d3-scale";
import { symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTriangle, symbolWye } from "d3-shape";
import type { ComponentChildren } from "preact";
import { currency } from "../currency.ts";

/** A place along an axis, in units of the drawing or in percent of its width. */
export type Place = (value: number) => number | string;

/** A scale whose range is in percent of the drawing's width, as places. */
export const percentOf =
  (scale: (value: number) => number): Place =>
  (value) =>
    `${scale(value)}%`;

/**
 * Ticks of a logarithmic axis at 1, 2 and 5 of every decade, at the decades where those are many, at round numbers where few.
 * Two of them are at least a share of the axis apart, so that their numbers do not touch.
 */
export function ticksOf(scale: ScaleLogarithmic<number, number>, apart = 0.12): number[] {
  const lead = (tick: number) => (tick / 10 ** Math.floor(Math.log10(tick) + 1e-9)).toFixed(3);
  const some = scale.ticks(20).filter((tick) => ["1.000", "2.000", "5.000"].includes(lead(tick)));
  const all = some.length > 7 ? some.filter((tick) => lead(tick) === "1.000") : some.length < 3 ? scale.ticks(5) : some;
  const [from = 0, to = 1] = scale.range();
  const kept: number[] = [];
  for (const tick of all) {
    const last = kept.at(-1);
    if (last === undefined || Math.abs(scale(tick) - scale(last)) >= apart * Math.abs(to - from)) kept.push(tick);
  }
  return kept;
}

interface Scale {
  copy(): this;
  domain(): number[];
  domain(ends: readonly number[]): this;
}

/** Ticks of an axis of US dollars that are round in the currency on show. */
export function moneyTicks<One extends Scale>(scale: One, ticks: (shown: One) => number[]): number[] {
  const { per_usd } = currency.value;
  const shown = scale.copy().domain(scale.domain().map((usd) => usd * per_usd));
  return ticks(shown).map((tick) => tick / per_usd);
}

export interface TicksProps {
  ticks: readonly number[];
  text: (tick: number) => ComponentChildren;
}

/** Lines across the drawing, each with its number at the left edge: below the line's height, or above the line. */
export function UprightTicks(
  props: TicksProps & { y: Place; from: number | string; to: number | string; above?: boolean },
) {
  const { ticks, text, y, from, to, above = false } = props;
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick} class="tick">
          <line x1={from} x2={to} y1={y(tick)} y2={y(tick)} />
          <text x="0" y={y(tick)} dy={above ? -4 : 4}>
            {text(tick)}
          </text>
        </g>
      ))}
    </>
  );
}

/** Upright lines, each with its number below. */
export function AcrossTicks({ ticks, text, x, top, bottom }: TicksProps & { x: Place; top: number; bottom: number }) {
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick} class="tick">
          <line x1={x(tick)} x2={x(tick)} y1={top} y2={bottom} />
          <text x={x(tick)} y={bottom} dy="16" text-anchor="middle">
            {text(tick)}
          </text>
        </g>
      ))}
    </>
  );
}

const kSymbols = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolWye];
/** Series that differ in colour and shape; more begin again. */
const kSeries = kSymbols.length;

/** The class of what is drawn of a series; below 0 it has no name of its own. */
export function seriesClass(series: number): string {
  return series < 0 ? "series other" : `series part-${series % kSeries}`;
}

interface MarkProps {
  /** Which of the series. */
  series: number;
  /** Of the mark, in square units. */
  area: number;
  /** Shown while the pointer rests on the mark. */
  title?: string;
}

/** A mark around the origin, in the shape of its series. */
export function Mark({ series, area, title }: MarkProps) {
  return (
    <path class="fill" d={symbol(kSymbols[Math.max(series, 0) % kSeries], area)() ?? ""}>
      {title === undefined ? null : <title>{title}</title>}
    </path>
  );
}

/** Names of series stand below the drawing, where no line crosses them. */
export function SeriesLegend({ names }: { names: readonly string[] }) {
  return (
    <ul class="row legend" aria-hidden="true">
      {names.map((name, i) => (
        <li key={name} class={`part-${i % kSeries}`}>
          <svg class="mark" width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">
            <Mark series={i} area={60} />
          </svg>{" "}
          {name}
        </li>
      ))}
    </ul>
  );
}

interface SwitchProps<Choice extends string> {
  legend: string;
  /** Keeps the switches of a page apart. */
  name: string;
  choices: readonly (readonly [Choice, string])[];
  chosen: Choice;
  choose: (choice: Choice) => void;
}

/** One of a few ways to draw. */
export function Switch<Choice extends string>({ legend, name, choices, chosen, choose }: SwitchProps<Choice>) {
  return (
    <fieldset class="switch">
      <legend class="hidden">{legend}</legend>
      {choices.map(([choice, label]) => (
        <label key={choice}>
          <input type="radio" name={name} checked={choice === chosen} onChange={() => choose(choice)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
