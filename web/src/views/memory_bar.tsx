/** The memory of one GPU as a stacked bar against its capacity, with the same numbers as a table. */
import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import { stack } from "d3-shape";
import { figureText, inMemoryUnit, type MemoryUnit, numberText, phrase, roundedMemoryParts } from "../format.ts";
import { isObject, numberAt, valueAt } from "../json.ts";
import { fill, labelOf, messages } from "../messages.ts";
import { usePage } from "../state.ts";
import { ChartFiles } from "./chart_files.tsx";
import { Figure } from "./figure.tsx";
import { Sentence } from "./sentence.tsx";

interface Part {
  key: string;
  gib: number;
  /** Both in percent of the drawing's width. */
  from: number;
  width: number;
}

/** Colours, each with a pattern of its own. */
export const kHues = 8;

/** The parts in the order of the answer, placed one after the other; capacity and ticks (in `unit`) share the scale. */
export function layOut(
  parts: Record<string, number>,
  capacityGib: number,
  unit: MemoryUnit,
): { parts: Part[]; capacity: number; ticks: [number, number][] } {
  const keys = Object.keys(parts);
  const series = stack<unknown, Record<string, number>, string>().keys(keys)([parts]);
  const end = max(series, (layer) => layer[0]?.[1]) ?? 0;
  const x = scaleLinear([0, (max([end, capacityGib]) ?? 0) || 1], [0, 100]);
  const shown = x.copy().domain(x.domain().map((gib) => inMemoryUnit(gib, unit)));
  return {
    parts: series.flatMap((layer) => {
      const span = layer[0];
      return span === undefined
        ? []
        : [{ key: layer.key, gib: span[1] - span[0], from: x(span[0]), width: x(span[1]) - x(span[0]) }];
    }),
    capacity: x(capacityGib),
    ticks: shown.ticks(5).map((tick) => [tick, shown(tick)]),
  };
}

function memoryParts(answer: unknown, place: string): Record<string, number> {
  const memory = valueAt(answer, place);
  if (!isObject(memory)) return {};
  const entries = Object.entries(memory).filter(
    (entry): entry is [string, number] =>
      entry[0] !== "total_gib" &&
      entry[0] !== "capacity_gib" &&
      entry[0].endsWith("_gib") &&
      typeof entry[1] === "number",
  );
  return Object.fromEntries(entries.filter(([, gib]) => gib > 0));
}

export function MemoryBar({ place }: { place: string }) {
  const { state } = usePage();
  const answer = state.answer.value;
  const unit = state.memoryUnit.value;
  const total = numberAt(answer, `${place}/total_gib`);
  const capacity = numberAt(answer, `${place}/capacity_gib`);
  const parts = memoryParts(answer, place);
  if (total === undefined || capacity === undefined || Object.keys(parts).length === 0) return null;
  const drawing = layOut(parts, capacity, unit);
  const texts = roundedMemoryParts(
    drawing.parts.map((part) => part.gib),
    total,
    unit,
  );
  const spoken = drawing.parts.map((part, i) => `${labelOf(part.key)} ${texts[i]} ${unit}`).join(", ");
  return (
    <figure class="memory">
      <figcaption>
        <h2>
          <Sentence
            template={messages.memoryTitle}
            parts={{
              total: <Figure place={`${place}/total_gib`} />,
              capacity: <Figure place={`${place}/capacity_gib`} />,
            }}
          />
        </h2>
        <UnitSwitch />
      </figcaption>
      <svg
        class="bar"
        width="100%"
        height="44"
        role="img"
        aria-label={fill(messages.memoryDescription, {
          parts: spoken,
          capacity: phrase(figureText("capacity_gib", capacity, unit)),
        })}
      >
        <Patterns />
        <rect class="track" x="0" y="4" width={`${drawing.capacity}%`} height="32" />
        {drawing.parts.map((part, i) => (
          <g key={part.key} class={`part-${i % kHues}`}>
            <rect class="fill" x={`${part.from}%`} y="4" width={`${part.width}%`} height="32" />
            <rect
              x={`${part.from}%`}
              y="4"
              width={`${part.width}%`}
              height="32"
              fill={`url(#memory-pattern-${i % kHues})`}
            />
            <rect class="edge" x={`${part.from}%`} y="4" width={`${part.width}%`} height="32" fill="none" />
          </g>
        ))}
        <line class="capacity" x1={`${drawing.capacity}%`} x2={`${drawing.capacity}%`} y1="0" y2="40" />
      </svg>
      <Axis ticks={drawing.ticks} />
      <ul class="legend" aria-hidden="true">
        {drawing.parts.map((part, i) => (
          <li key={part.key}>
            <Swatch index={i} /> {labelOf(part.key)}
          </li>
        ))}
      </ul>
      <details>
        <summary>{messages.memoryParts}</summary>
        <table class="plain">
          <tbody>
            {drawing.parts.map((part, i) => (
              <tr key={part.key}>
                <th scope="row">
                  <Swatch index={i} /> {labelOf(part.key)}
                </th>
                <td>
                  <Figure place={`${place}/${part.key}`} text={texts[i]} />
                </td>
              </tr>
            ))}
            <tr class="sum">
              <th scope="row">{labelOf("total_gib")}</th>
              <td>
                <Figure place={`${place}/total_gib`} />
              </td>
            </tr>
          </tbody>
        </table>
      </details>
      <ChartFiles />
    </figure>
  );
}

function Axis({ ticks }: { ticks: [number, number][] }) {
  const { state } = usePage();
  const unit: MemoryUnit = state.memoryUnit.value;
  return (
    <svg class="axis" width="100%" height="16" aria-hidden="true">
      {ticks.map(([tick, at], i) => (
        <text key={tick} x={`${at}%`} y="12" text-anchor={i === 0 ? "start" : at > 97 ? "end" : "middle"}>
          {numberText(tick)} {unit}
        </text>
      ))}
    </svg>
  );
}

function UnitSwitch() {
  const { state } = usePage();
  return (
    <fieldset class="switch">
      <legend class="hidden">{messages.memoryUnit}</legend>
      {(["GB", "GiB"] as const).map((unit) => (
        <label key={unit}>
          <input
            type="radio"
            name="memory-unit"
            checked={state.memoryUnit.value === unit}
            onChange={() => {
              state.memoryUnit.value = unit;
            }}
          />
          <span>{unit}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function Swatch({ index, prefix = "memory" }: { index: number; prefix?: string }) {
  return (
    <svg class={`swatch part-${index % kHues}`} width="14" height="14" aria-hidden="true">
      <rect class="fill" width="14" height="14" />
      <rect width="14" height="14" fill={`url(#${prefix}-pattern-${index % kHues})`} />
    </svg>
  );
}

/** Marks that tell the parts apart without colour. `prefix` keeps the names of two drawings apart. */
export function Patterns({ prefix = "memory" }: { prefix?: string }) {
  const lines = [
    "",
    "M0 8 L8 0",
    "M4 0 V8",
    "M0 4 H8",
    "M0 0 L8 8 M0 8 L8 0",
    "M0 0 L8 8",
    "M4 0 V8 M0 4 H8",
    "M3 4 H5",
  ];
  return (
    <defs>
      {lines.map((d, i) => (
        <pattern key={d} id={`${prefix}-pattern-${i}`} width="8" height="8" patternUnits="userSpaceOnUse">
          <path class="mark-line" d={d} />
        </pattern>
      ))}
    </defs>
  );
}
