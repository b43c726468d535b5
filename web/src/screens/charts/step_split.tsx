/** Where the time of a step goes: one bar of its parts. */
import type { ComponentChildren } from "preact";
import { figureText, phrase } from "../../format.ts";
import type { JsonObject } from "../../json.ts";
import { labelOf } from "../../messages.ts";
import { BarParts, Swatch, stacked } from "../../views/stacked_bar.tsx";
import { texts } from "../texts.ts";
import { Amount } from "../value.tsx";
import { ChartTable } from "./chart_table.tsx";

export function isPartOfStep(key: string): boolean {
  return key.endsWith("_s") && !key.startsWith("time_s");
}

interface StepProps {
  place: string;
  step: JsonObject;
  /** What is not a part of the time, above the bar. */
  children: ComponentChildren;
}

export function StepSplit({ place, step, children }: StepProps) {
  const seconds = Object.entries(step).flatMap(([key, value]) =>
    isPartOfStep(key) && typeof value === "number" && value > 0 ? [[key, value] as const] : [],
  );
  const { parts } = stacked(seconds);
  const text = (seconds: number) => phrase(figureText("part_s", seconds));
  return (
    <figure class="chart-figure">
      {children}
      {parts.length < 2 ? null : (
        <>
          <svg
            class="bar"
            width="100%"
            height="40"
            role="img"
            aria-label={parts.map(({ key, value }) => `${labelOf(key)} ${text(value)}`).join(", ")}
          >
            <BarParts parts={parts} prefix="step" />
          </svg>
          <ul class="row legend" aria-hidden="true">
            {parts.map(({ key, value }, i) => (
              <li key={key}>
                <Swatch index={i} prefix="step" /> {labelOf(key)} {text(value)}
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
