/** Roofs of the data sheet and of the machine, one over the other. Both meet at their ridge, which the engine tells. */
import { scaleLog } from "d3-scale";
import { numberText } from "../format.ts";
import { isObject, type JsonObject, numberAt } from "../json.ts";
import { fill } from "../messages.ts";
import { ChartTable } from "../screens/charts/chart_table.tsx";
import { nameOf, usePage } from "../state.ts";
import { ticksOf } from "../views/pareto.tsx";
import { hostTexts } from "./texts.ts";

const kHeight = 260;

interface Roof {
  peak: number;
  bandwidth: number;
  ridge: number;
}

function roofOf(value: unknown): Roof | undefined {
  const [peak, bandwidth, ridge] = ["/tflops", "/memory_gb_per_s", "/ridge_flop_per_byte"].map((place) =>
    isObject(value) ? numberAt(value, place) : undefined,
  );
  return peak === undefined || bandwidth === undefined || ridge === undefined ? undefined : { peak, bandwidth, ridge };
}

/** `share` is how much of the data sheet's products the machine reaches, as text. */
export function RooflineOverlay({ roofline, share }: { roofline: JsonObject; share: string }) {
  const { state } = usePage();
  const [sheet, machine] = [roofOf(roofline.data_sheet), roofOf(roofline.measured)];
  if (sheet === undefined || machine === undefined) return null;
  const gpu = nameOf(state.initial.gpus, String(roofline.gpu));
  const unit = (value: number, sign: string) => `${numberText(value)} ${sign}`;
  const row = (name: string, roof: Roof) => ({
    key: name,
    cells: [name, unit(roof.peak, "TFLOP/s"), unit(roof.bandwidth, "GB/s"), numberText(roof.ridge)],
  });
  return (
    <figure class="chart-figure roofline">
      <figcaption>
        <h3>{fill(hostTexts.rooflineTitle, { gpu, precision: String(roofline.precision), share })}</h3>
        <p class="note">{hostTexts.rooflineNote}</p>
      </figcaption>
      <Roofs
        sheet={sheet}
        machine={machine}
        label={fill(hostTexts.rooflineDescription, {
          sheet_bandwidth: unit(sheet.bandwidth, "GB/s"),
          sheet_ridge: numberText(sheet.ridge),
          sheet_peak: unit(sheet.peak, "TFLOP/s"),
          bandwidth: unit(machine.bandwidth, "GB/s"),
          ridge: numberText(machine.ridge),
          peak: unit(machine.peak, "TFLOP/s"),
        })}
      />
      <ChartTable
        columns={[hostTexts.roof, hostTexts.products, hostTexts.memory, hostTexts.ridge]}
        rows={[row(hostTexts.dataSheet, sheet), row(hostTexts.thisMachine, machine)]}
      />
    </figure>
  );
}

function Roofs({ sheet, machine, label }: { sheet: Roof; machine: Roof; label: string }) {
  const ridges = [sheet.ridge, machine.ridge];
  const x = scaleLog([Math.min(...ridges) / 40, Math.max(...ridges) * 8], [10, 98]);
  const [left = 1, right = 1] = x.domain();
  /** The slope of a roof is 1 on these axes, so its left end lies as far below the peak as it lies left of the ridge. */
  const foot = ({ peak, ridge }: Roof) => (peak * left) / ridge;
  const y = scaleLog(
    [Math.min(foot(sheet), foot(machine)) / 1.2, Math.max(sheet.peak, machine.peak) * 1.6],
    [kHeight - 44, 12],
  );
  const lines = (roof: Roof, kind: string) => (
    <g class={`roof ${kind}`}>
      <line x1={`${x(left)}%`} y1={y(foot(roof))} x2={`${x(roof.ridge)}%`} y2={y(roof.peak)} />
      <line x1={`${x(roof.ridge)}%`} y1={y(roof.peak)} x2={`${x(right)}%`} y2={y(roof.peak)} />
    </g>
  );
  return (
    <svg class="chart" width="100%" height={kHeight} role="img" aria-label={label}>
      {ticksOf(x).map((tick) => (
        <g key={tick} class="tick">
          <line x1={`${x(tick)}%`} x2={`${x(tick)}%`} y1="12" y2={kHeight - 44} />
          <text x={`${x(tick)}%`} y={kHeight - 28} text-anchor="middle">
            {numberText(tick)}
          </text>
        </g>
      ))}
      {ticksOf(y).map((tick) => (
        <g key={tick} class="tick">
          <line x1="10%" x2="98%" y1={y(tick)} y2={y(tick)} />
          <text x="0%" y={y(tick) + 4}>
            {numberText(tick)}
          </text>
        </g>
      ))}
      <text class="axis-name" x="98%" y={kHeight - 8} text-anchor="end">
        FLOP/byte
      </text>
      {lines(sheet, "data-sheet")}
      {lines(machine, "measured")}
      <text class="roof-name" x="97%" y={y(sheet.peak) - 6} text-anchor="end">
        {hostTexts.dataSheet}
      </text>
      <text class="roof-name" x="97%" y={y(machine.peak) + 16} text-anchor="end">
        {hostTexts.thisMachine}
      </text>
    </svg>
  );
}
