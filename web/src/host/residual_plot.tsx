/** How far each measured point lies from its fit, by size. The engine tells both; a point above the line was slower than the fit. */

import { extent } from "d3-array";
import { scaleLinear, scaleLog } from "d3-scale";
import { figureText, phrase, traceText } from "../format.ts";
import type { JsonObject } from "../json.ts";
import { fill } from "../messages.ts";
import { ChartTable } from "../screens/charts/chart_table.tsx";
import { AcrossNames } from "../screens/charts/curve.tsx";
import { kPhone, useIsNarrow } from "../screens/narrow.ts";
import { Mark, percentOf, SeriesLegend, seriesClass, ticksOf, UprightTicks } from "../views/chart.tsx";
import { listOf } from "./host_state.ts";
import { fitName } from "./names.ts";
import { hostTexts } from "./texts.ts";

const kHeight = 240;
const kBottom = kHeight - 44;
/** Keys of sizes, each with its sign in the core. Fits of one key share a drawing. */
const kSizes = { flop: "FLOP", bytes: "B", tokens: "tokens" } as const;
type Size = keyof typeof kSizes;

interface Point {
  fit: string;
  size: number;
  residual: number;
}

/** The points of every fit whose sizes have this key, in the order of the answer. */
export function residualsOf(fits: readonly JsonObject[], key: Size): Point[] {
  return fits.flatMap((fit) =>
    listOf(fit, "residuals").flatMap((point) => {
      const [size, residual] = [point[key], point.residual];
      return typeof size === "number" && size > 0 && typeof residual === "number"
        ? [{ fit: fitName(String(fit.parameter)), size, residual }]
        : [];
    }),
  );
}

const percent = (residual: number) => phrase(figureText("ratio", residual));

export function Residuals({ fits }: { fits: readonly JsonObject[] }) {
  return (
    <>
      {(Object.keys(kSizes) as Size[]).map((key) => {
        const points = residualsOf(fits, key);
        return points.length < 2 ? null : <Plot key={key} size={key} points={points} />;
      })}
    </>
  );
}

function Plot({ size, points }: { size: Size; points: readonly Point[] }) {
  const sizeText = (value: number) => phrase(traceText(value, kSizes[size]));
  const fits = [...new Set(points.map(({ fit }) => fit))];
  const [least = 1, most = 1] = extent(points, (point) => point.size);
  const [low = 0, high = 0] = extent(points, ({ residual }) => residual);
  const parts = { low: percent(low), high: percent(high), from: sizeText(least), to: sizeText(most) };
  const x = scaleLog([least, most], [14, 92]);
  const y = scaleLinear(extent([low, high, -0.01, 0.01]) as [number, number], [kBottom, 12]).nice(4);
  // A phone has room for the outer names and one between them.
  const ticks = ticksOf(x);
  const kept = useIsNarrow(kPhone) ? ticks.filter((_, i) => i % Math.ceil((ticks.length - 1) / 2) === 0) : ticks;
  return (
    <figure class="chart-figure residuals">
      <figcaption>
        <h4>{fill(hostTexts.residualTitles[size], parts)}</h4>
        <p class="note">{hostTexts.residualNote}</p>
      </figcaption>
      <svg
        class="chart"
        width="100%"
        height={kHeight}
        role="img"
        aria-label={fill(hostTexts.residualDescription, {
          ...parts,
          count: points.length,
          fits: fits.join(", "),
        })}
      >
        <UprightTicks ticks={y.ticks(4)} y={y} from="12%" to="98%" text={percent} />
        <AcrossNames ticks={kept} x={percentOf(x)} y={kHeight - 24} text={sizeText} />
        <line class="base-line" x1="12%" x2="98%" y1={y(0)} y2={y(0)} />
        {points.map(({ fit, size: at, residual }, i) => {
          const place = fits.indexOf(fit);
          return (
            <g key={i} class={seriesClass(place)}>
              <svg x={`${x(at)}%`} y={y(residual)} class="mark" aria-hidden="true">
                <Mark series={place} area={44} title={`${fit}, ${sizeText(at)}: ${percent(residual)}`} />
              </svg>
            </g>
          );
        })}
      </svg>
      <SeriesLegend names={fits} />
      <ChartTable
        columns={[hostTexts.parameter, hostTexts.size, hostTexts.residual]}
        rows={points.map(({ fit, size: at, residual }, i) => ({
          key: String(i),
          cells: [fit, sizeText(at), percent(residual)],
        }))}
      />
    </figure>
  );
}
