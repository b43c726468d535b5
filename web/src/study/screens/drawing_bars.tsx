/** Stacked bars from 0 on one scale, each with its parts and amounts below it. */

import { Patterns } from "../../views/stacked_bar.tsx";
import { amountText, type BarsDrawing, sumOf } from "../drawing.ts";
import { type BarSpan, barSpans } from "../drawing_layout.ts";

const hueOf = ({ tone, kind }: BarSpan) => (tone === "plain" ? `part-${kind}` : `tone-${tone}`);

export function BarsView({ drawing, id }: { drawing: BarsDrawing; id: string }) {
  return (
    <>
      <svg width="0" height="0" class="drawing-defs" aria-hidden="true">
        <Patterns prefix={id} />
      </svg>
      <ul class="stack drawing-bars">
        {barSpans(drawing).map((bar, i) => (
          <li key={bar.text}>
            <p class="drawing-bar-name">
              <b>{bar.text}</b>{" "}
              {bar.parts.length === 1 ? null : amountText(sumOf(drawing.bars[i]?.parts ?? []), drawing.unit)}
            </p>
            <Bar {...bar} unit={drawing.unit} id={id} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Bar({ text, parts, unit, id }: { text: string; parts: readonly BarSpan[]; unit: string; id: string }) {
  const spoken = parts.map((part) => `${part.text} ${amountText(part.value, unit)}`).join(", ");
  return (
    <>
      <svg class="bar" width="100%" height="28" role="img" aria-label={`${text}: ${spoken}`}>
        {parts.map((part) => {
          const box = { x: `${part.from}%`, y: "1", width: `${part.width}%`, height: "26" };
          return (
            <g key={part.text} class={hueOf(part)}>
              <rect class="fill" {...box} />
              <rect {...box} fill={`url(#${id}-pattern-${part.kind})`} />
              <rect class="edge" {...box} fill="none" />
            </g>
          );
        })}
      </svg>
      <ul class="row legend drawing-amounts" aria-hidden="true">
        {parts.map((part) => (
          <li key={part.text} class={hueOf(part)}>
            <svg class="swatch" width="14" height="14" aria-hidden="true">
              <rect class="fill" width="14" height="14" />
              <rect width="14" height="14" fill={`url(#${id}-pattern-${part.kind})`} />
            </svg>{" "}
            {part.text} {amountText(part.value, unit)}
          </li>
        ))}
      </ul>
    </>
  );
}
