/** The plan on show as the request of a screen where one part of it is tried by hand: what the user gave, and what the plan chose. */
import { isObject, type Json, type JsonObject, numberAt, textAt, valueAt } from "../json.ts";
import type { PageName } from "../route.ts";
import { type State, shownPlan } from "../state.ts";

/** A plan and the workload of it that is meant. */
interface Chosen {
  request: JsonObject;
  answer: unknown;
  /** Of the plan in the answer. */
  place: string;
  /** Of the workload's layout in the plan. */
  index: number;
}

export function chosenOf(state: State): Chosen | undefined {
  const shown = shownPlan(state);
  if (shown === undefined) return undefined;
  return { request: state.answered.value, answer: state.answer.value, place: shown.place, index: 0 };
}

/** What is given under these names. */
function taken(from: unknown, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (isObject(from) && key in from ? [[key, from[key] as Json]] : [])));
}

const kOfLengths = ["tokens", "tokens_cv", "lengths"].flatMap((of) => [`input_${of}`, `output_${of}`]);
const kOfTraffic = ["model", ...kOfLengths, "prefix_hit_ratio", "traffic", "tuning"];
const kOfSearch = [...kOfTraffic, "peak_requests_per_s", "weight_precisions", "speculative"];
const kOfTraining = ["model", "tokens", "deadline_days", "method", "sequence_length", "global_batch_size", "tuning"];
const kOfRun = [...kOfTraining, "checkpoint", "restart_s", "step_time_variation"];
const kOfLayout = [
  ..."gpu gpu_count parallelism engine weight_precision kv_precision max_batched_tokens".split(" "),
  ..."precision method activation_recompute micro_batch_size global_batch_size sequence_length".split(" "),
];
const kOfSite = [..."ownership fabric sovereignty services site_power_kw rack_power_kw liquid_cooling".split(" ")];
const kOfDesign = ["workload", "replica_gpus", "growth_gpu_count"];

function layoutOf({ answer, place, index }: Chosen): JsonObject | undefined {
  const layout = valueAt(answer, `${place}/layouts/${index}`);
  return isObject(layout) ? layout : undefined;
}

function workloadOf({ request, ...chosen }: Chosen): JsonObject | undefined {
  const workloads = Array.isArray(request.workloads) ? request.workloads.filter(isObject) : [];
  const name = layoutOf({ request, ...chosen })?.workload;
  return workloads.find((workload) => workload.name === name) ?? workloads[chosen.index];
}

/** The deployment of the workload with its own load; undefined where it trains, or where prompts and answers have pools of their own. */
function servingRequest(chosen: Chosen): JsonObject | undefined {
  const { request, answer, place, index } = chosen;
  const [layout, workload] = [layoutOf(chosen), workloadOf(chosen)];
  const rate = numberAt(answer, `${place}/estimates/${index}/throughput/requests_per_s`);
  if (layout === undefined || layout.pools !== undefined || rate === undefined) return undefined;
  const draft = workload?.speculative;
  return {
    kind: "serving",
    ...taken(workload, kOfTraffic),
    ...taken(layout, kOfLayout),
    ...(isObject(draft) && layout.draft_tokens !== undefined
      ? { speculative: { ...draft, draft_tokens: layout.draft_tokens } }
      : {}),
    ...taken(request, ["calibration"]),
    load: { request_rate_per_s: rate },
  };
}

/** Its requests one by one, over a whole day. */
export function dayRequest(chosen: Chosen): JsonObject | undefined {
  const serving = servingRequest(chosen);
  return serving && { ...serving, kind: "replay", whole_day: true };
}

const isServing = (workload: JsonObject | undefined) => workload?.type === "serving";

function trainingRequest(chosen: Chosen): JsonObject | undefined {
  const [layout, workload] = [layoutOf(chosen), workloadOf(chosen)];
  if (layout === undefined || isServing(workload)) return undefined;
  const { request } = chosen;
  return {
    kind: "training",
    ...taken(workload, kOfRun),
    ...taken(layout, kOfLayout),
    ...taken(request, ["calibration"]),
  };
}

/** What the engine took in place of what the request leaves open. */
function assumed({ answer }: Chosen, path: string): Json {
  const items = valueAt(answer, "/assumptions");
  const found = (Array.isArray(items) ? items.filter(isObject) : []).find((item) => item.path === path);
  return (found?.value as Json | undefined) ?? null;
}

/** GPUs that the user named; else the plan's. */
function gpusOf({ request, answer, place }: Chosen): JsonObject {
  const named = valueAt(request, "/constraints/gpus");
  return Array.isArray(named) && named.length > 0 ? { gpus: named } : { gpu: textAt(answer, `${place}/gpu`) ?? "" };
}

/** What the plans rent those GPUs for, so that a search counts the same; of one GPU the price of the plan on show. */
function rentsOf({ answer, place }: Chosen, { gpu: only }: JsonObject): JsonObject {
  const plans = valueAt(answer, "/plans");
  const rows = [...(Array.isArray(plans) ? plans : []), valueAt(answer, place)].flatMap((plan) => {
    const gpu = textAt(plan, "/gpu");
    const price = numberAt(plan, "/cost/cloud/usd_per_gpu_hour");
    const isAsked = only === undefined || gpu === only;
    return gpu === undefined || price === undefined || !isAsked
      ? []
      : [[gpu, { gpu, usd_per_gpu_hour: price }] as const];
  });
  return rows.length === 0 ? {} : { prices: [...new Map(rows).values()] };
}

function searchRequest(chosen: Chosen): JsonObject | undefined {
  const workload = workloadOf(chosen);
  if (workload === undefined) return undefined;
  const limits = Object.keys(workload).filter((key) => /^(ttft|tpot)_s_.*_max$/.test(key));
  const { engine, precision } = workload;
  const gpus = gpusOf(chosen);
  return isServing(workload)
    ? {
        kind: "search",
        type: "serving",
        ...taken(workload, [...kOfSearch, ...limits]),
        engines: [engine ?? layoutOf(chosen)?.engine ?? "vllm"],
        confidence: numberAt(chosen.request, "/constraints/confidence") ?? assumed(chosen, "/constraints/confidence"),
        ...gpus,
        ...rentsOf(chosen, gpus),
      }
    : {
        kind: "search",
        ...taken(workload, kOfTraining),
        ...(precision === undefined ? {} : { precisions: [precision] }),
        ...gpus,
        ...rentsOf(chosen, gpus),
        ...taken(layoutOf(chosen), ["gpu_count"]),
      };
}

/** Who builds the machines of the plan, where the request leaves it open: a design of another maker is another plan. */
function makerOf(constraints: unknown, design: JsonObject): JsonObject {
  const given = textAt(constraints, "/ownership") ?? "any";
  const system = textAt(design, "/system");
  if (given !== "any" || system === undefined) return {};
  return { ownership: system.startsWith("oem-pcie") ? "pcie" : system.startsWith("oem") ? "oem" : "dgx" };
}

function architectureRequest({ request, answer, place }: Chosen): JsonObject | undefined {
  const design = valueAt(answer, `${place}/architecture`);
  if (!isObject(design)) return undefined;
  return {
    kind: "architecture",
    ...taken(valueAt(answer, place), ["gpu", "gpu_count"]),
    ...taken(design, kOfDesign),
    ...taken(request.constraints, kOfSite),
    ...makerOf(request.constraints, design),
    ...taken(request.economics, ["pue"]),
  };
}

/** A number for each of a count, as a field of another request. */
function forEach(total: number | undefined, count: number | undefined): number | undefined {
  return total === undefined || count === undefined || count <= 0 ? undefined : Number((total / count).toPrecision(8));
}

/** Those of the fields that are known. */
function known(fields: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** Those of the fields that are numbers. */
function numbers(fields: Record<string, Json>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "number"));
}

/** What the request says, else what the engine took in its place. */
function givenOf(chosen: Chosen, pointer: string): Json {
  return (valueAt(chosen.request, pointer) as Json | undefined) ?? assumed(chosen, pointer);
}

const kOfPurchase = ["servers_usd", "network_usd", "storage_usd", "installation_usd", "spares_usd"];
const kOfOperation = ["support_fraction_per_year", "staff_fte"];
/** Homes of machines that need no more numbers. */
const kFacilities: readonly unknown[] = ["none", "colocation", "sunk"];

/** Machines of the plan, as they are bought and run. */
function ownedPart(chosen: Chosen): JsonObject | undefined {
  const { answer, place } = chosen;
  const owned = valueAt(answer, `${place}/cost/on_premises`);
  if (!isObject(owned) || owned.servers_usd === undefined) return undefined;
  const at = (key: string) => numberAt(owned, `/${key}`);
  const mode = givenOf(chosen, "/economics/facility");
  return {
    ...taken(owned, [...kOfPurchase, ...kOfOperation]),
    ...known({
      residual_fraction: forEach(at("residual_usd"), at("servers_usd")),
      staff_usd_per_year: forEach(at("staff_usd_per_year"), at("staff_fte")),
      electricity_usd_per_kwh: forEach(at("energy_usd_per_year"), at("energy_per_year_kwh")),
      license_usd_per_gpu_year: forEach(at("license_usd_per_year"), numberAt(answer, `${place}/architecture/gpus`)),
      it_power_kw: numberAt(answer, `${place}/power/it_kw`),
      load: numberAt(answer, `${place}/energy/load`),
    }),
    ...numbers({ pue: givenOf(chosen, "/economics/pue") }),
    ...(kFacilities.includes(mode) ? { facility: facilityOf(chosen, mode) } : {}),
  };
}

function facilityOf({ request }: Chosen, mode: Json): JsonObject {
  const price = numberAt(request, "/economics/colocation_usd_per_kw_month");
  return mode === "colocation" ? { mode, ...known({ usd_per_kw_month: price }) } : { mode };
}

/** Owning and renting at the plan's prices; undefined where it has neither, and where its machines grow in number. */
function costRequest(chosen: Chosen): JsonObject | undefined {
  const { request, answer, place } = chosen;
  const owned = ownedPart(chosen);
  const price = numberAt(answer, `${place}/cost/cloud/usd_per_gpu_hour`);
  const count = numberAt(answer, owned === undefined ? `${place}/gpu_count` : `${place}/architecture/gpus`);
  const growth = numberAt(request, "/economics/demand_growth_per_year") ?? 0;
  if ((owned === undefined && price === undefined) || count === undefined || growth !== 0) return undefined;
  const given = (pointer: string) => givenOf(chosen, pointer);
  return {
    kind: "cost",
    gpu_count: count,
    ...numbers({ horizon_years: given("/economics/horizon_years"), discount_rate: given("/economics/discount_rate") }),
    ...taken(valueAt(answer, `${place}/cost/on_premises`), ["utilization"]),
    ...known({ on_premises: owned, cloud: price === undefined ? undefined : { usd_per_gpu_hour: price } }),
    uncertainty: numbers({ draws: given("/options/draws"), seed: given("/options/seed") }),
  };
}

/** Undefined where the screen has nothing to do with this plan: it then opens with its example and says so. */
export function requestByHand(screen: PageName, chosen: Chosen): JsonObject | undefined {
  if (screen === "cost") return costRequest(chosen);
  const serves = isServing(workloadOf(chosen));
  if (screen === "serving") return serves ? servingRequest(chosen) : undefined;
  if (screen === "training") return trainingRequest(chosen);
  if (screen === (serves ? "deployments" : "layouts")) return searchRequest(chosen);
  return screen === "architecture" ? architectureRequest(chosen) : undefined;
}
