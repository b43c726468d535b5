/** The steps of a deployment under the roofs of its GPU: how much arithmetic each byte feeds, and how near the roof that comes. */

import { useState } from "preact/hooks";
import { figureText, numberText, phrase, traceText } from "../../format.ts";
import { isObject, type JsonObject, numberAt, valueAt } from "../../json.ts";
import { fill, inSentence } from "../../messages.ts";
import { usePage } from "../../page.ts";
import { nameOf } from "../../state.ts";
import { choiceName } from "../../views/names.ts";
import { texts } from "../texts.ts";
import { Amount } from "../value.tsx";
import { ChartTable } from "./chart_table.tsx";
import { Stepper } from "./curve.tsx";
import { Roofs } from "./roofs.tsx";

/** Numbers of a step in the order of the table, each with its text. */
const columnsOf = () =>
  [
    ["tokens", texts.roofTokens, numberText],
    ["time_s", texts.time, (value: number) => phrase(figureText("time_s", value))],
    ["work_tflop", texts.roofWork, (value: number) => phrase(traceText(value, "TFLOP"))],
    ["memory_traffic_gb", texts.roofTraffic, (value: number) => phrase(figureText("gb", value))],
    ["intensity_flop_per_byte", "FLOP/byte", numberText],
    ["attained_tflops", texts.roofAttained, tflops],
    ["attained_tflops_low", texts.roofLow, tflops],
    ["attained_tflops_high", texts.roofHigh, tflops],
    ["roof_tflops", texts.roofAbove, tflops],
    ["roof_fraction", texts.roofShare, share],
  ] as const;

function tflops(value: number): string {
  return phrase(figureText("tflops", value));
}

function share(value: number): string {
  return phrase(figureText("fraction", value));
}

function phaseName(point: JsonObject): string {
  return point.phase === "prefill" ? texts.roofPrefill : texts.roofDecode;
}

/** "Decode reaches 38 % of its memory roof" and its like. */
function conclusion(point: JsonObject): string {
  const text = point.limit === "compute" ? texts.roofOfArithmetic : texts.roofOfMemory;
  return fill(text, { phase: phaseName(point), share: share(Number(point.roof_fraction)) });
}

/** A step with everything that is drawn of it, as it is read out. */
function spoken(point: JsonObject): string {
  const [low, high] = [numberAt(point, "/attained_tflops_low"), numberAt(point, "/attained_tflops_high")];
  const parts = {
    phase: phaseName(point),
    intensity: numberText(Number(point.intensity_flop_per_byte)),
    attained: tflops(Number(point.attained_tflops)),
    roof: tflops(Number(point.roof_tflops)),
    share: share(Number(point.roof_fraction)),
  };
  if (low === undefined || high === undefined) return fill(texts.roofSpoken, parts);
  return fill(texts.roofSpokenRange, { ...parts, low: numberText(low), high: numberText(high) });
}

export function Roofline({ place }: { place: string }) {
  const { state } = usePage();
  const [chosen, setChosen] = useState(0);
  const roofline = valueAt(state.answer.value, place);
  const points = isObject(roofline) && Array.isArray(roofline.points) ? roofline.points.filter(isObject) : [];
  const [peak, bandwidth, ridge] = ["/tflops", "/memory_gb_per_s", "/ridge_flop_per_byte"].map((inner) =>
    numberAt(roofline, inner),
  );
  if (!isObject(roofline) || peak === undefined || bandwidth === undefined || ridge === undefined) return null;
  const gpu = nameOf(state.initial.gpus, gpuAt(state.answer.value, place));
  const precision = choiceName(String(roofline.precision));
  const columns = columnsOf().filter(([key]) => points.some((point) => typeof point[key] === "number"));
  const said = points.map(spoken);
  const roofs = fill(texts.roofDescription, {
    bandwidth: `${numberText(bandwidth)} GB/s`,
    ridge: numberText(ridge),
    peak: tflops(peak),
  });
  return (
    <figure class="chart-figure roofline">
      <figcaption>
        <h3>
          {points.map((point, i) => (i === 0 ? conclusion(point) : inSentence(conclusion(point)))).join(texts.roofJoin)}
        </h3>
        <p class="note">{fill(texts.roofNote, { gpu, precision })}</p>
      </figcaption>
      <Roofs
        roofs={[{ peak, ridge, name: `${tflops(peak)}, ${precision}`, kind: "measured" }]}
        points={points.map((point) => ({
          name: phaseName(point),
          intensity: Number(point.intensity_flop_per_byte),
          attained: Number(point.attained_tflops),
          low: numberAt(point, "/attained_tflops_low"),
          high: numberAt(point, "/attained_tflops_high"),
        }))}
        label={[roofs, ...said].join(" ")}
        chosen={points.length > 1 ? chosen : undefined}
      />
      {points.length > 1 ? (
        <Stepper
          label={fill(texts.roofStep, { phase: phaseName(points[chosen] ?? {}) })}
          last={points.length - 1}
          at={chosen}
          spoken={said[chosen]}
          choose={setChosen}
        />
      ) : null}
      <ul class="roof-said">
        {said.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <dl class="quantities numbers-list">
        {(
          [
            ["tflops", texts.roofPeak, tflops(peak)],
            ["memory_gb_per_s", texts.roofMemory, `${numberText(bandwidth)} GB/s`],
            ["ridge_flop_per_byte", texts.roofRidge, `${numberText(ridge)} FLOP/byte`],
          ] as const
        ).map(([key, name, text]) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>
              <Amount place={`${place}/${key}`} text={text} />
            </dd>
          </div>
        ))}
      </dl>
      <ChartTable
        columns={[texts.roofPhase, ...columns.map(([, name]) => name)]}
        rows={points.map((point, i) => ({
          key: String(point.phase),
          cells: [
            phaseName(point),
            ...columns.map(([key, , text]) => (
              <Amount key={key} place={`${place}/points/${i}/${key}`} text={text(Number(point[key]))} />
            )),
          ],
        }))}
      />
    </figure>
  );
}

/** The GPU of the answer, or of the plan that the place lies in. */
function gpuAt(answer: unknown, place: string): string {
  const plan = /^\/plans\/\d+/.exec(place)?.[0] ?? "";
  const gpu = valueAt(answer, `${plan}/gpu`);
  return typeof gpu === "string" ? gpu : "";
}
