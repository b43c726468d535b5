/** What a load generator measured at an engine, and beside it what the engine of this site estimates for the same load. */
import { useState } from "preact/hooks";
import { figureText, numberText, phrase } from "../format.ts";
import { isObject, type JsonObject, numberAt, textAt } from "../json.ts";
import { fill, labelOf } from "../messages.ts";
import type { Page } from "../page.ts";
import { askEngine } from "../pages.ts";
import { readReply } from "../replies.ts";
import { NumbersTable } from "../screens/charts/chart_table.tsx";
import { pageFor } from "../screens/page_of_screen.ts";
import { nameOf } from "../state.ts";
import { gpusOf } from "./calibrated_requests.ts";
import { imported, listOf, profileOf } from "./host_state.ts";
import { Card } from "./parts.tsx";
import { hostTexts } from "./texts.ts";

/** Figures of a measurement, each with its place in the answer of a serving estimate where that has one. */
const kFigures: readonly (readonly [key: string, place?: string])[] = [
  ["requests_per_s", "/throughput/requests_per_s"],
  ["output_tokens_per_s", "/throughput/output_tokens_per_s"],
  ["total_tokens_per_s", "/throughput/total_tokens_per_s"],
  ["ttft_s", "/latency/ttft_s"],
  ["ttft_s_p50", "/latency/ttft_s_p50"],
  ["ttft_s_p99", "/latency/ttft_s_p99"],
  ["tpot_s", "/latency/tpot_s"],
  ["tpot_s_p50", "/latency/tpot_s_p50"],
  ["tpot_s_p99", "/latency/tpot_s_p99"],
  ["concurrency"],
  ["request_rate_per_s"],
  ["input_tokens"],
  ["output_tokens"],
  ["duration_s"],
];

export function ServingPart({ plan }: { plan: Page }) {
  const measured = listOf(imported.value, "serving");
  if (measured.length === 0) return null;
  return (
    <Card id="host-serving" title={hostTexts.servingTitle}>
      {measured.map((one, i) => (
        <Measured key={i} measured={one} plan={plan} />
      ))}
    </Card>
  );
}

interface Estimate {
  answer: JsonObject;
  request: JsonObject;
}

/** The question of the serving screen with the model, the tokens and the load of a measurement, on the one kind of GPU of the profile that was read with it. */
export function requestLike(request: JsonObject, measured: JsonObject, profile?: JsonObject): JsonObject {
  const whole = (key: string) => (typeof measured[key] === "number" ? { [key]: Math.round(measured[key]) } : {});
  const { concurrency, model, request_rate_per_s: rate } = measured;
  const [gpu, ...others] = profile === undefined ? [] : gpusOf(profile).keys();
  const machine: JsonObject = gpu === undefined || others.length > 0 ? {} : { gpu };
  if (typeof model === "string") machine.model = model;
  const load: JsonObject = {};
  if (typeof concurrency === "number") load.load = { concurrency: Math.round(concurrency) };
  else if (typeof rate === "number") load.load = { request_rate_per_s: rate };
  return { ...request, ...machine, ...whole("input_tokens"), ...whole("output_tokens"), ...load };
}

function Measured({ measured, plan }: { measured: JsonObject; plan: Page }) {
  const [estimate, setEstimate] = useState<Estimate>();
  const [problem, setProblem] = useState("");
  const ask = async () => {
    setProblem("");
    const page = await pageFor("serving", plan);
    if (page === undefined) return;
    const asked = page.state.request.value;
    let request = requestLike(asked, measured, profileOf(imported.value));
    let reply = readReply(await askEngine(request));
    if (reply.kind === "errors" && reply.errors.some(({ path }) => path === "/model")) {
      // A model that only its file knows: that of the screen, as is said above the numbers.
      request = { ...request, model: asked.model ?? null };
      reply = readReply(await askEngine(request));
    }
    if (reply.kind === "answer") setEstimate({ answer: reply.answer as unknown as JsonObject, request });
    else setProblem(reply.kind === "errors" ? (reply.errors[0]?.message ?? "") : hostTexts.engineGone);
  };
  const { gpus, models } = plan.state.initial;
  const parts = estimate && {
    gpu_count: numberText(Number(estimate.request.gpu_count)),
    gpu: idOf(estimate.request.gpu, gpus),
    // As the answer has it: a file may write it in another way.
    model: idOf(estimate.answer.model ?? estimate.request.model, models),
  };
  const rows = kFigures.flatMap(([key, place]) => {
    const value = measured[key];
    if (typeof value !== "number") return [];
    const cells = [figureLabel(key), phrase(figureText(key, value))];
    if (estimate !== undefined) cells.push(place === undefined ? "–" : predicted(estimate.answer, place, key));
    return [{ key, cells }];
  });
  return (
    <div class="measured">
      <p>
        {typeof measured.requests === "number"
          ? fill(hostTexts.servingNote, { tool: String(measured.tool), requests: numberText(measured.requests) })
          : fill(hostTexts.servingNoteShort, { tool: String(measured.tool) })}{" "}
        {measured.model === undefined ? null : fill(hostTexts.servingModel, { model: String(measured.model) })}
      </p>
      <NumbersTable
        columns={[
          hostTexts.figure,
          hostTexts.measured,
          ...(parts === undefined ? [] : [fill(hostTexts.predictedFor, parts)]),
        ]}
        rows={rows}
      />
      {parts === undefined ? (
        <button type="button" onClick={() => void ask().catch(() => setProblem(hostTexts.engineGone))}>
          {hostTexts.servingAsk}
        </button>
      ) : (
        <p class="note" role="status">
          {fill(hostTexts.servingBeside, parts)}
        </p>
      )}
      {problem === "" ? null : (
        <p class="notice" role="alert">
          {fill(hostTexts.servingFailed, { message: problem })}
        </p>
      )}
    </div>
  );
}

/** A name of the catalog, or of an item that the request describes itself. */
function idOf(value: unknown, items: Page["state"]["initial"]["gpus"]): string {
  if (isObject(value)) return textAt(value, "/name") ?? textAt(value, "/id") ?? "";
  return nameOf(items, String(value ?? ""));
}

function figureLabel(key: string): string {
  const percentile = /_p(\d+)$/.exec(key)?.[1];
  const label = labelOf(key.replace(/_p\d+$/, ""));
  return percentile === undefined ? label : `${label}, p${percentile}`;
}

/** An estimate with its interval, where the answer has them. */
function predicted(answer: JsonObject, place: string, key: string): string {
  const text = (at: string) => {
    const value = numberAt(answer, at);
    return value === undefined ? undefined : phrase(figureText(key, value));
  };
  const middle = text(place);
  if (middle === undefined) return "–";
  const [low, high] = [text(`${place}_low`), text(`${place}_high`)];
  return low === undefined || high === undefined ? middle : `${middle} (${low} – ${high})`;
}
