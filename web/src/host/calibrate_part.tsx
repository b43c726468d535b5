/** What plans take from a machine: its rates beside the data sheet, the fits behind its time models, and what is missing. */
import { figureText, numberText, phrase } from "../format.ts";
import type { JsonObject } from "../json.ts";
import { fill, labelOf } from "../messages.ts";
import { NumbersTable } from "../screens/charts/chart_table.tsx";
import { flagText } from "../screens/words.ts";
import { keepFile } from "../tools/keep_file.ts";
import { Disclosure } from "../views/fold.tsx";
import { calibrated, imported, listOf, textsOf } from "./host_state.ts";
import { devicesName, fitName, probeName } from "./names.ts";
import { Card, Sentences } from "./parts.tsx";
import { Residuals } from "./residual_plot.tsx";
import { RooflineOverlay } from "./roofline_overlay.tsx";
import { hostTexts } from "./texts.ts";

const shareText = (value: unknown) => (typeof value === "number" ? phrase(figureText("ratio", value)) : "–");

/** A value with its bounds, in the unit of its row. */
function interval(row: JsonObject, key: string, text: (value: unknown) => string): string {
  const [low, high] = [row[`${key}_low`], row[`${key}_high`]];
  const middle = text(row[key]);
  return typeof low === "number" && typeof high === "number" ? `${middle} (${text(low)} – ${text(high)})` : middle;
}

export function operationText(row: JsonObject): string {
  const words: Record<string, string> = hostTexts.operations;
  const operation = String(row.operation);
  const parts = [words[operation] ?? operation];
  if (row.precision !== "any") parts.push(String(row.precision));
  if (typeof row.ranks === "number" && row.ranks > 1) parts.push(fill(hostTexts.ranks, { ranks: row.ranks }));
  return parts.join(", ");
}

export function CalibratePart() {
  const rates = listOf(imported.value, "rates");
  const answer = calibrated.value;
  return (
    <Card id="host-calibrate" title={hostTexts.calibrateTitle}>
      <h3>{hostTexts.ratesTitle}</h3>
      {rates.length === 0 ? <p>{hostTexts.noRates}</p> : <RatesTable rates={rates} />}
      {listOf(imported.value, "rooflines").map((roofline) => (
        <RooflineOverlay
          key={`${String(roofline.gpu)} ${String(roofline.precision)}`}
          roofline={roofline}
          share={shareText(productOf(rates, roofline)?.share)}
        />
      ))}
      {answer === undefined ? null : <Fits answer={answer} />}
    </Card>
  );
}

function productOf(rates: readonly JsonObject[], roofline: JsonObject): JsonObject | undefined {
  return rates.find(
    ({ gpu, operation, precision }) => gpu === roofline.gpu && operation === "gemm" && precision === roofline.precision,
  );
}

function RatesTable({ rates }: { rates: readonly JsonObject[] }) {
  const rows = rates.map((row, i) => {
    const text = (value: unknown) => (typeof value === "number" ? numberText(value) : "–");
    const withUnit = (value: unknown) => (typeof value === "number" ? `${numberText(value)} ${String(row.unit)}` : "–");
    return {
      key: String(i),
      cells: [
        operationText(row),
        withUnit(row.data_sheet),
        withUnit(row.planned_without),
        withUnit(row.planned_with),
        `${interval(row, "measured", text)} ${String(row.unit)}`,
        interval(row, "share", shareText),
      ],
    };
  });
  return (
    <>
      <p class="note">{hostTexts.ratesNote}</p>
      <NumbersTable
        stacks
        columns={[
          hostTexts.rate,
          hostTexts.dataSheet,
          hostTexts.without,
          hostTexts.withIt,
          hostTexts.measured,
          hostTexts.share,
        ]}
        rows={rows}
      />
    </>
  );
}

const kErrors = ["left_out_median_error", "left_out_90_error"];

/** The numbers of a fit beside its errors, whatever they are. */
export function fitNumbers(fit: JsonObject): string {
  return Object.entries(fit)
    .filter((entry): entry is [string, number] => typeof entry[1] === "number" && !kErrors.includes(entry[0]))
    .map(
      ([key, value]) =>
        `${labelOf(key)} ${/efficiency|share$|factor$/.test(key) ? shareText(value) : numberText(value)}`,
    )
    .join(", ");
}

/** Results that no fit saw, beside what the fits say of them. */
function HeldBack({ rows }: { rows: readonly JsonObject[] }) {
  if (rows.length === 0) return null;
  const us = (value: unknown) => (typeof value === "number" ? `${numberText(value)} µs` : "–");
  return (
    <NumbersTable
      columns={[hostTexts.heldBack, hostTexts.measured, hostTexts.predictedFit, hostTexts.inside]}
      rows={rows.map((row, i) => ({
        key: String(i),
        cells: [
          probeName(String(row.probe)),
          us(row.measured_us),
          interval(row, "predicted_us", us),
          flagText(row.inside === true),
        ],
      }))}
    />
  );
}

/** Devices of one name that lack the same, with the keys of all; one with fits is by itself. */
export function alikeDevices(devices: readonly JsonObject[]): [device: JsonObject, ids: string[]][] {
  const groups = new Map<string, [JsonObject, string[]]>();
  for (const device of devices) {
    const { device: id, ...others } = device;
    const key = listOf(device, "fits").length > 0 ? String(id) : JSON.stringify(others);
    const group = groups.get(key) ?? [device, []];
    group[1].push(String(id));
    groups.set(key, group);
  }
  return [...groups.values()];
}

function Fits({ answer }: { answer: JsonObject }) {
  return (
    <>
      {alikeDevices(listOf(answer, "devices")).map(([device, ids]) => {
        const fits = listOf(device, "fits");
        const gaps = listOf(device, "gaps").map(
          ({ parameter, reason }) => `${fitName(String(parameter))}: ${String(reason)}`,
        );
        const name = [devicesName(ids), device.name].filter((part) => typeof part === "string").join(", ");
        return (
          <Disclosure key={name} summary={fill(hostTexts.fitsTitle, { device: name })}>
            {() => (
              <>
                {fits.length === 0 ? null : (
                  <NumbersTable
                    stacks
                    columns={[hostTexts.parameter, hostTexts.leftOut, hostTexts.leftOut90, hostTexts.fitNumbers]}
                    rows={fits.map((fit, i) => ({
                      key: String(i),
                      cells: [
                        fitName(String(fit.parameter)),
                        shareText(fit.left_out_median_error),
                        shareText(fit.left_out_90_error),
                        fitNumbers(fit),
                      ],
                    }))}
                  />
                )}
                <Residuals fits={fits} />
                <HeldBack rows={listOf(device, "held_back")} />
                {gaps.length === 0 ? null : (
                  <>
                    <h4>{hostTexts.gaps}</h4>
                    <Sentences items={gaps} />
                  </>
                )}
              </>
            )}
          </Disclosure>
        );
      })}
      {textsOf(answer, "notes").length === 0 ? null : <Sentences items={textsOf(answer, "notes")} />}
      <p class="row downloads">
        <button
          type="button"
          onClick={() => keepFile("calibration.json", JSON.stringify(answer.calibration, null, 2), "application/json")}
        >
          {hostTexts.keepCalibration}
        </button>
      </p>
      <p class="note">{hostTexts.cliSame}</p>
    </>
  );
}
