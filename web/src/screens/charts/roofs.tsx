/** Roofs of a GPU on logarithmic axes, each bent at its ridge, and what was reached below them. The engine tells every number. */
import { extent } from "d3-array";
import { scaleLog } from "d3-scale";
import { numberText } from "../../format.ts";
import { AcrossTicks, Mark, percentOf, ticksOf, UprightTicks } from "../../views/chart.tsx";
import { kPhone, useIsNarrow } from "../narrow.ts";

const kHeight = 280;
const kBottom = kHeight - 44;

/** TFLOP/s of the flat part, and the FLOP/byte where it begins. */
export interface Roof {
  peak: number;
  ridge: number;
  name: string;
  /** Of the stroke. */
  kind: "data-sheet" | "measured";
  /** The name stands below the line, where another roof is above. */
  below?: boolean;
}

/** What is reached at an intensity, with its interval. */
export interface RoofPoint {
  name: string;
  /** FLOP/byte. */
  intensity: number;
  /** TFLOP/s. */
  attained: number;
  low?: number | undefined;
  high?: number | undefined;
}

interface RoofsProps {
  roofs: readonly Roof[];
  points?: readonly RoofPoint[];
  /** The drawing in words. */
  label: string;
  /** The point that is stepped to. */
  chosen?: number | undefined;
}

export function Roofs({ roofs, points = [], label, chosen }: RoofsProps) {
  const [least = 1, most = 1] = extent([...roofs.map(({ ridge }) => ridge), ...points.map((point) => point.intensity)]);
  const [nearest = 1, farthest = 1] = extent(roofs, ({ ridge }) => ridge);
  const x = scaleLog([Math.min(least / 3, nearest / 40), Math.max(most * 3, farthest * 8)], [10, 98]);
  const [left = 1, right = 1] = x.domain();
  /** The slope of a roof is 1 on these axes, so its left end lies as far below the peak as it lies left of the ridge. */
  const foot = ({ peak, ridge }: Roof) => (peak * left) / ridge;
  const isNarrow = useIsNarrow(kPhone);
  const across = ticksOf(x).filter((tick) => !isNarrow || String(tick).startsWith("1"));
  const [bottom = 1, top = 1] = extent([
    ...roofs.flatMap((roof) => [foot(roof), roof.peak]),
    ...points.map(({ low, attained }) => low ?? attained),
  ]);
  const y = scaleLog([bottom / 1.2, top * 1.6], [kBottom, 12]);
  return (
    <svg class="chart roofs" width="100%" height={kHeight} role="img" aria-label={label}>
      <AcrossTicks ticks={across} x={percentOf(x)} top={12} bottom={kBottom} text={numberText} />
      <UprightTicks ticks={ticksOf(y)} y={y} from="10%" to="98%" text={numberText} />
      <text class="axis-name" x="98%" y={kHeight - 8} text-anchor="end">
        FLOP/byte
      </text>
      {roofs.map((roof) => (
        <g key={roof.name} class={`roof ${roof.kind}`}>
          <line x1={`${x(left)}%`} y1={y(foot(roof))} x2={`${x(roof.ridge)}%`} y2={y(roof.peak)} />
          <line x1={`${x(roof.ridge)}%`} y1={y(roof.peak)} x2={`${x(right)}%`} y2={y(roof.peak)} />
        </g>
      ))}
      {roofs.map(({ name, peak, below }) => (
        <text key={name} class="roof-name" x="97%" y={y(peak) + (below ? 16 : -6)} text-anchor="end">
          {name}
        </text>
      ))}
      {points.map(({ name, intensity, attained, low, high }, i) => (
        <g key={name} class={`series roof-point part-${i}`}>
          {low === undefined || high === undefined ? null : (
            <line x1={`${x(intensity)}%`} x2={`${x(intensity)}%`} y1={y(low)} y2={y(high)} />
          )}
          <svg x={`${x(intensity)}%`} y={y(attained)} class={i === chosen ? "mark chosen" : "mark"} aria-hidden="true">
            {i === chosen ? <circle r="9" /> : null}
            <Mark series={i} area={90} />
          </svg>
          <text class="roof-name" x={`${x(intensity)}%`} y={y(low ?? attained) + 18} text-anchor="middle">
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}
