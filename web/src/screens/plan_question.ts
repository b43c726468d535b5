/** What people decide at first sight, read from the request of a plan and written into it. The numbers are starting points, shown in the form and changed there. */
import { isObject, type Json, type JsonObject, mergePatch, numberAt, textAt, valueAt, withValue } from "../json.ts";

export const kWorkload = "/workloads/0";

export type Task = "serve" | "train" | "tune";
export const kTasks: readonly Task[] = ["serve", "train", "tune"];
/** The example that each task begins with. */
export const kStartOf: Record<Task, string> = {
  serve: "chat_70b",
  train: "plan_pretraining_8b",
  tune: "finetune_lora_70b",
};

export function taskOf(request: JsonObject): Task {
  if (textAt(request, `${kWorkload}/type`) !== "training") return "serve";
  return (textAt(request, `${kWorkload}/method`) ?? "full") === "full" ? "train" : "tune";
}

/**
 * The request with the starting workload of another task in place of its first. Constraints, money and the other workloads stay, and
 * so does a model that was chosen: one that is only where the task began with gives way to that of the other.
 */
export function withTask(request: JsonObject, now: Json | undefined, next: JsonObject): JsonObject {
  const model = valueAt(request, `${kWorkload}/model`);
  const isChosen = model !== undefined && model !== valueAt(now, `${kWorkload}/model`);
  const workload = valueAt(next, kWorkload);
  const { goal: _goal, ...rest } = request;
  const others = Array.isArray(request.workloads) ? request.workloads.slice(1) : [];
  const first = isObject(workload) ? (isChosen ? { ...workload, model: model as Json } : workload) : {};
  return { ...rest, workloads: [first, ...others] };
}

/** Limits on latency, by what they are for. */
export const kQualities = {
  chat: { ttft_s_p95_max: 2, tpot_s_p95_max: 0.05 },
  fast: { ttft_s_p95_max: 0.5, tpot_s_p95_max: 0.02 },
  batch: { ttft_s_p95_max: null, tpot_s_p95_max: null },
} as const;
export type Quality = keyof typeof kQualities;

export function withQuality(request: JsonObject, quality: Quality): Json {
  const workload = valueAt(request, kWorkload);
  return withValue(request, kWorkload, mergePatch(isObject(workload) ? workload : {}, { ...kQualities[quality] }));
}

/** The quality whose limits the request has; undefined for limits of its own. */
export function qualityOf(request: JsonObject): Quality | undefined {
  const has = (key: string) => numberAt(request, `${kWorkload}/${key}`) ?? null;
  const isSame = (quality: Quality) => Object.entries(kQualities[quality]).every(([key, limit]) => has(key) === limit);
  return (Object.keys(kQualities) as Quality[]).find(isSame);
}

export type Way = "rent" | "buy" | "either";
export const kOwnership = "/constraints/ownership";

/** Whoever builds the machines that are bought. */
export function wayOf(request: JsonObject): Way {
  const ownership = textAt(request, kOwnership) ?? "any";
  if (ownership === "any") return "either";
  return ownership === "cloud" ? "rent" : "buy";
}

/** Bought from any maker; a kind that was chosen already stays. */
export function withWay(request: JsonObject, way: Way): Json {
  if (way === wayOf(request)) return request;
  return withValue(request, kOwnership, { rent: "cloud", buy: "oem", either: undefined }[way]);
}

export const kPeak = `${kWorkload}/peak_requests_per_s`;
export const kMean = `${kWorkload}/mean_requests_per_s`;
/** How the load is said: by the rate of requests, by people, or by the tokens of a day. */
export type LoadUnit = "requests" | "users" | "tokens";
export const kLoadUnits: readonly LoadUnit[] = ["requests", "users", "tokens"];

export function loadUnitOf(request: JsonObject): LoadUnit {
  const has = (key: string) => valueAt(request, `${kWorkload}/${key}`) !== undefined;
  return has("users") ? "users" : has("tokens_per_day") ? "tokens" : "requests";
}

/** What each way of saying the load is made of; null takes a value out. */
const kLoadKeys: Record<LoadUnit, readonly string[]> = {
  requests: ["peak_requests_per_s", "mean_requests_per_s"],
  users: ["users", "peak_over_mean"],
  tokens: ["tokens_per_day", "peak_over_mean"],
};

/** The same load said otherwise; `load` is what the engine made of the request, in each way. Hours of the day, own or published, say the mean. */
export function withLoadIn(request: JsonObject, unit: LoadUnit, load: JsonObject): Json {
  const none = Object.fromEntries(Object.values(kLoadKeys).flatMap((keys) => keys.map((key) => [key, null])));
  const workload = valueAt(request, kWorkload);
  const hasHours = ["hours", "preset"].some((key) => valueAt(workload, `/traffic/${key}`) !== undefined);
  const said = kLoadKeys[unit].flatMap((key) => {
    const value = load[key];
    return typeof value === "number" && !(hasHours && /mean/.test(key)) ? [[key, Number(value.toPrecision(3))]] : [];
  });
  return withValue(
    request,
    kWorkload,
    mergePatch(isObject(workload) ? workload : {}, { ...none, ...Object.fromEntries(said) }),
  );
}

/** Digits of a rate that the slider sets. */
const kDigits = 2;

/** The mean as a share of the peak; undefined where one of them is not given. */
export function meanShare(request: JsonObject): number | undefined {
  const peak = numberAt(request, kPeak);
  const mean = numberAt(request, kMean);
  return mean === undefined || peak === undefined || peak <= 0 ? undefined : Math.min(mean / peak, 1);
}

/** Another peak, with the mean at this share of it and never above it. */
export function withPeak(request: JsonObject, wanted: number, share: number | undefined): Json {
  const peak = Number(wanted.toPrecision(kDigits));
  const moved = withValue(request, kPeak, peak);
  return share === undefined ? moved : withValue(moved, kMean, Math.min(Number((share * peak).toPrecision(3)), peak));
}
