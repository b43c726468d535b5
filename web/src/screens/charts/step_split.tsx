/** Where the time of a step goes: one bar of its parts. */
import { sum } from "d3-array";
import { scaleLinear } from "d3-scale";
import { figureText, phrase } from "../../format.ts";
import { isObject, valueAt } from "../../json.ts";
import { labelOf } from "../../messages.ts";
import { usePage } from "../../state.ts";
import { kHues, Patterns, Swatch } from "../../views/memory_bar.tsx";
import { texts } from "../texts.ts";
import { Amount, ObjectView } from "../things.tsx";
import { ChartTable } from "./chart_table.tsx";

export function StepSplit({ place }: { place: string }) {
  const { state } = usePage();
  const step = valueAt(state.answer.value, place);
  if (!isObject(step)) return null;
  const isPart = (key: string) => key.endsWith("_s") && !key.startsWith("time_s");
  const parts = Object.entries(step).flatMap(([key, value]) =>
    isPart(key) && typeof value === "number" && value > 0 ? [{ key, seconds: value }] : [],
  );
  const x = scaleLinear([0, sum(parts, ({ seconds }) => seconds) || 1], [0, 100]);
  const text = (seconds: number) => phrase(figureText("part_s", seconds));
  let end = 0;
  const drawn = parts.map((part) => {
    const from = end;
    end += part.seconds;
    return { ...part, from: x(from), width: x(part.seconds) };
  });
  return (
    <figure class="chart-figure">
      <ObjectView place={place} object={step} skip={Object.keys(step).filter(isPart)} />
      {parts.length < 2 ? null : (
        <>
          <svg
            class="bar"
            width="100%"
            height="40"
            role="img"
            aria-label={drawn.map(({ key, seconds }) => `${labelOf(key)} ${text(seconds)}`).join(", ")}
          >
            <Patterns prefix="step" />
            {drawn.map(({ key, from, width }, i) => (
              <g key={key} class={`part-${i % kHues}`}>
                <rect class="fill" x={`${from}%`} y="4" width={`${width}%`} height="32" />
                <rect x={`${from}%`} y="4" width={`${width}%`} height="32" fill={`url(#step-pattern-${i % kHues})`} />
                <rect class="edge" x={`${from}%`} y="4" width={`${width}%`} height="32" fill="none" />
              </g>
            ))}
          </svg>
          <ul class="legend" aria-hidden="true">
            {drawn.map(({ key, seconds }, i) => (
              <li key={key}>
                <Swatch index={i} prefix="step" /> {labelOf(key)} {text(seconds)}
              </li>
            ))}
          </ul>
          <ChartTable
            columns={[texts.partOfStep, texts.time]}
            rows={parts.map(({ key }) => ({ key, cells: [labelOf(key), <Amount place={`${place}/${key}`} />] }))}
          />
        </>
      )}
    </figure>
  );
}
