/** The memory of one GPU as a stacked bar against its capacity, with the same numbers as a table. */
import { figureText, inMemoryUnit, type MemoryUnit, numberText, phrase, roundedMemoryParts } from "../format.ts";
import { isObject, numberAt, valueAt } from "../json.ts";
import { fill, labelOf, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { Switch } from "./chart.tsx";
import { ChartFiles } from "./chart_files.tsx";
import { Figure } from "./figure.tsx";
import { Sentence } from "./sentence.tsx";
import { type BarPart, BarParts, Swatch, stacked } from "./stacked_bar.tsx";

/** The parts in the order of the answer, placed one after the other; capacity and ticks (in `unit`) share the scale. */
export function layOut(
  parts: Record<string, number>,
  capacityGib: number,
  unit: MemoryUnit,
): { parts: BarPart[]; capacity: number; ticks: [number, number][] } {
  const { parts: drawn, x } = stacked(Object.entries(parts), capacityGib);
  const shown = x.copy().domain(x.domain().map((gib) => inMemoryUnit(gib, unit)));
  return {
    parts: drawn,
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
    drawing.parts.map((part) => part.value),
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
        <rect class="track" x="0" y="4" width={`${drawing.capacity}%`} height="32" />
        <BarParts parts={drawing.parts} prefix="memory" />
        <line class="capacity" x1={`${drawing.capacity}%`} x2={`${drawing.capacity}%`} y1="0" y2="40" />
      </svg>
      <Axis ticks={drawing.ticks} />
      <ul class="row legend" aria-hidden="true">
        {drawing.parts.map((part, i) => (
          <li key={part.key}>
            <Swatch index={i} prefix="memory" /> {labelOf(part.key)}
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
                  <Swatch index={i} prefix="memory" /> {labelOf(part.key)}
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
          {i < ticks.length - 1 ? numberText(tick) : `${numberText(tick)} ${unit}`}
        </text>
      ))}
    </svg>
  );
}

function UnitSwitch() {
  const { state } = usePage();
  return (
    <Switch
      legend={messages.memoryUnit}
      name="memory-unit"
      choices={[
        ["GB", "GB"],
        ["GiB", "GiB"],
      ]}
      chosen={state.memoryUnit.value}
      choose={(unit) => {
        state.memoryUnit.value = unit;
      }}
    />
  );
}
