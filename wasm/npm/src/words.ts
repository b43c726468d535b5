/**
 * What the element says, in the one language that the bundler leaves in the tables: those of the site, and a few of its own.
 * Words of the engine are said as the site says them.
 */
import type { Message, Plan, Rejected, ShownNumber } from "../../../web/src/contract.ts";
import { openPlan } from "../../../web/src/data/host_texts.json";
import { askingHeadline, faultHeadline } from "../../../web/src/data/texts.json";
import { figureText, keyOf, phrase } from "../../../web/src/format.ts";
import { isObject, type JsonObject, numberAt, textAt, valueAt } from "../../../web/src/json.ts";
import { followLanguage, language } from "../../../web/src/language.ts";
import { fill, inSentence, labelOf, messages } from "../../../web/src/messages.ts";
import { patchText, wholePatch } from "../../../web/src/patch_text.ts";
import { translated } from "../../../web/src/translation.ts";
import own from "./element_texts.json";
import type { RequestError } from "./messages.js";

export { fill, messages };
export const texts = {
  ...followLanguage("element_texts", own),
  ...followLanguage("site_texts", { working: askingHeadline, fault: faultHeadline, open: openPlan }),
};
export const tag = language.value === "en" ? "en" : "zh-Hans";

/** "tpot p95" by the names of the numbers of a plan: "time per output token, 95th percentile". */
function limitText(limit: string): string {
  const [, mean, name, percentile] = /^(mean )?(ttft|tpot)(?: (p\d+))?$/.exec(limit) ?? [];
  if (name === undefined) return limit;
  const { first_token, output_token } = messages.headlines;
  const statistics: Record<string, string> = messages.statistics;
  const statistic = mean === undefined ? (percentile ?? "") : "mean";
  return (
    inSentence(name === "ttft" ? first_token : output_token) + messages.comma + (statistics[statistic] ?? statistic)
  );
}

export function say(said: Message): string {
  const { message, values } = said;
  if (typeof values?.limit !== "string") return translated(said);
  const limit = limitText(values.limit);
  return translated({ ...said, message: message.replace(values.limit, limit), values: { ...values, limit } });
}

/** A number of a headline, whose label says what money is for; the engine's own text is English. */
export function numberText({ place, text }: ShownNumber, plan: Plan, request: JsonObject): string {
  const value = language.value === "en" ? undefined : (numberAt(plan, place) ?? numberAt(request, place));
  if (value === undefined) return text ?? "";
  const figure = figureText(keyOf(place), value);
  return keyOf(place).includes("usd") ? figure.value : phrase(figure);
}

/** What the plan is and does: the engine says so in English alone. */
export function summary(plan: Plan, request: JsonObject): string {
  if (language.value === "en") return plan.summary ?? "";
  const workloads = Array.isArray(request.workloads) ? request.workloads : [];
  const works = workloads.map((workload, i) => {
    const model = textAt(workload, "/model") ?? messages.ownModel;
    const time = numberAt(plan, `/estimates/${i}/run/time_days`);
    const [tokens, rate] = [numberAt(workload, "/tokens"), numberAt(workload, "/peak_requests_per_s")];
    if (time !== undefined && tokens !== undefined)
      return fill(messages.headlineTrain, {
        model,
        tokens: figureText("tokens", tokens).value,
        time: phrase(figureText("time_days", time)),
      });
    return rate === undefined ? "" : fill(messages.headlineServe, { model, rate });
  });
  const { gpu_count = "", gpu_name: gpu = "" } = plan;
  return fill(messages.headlineNoNodes, { gpu_count, gpu }) + works.filter(Boolean).join(messages.headlineAnd);
}

/** The limits that a request sets, each with its label: "First token within 2 s". */
export function limits(request: JsonObject): string[] {
  const parts = [...(Array.isArray(request.workloads) ? request.workloads : []), request.constraints];
  return parts.filter(isObject).flatMap((part) =>
    Object.entries(part).flatMap(([key, value]) => {
      const isLimit = /^(?:ttft|tpot)_s_|^deadline_|^budget_|_max$/.test(key) && typeof value === "number";
      return isLimit ? `${labelOf(key)} ${phrase(figureText(key, value))}` : [];
    }),
  );
}

/** What the ways out of a reason change; nothing of those that change nothing. */
export function waysOut(request: JsonObject, reason: Rejected): string[] {
  return (reason.ways_out ?? []).flatMap((patch) => {
    const whole = wholePatch(request, reason, patch);
    return whole === undefined ? [] : patchText(request, whole, (id) => id) || [];
  });
}

/** An error of a request, with its place. */
export function fault({ path, message, hint }: RequestError, _request: JsonObject): string {
  return (path === "" ? "" : path + texts.colon) + message + (hint ? ` ${hint}` : "");
}

/** The GPUs that are bought, where they are not all. */
export function ownedText(plan: Plan): string {
  const bought = numberAt(plan, "/cost/hybrid/own_gpus");
  const isPart = valueAt(plan, "/way") === "hybrid" && bought !== undefined;
  return isPart ? fill(texts.owned, { own: bought, all: plan.gpu_count ?? "" }) : "";
}

export type Words = typeof import("./words.js");
