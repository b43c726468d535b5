/** Parts of a whole as one bar, one after the other, each with a colour and a pattern of its own. */
import { scaleLinear } from "d3-scale";

const kHues = 8;

export interface BarPart {
  key: string;
  value: number;
  /** Both in percent of the drawing's width. */
  from: number;
  width: number;
}

/** The parts in their order; the scale is in percent of the drawing's width and reaches at least to `least`. */
export function stacked(parts: readonly (readonly [string, number])[], least = 0) {
  let end = 0;
  const spans = parts.map(([key, value]) => {
    const start = end;
    end += value;
    return { key, value, start, end };
  });
  const x = scaleLinear([0, Math.max(end, least) || 1], [0, 100]);
  const drawn = spans.map((span): BarPart => {
    const from = x(span.start);
    return { key: span.key, value: span.value, from, width: x(span.end) - from };
  });
  return { parts: drawn, x };
}

/** `prefix` keeps the patterns of two drawings apart. */
export function BarParts({ parts, prefix }: { parts: readonly BarPart[]; prefix: string }) {
  return (
    <>
      <Patterns prefix={prefix} />
      {parts.map(({ key, from, width }, i) => {
        const box = { x: `${from}%`, y: "4", width: `${width}%`, height: "32" };
        return (
          <g key={key} class={`part-${i % kHues}`}>
            <rect class="fill" {...box} />
            <rect {...box} fill={`url(#${prefix}-pattern-${i % kHues})`} />
            <rect class="edge" {...box} fill="none" />
          </g>
        );
      })}
    </>
  );
}

export function Swatch({ index, prefix }: { index: number; prefix: string }) {
  return (
    <svg class={`swatch part-${index % kHues}`} width="14" height="14" aria-hidden="true">
      <rect class="fill" width="14" height="14" />
      <rect width="14" height="14" fill={`url(#${prefix}-pattern-${index % kHues})`} />
    </svg>
  );
}

/** Marks that tell the parts apart without colour. */
export function Patterns({ prefix }: { prefix: string }) {
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
