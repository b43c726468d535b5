/** Roofs of the data sheet and of the machine, one over the other. Both meet at their ridge, which the engine tells. */
import { numberText } from "../format.ts";
import { isObject, type JsonObject, numberAt } from "../json.ts";
import { fill } from "../messages.ts";
import { usePage } from "../page.ts";
import { ChartTable } from "../screens/charts/chart_table.tsx";
import { Roofs } from "../screens/charts/roofs.tsx";
import { nameOf } from "../state.ts";
import { hostTexts } from "./texts.ts";

interface Rates {
  peak: number;
  bandwidth: number;
  ridge: number;
}

function roofOf(value: unknown): Rates | undefined {
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
  const row = (name: string, roof: Rates) => ({
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
        roofs={[
          { peak: sheet.peak, ridge: sheet.ridge, name: hostTexts.dataSheet, kind: "data-sheet" },
          { peak: machine.peak, ridge: machine.ridge, name: hostTexts.thisMachine, kind: "measured", below: true },
        ]}
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
