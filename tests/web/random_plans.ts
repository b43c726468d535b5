/** Repeatable questions to the planner: everything that a request may ask, feasible or not, and the same asked with more. */
import { isObject, type JsonObject } from "../../web/src/json.ts";
import { pick, type Random, randomFrom } from "./random_json.ts";

/** What the catalog has: every model and GPU may be asked for. */
export interface Known {
  models: readonly { id: string; context_tokens: number }[];
  gpus: readonly { id: string }[];
}

/** Prompt and answer of a request. */
const kLongest = 9000;

type Some<T> = readonly [T, ...T[]];

/** What people plan with; the rest of the catalog comes up too. */
const kModels = ["llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b", "gpt-oss-120b", "deepseek-v3"] as const;
const kGpus = [
  ...["h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm", "b300-sxm", "gb200", "gb300", "l40s", "a100-sxm4-80gb", "l4"],
] as unknown as Some<string>;
const kRegions = ["USA", "DEU", "FRA", "GBR", "IND", "JPN", "SGP", "BRA", "gcp:europe-west3"] as const;

const oneIn = (random: Random, count: number) => random() < 1 / count;

/** Even in its logarithm, three digits. */
function scale(random: Random, low: number, high: number): number {
  return Number((low * (high / low) ** random()).toPrecision(3));
}

function anyOf(random: Random, usual: Some<string>, all: readonly string[]): string {
  return oneIn(random, 3) ? pick(random, all as Some<string>) : pick(random, usual);
}

/** Fields that a question gives one time in so many. */
function sometimes(random: Random, count: number, fields: () => JsonObject): JsonObject {
  return oneIn(random, count) ? fields() : {};
}

function serving(random: Random, models: readonly string[]): JsonObject {
  const peak = scale(random, 0.1, 80);
  return {
    type: "serving",
    model: anyOf(random, kModels, models),
    peak_requests_per_s: peak,
    ...(oneIn(random, 4)
      ? {}
      : { mean_requests_per_s: Number((peak * (0.03 + 0.97 * random())).toPrecision(3)) || peak }),
    input_tokens: pick(random, [200, 500, 1000, 2048, 4000, 8000]),
    output_tokens: pick(random, [50, 100, 300, 512, 1000]),
    ...(oneIn(random, 3) ? {} : { ttft_s_p95_max: pick(random, [0.3, 0.5, 1, 2, 5]) }),
    ...(oneIn(random, 3) ? {} : { tpot_s_p95_max: pick(random, [0.015, 0.03, 0.05, 0.1]) }),
    ...sometimes(random, 5, () => ({ weight_precisions: [pick(random, ["bf16", "fp8", "int4", "nvfp4"])] })),
    ...sometimes(random, 6, () => ({ engine: pick(random, ["vllm", "sglang", "tensorrt-llm"]) })),
    ...sometimes(random, 6, () => ({ tuning: pick(random, ["tuned", "typical", "as-installed"]) })),
    ...sometimes(random, 8, () => ({ prefix_hit_ratio: pick(random, [0.2, 0.5, 0.9]) })),
    ...sometimes(random, 10, () => ({ speculative: { acceptance: pick(random, [0.6, 0.8]) } })),
    ...sometimes(random, 8, () => ({ traffic: { dispersion: pick(random, [2, 4]) } })),
  };
}

function training(random: Random, models: readonly string[]): JsonObject {
  const method = pick(random, ["full", "lora", "qlora"]);
  return {
    type: "training",
    model: anyOf(random, ["llama-3.1-8b", "llama-3.1-70b", "mixtral-8x7b-v0.1", "gpt-oss-20b"], models),
    method,
    tokens: method === "full" ? scale(random, 1e10, 2e12) : scale(random, 1e7, 1e10),
    deadline_days: pick(random, [2, 7, 20, 60, 120]),
    ...sometimes(random, 2, () => ({ runs_per_year: pick(random, [1, 4, 12]) })),
    ...sometimes(random, 2, () => ({ sequence_length: pick(random, [2048, 4096, 8192]) })),
    ...sometimes(random, 2, () => ({ global_batch_size: pick(random, [64, 256, 1024]) })),
    ...sometimes(random, 4, () => ({ precision: pick(random, ["bf16", "fp8"]) })),
    ...sometimes(random, 5, () => ({ tuning: pick(random, ["tuned", "typical", "as-installed"]) })),
  };
}

function constraints(random: Random, all: readonly string[], serves: boolean): JsonObject {
  const gpus = Array.from({ length: 1 + Math.floor(3 * random()) }, () =>
    oneIn(random, 8) ? pick(random, all as Some<string>) : pick(random, kGpus),
  );
  return {
    ...(oneIn(random, 8) ? {} : { gpus: [...new Set(gpus)] }),
    ...sometimes(random, 3, () => ({ ownership: pick(random, ["cloud", "dgx", "oem", "pcie"]) })),
    ...sometimes(random, 6, () => ({ sovereignty: pick(random, ["in-country", "on-premises", "air-gapped"]) })),
    ...sometimes(random, 6, () => ({ budget_usd: scale(random, 1e4, 1e8) })),
    ...sometimes(random, 8, () => ({ budget_usd_per_year: scale(random, 1e4, 1e8) })),
    ...sometimes(random, 8, () => ({ no_capital: true })),
    ...sometimes(random, 6, () => ({ confidence: pick(random, [0.5, 0.9, 0.95]) })),
    ...sometimes(random, 10, () => ({ spare_machines: 1 })),
    // A run of training cannot be spread.
    ...(serves ? sometimes(random, 12, () => ({ sites: 2, survives_site_loss: random() < 0.5 })) : {}),
    ...sometimes(random, 12, () => ({ site_power_kw: scale(random, 10, 2000) })),
    ...sometimes(random, 12, () => ({ liquid_cooling: random() < 0.5 })),
  };
}

function economics(random: Random): JsonObject {
  return {
    ...(oneIn(random, 6) ? {} : { region: pick(random, kRegions) }),
    ...sometimes(random, 2, () => ({ horizon_years: pick(random, [1, 3, 4, 5]) })),
    ...sometimes(random, 4, () => ({ price_policy: { price: pick(random, ["three-lowest", "median", "lowest"]) } })),
    ...sometimes(random, 5, () => ({ storage_tb: scale(random, 0.1, 500) })),
    ...sometimes(random, 5, () => ({ egress_gb_per_month: scale(random, 1, 1e5) })),
    ...sometimes(random, 8, () => ({ demand_growth_per_year: pick(random, [-0.2, 0.2, 0.5]) })),
    ...sometimes(random, 8, () => ({ license: "nvidia-ai-enterprise" })),
  };
}

/** One workload mostly, serving mostly. */
export function randomPlan(seed: number, known: Known): JsonObject {
  const random = randomFrom(seed);
  const models = known.models.filter(({ context_tokens }) => context_tokens >= kLongest).map(({ id }) => id);
  const gpus = known.gpus.map(({ id }) => id);
  const count = oneIn(random, 8) ? 2 : 1;
  const workloads: JsonObject[] = Array.from({ length: count }, (_, i) => ({
    name: `work ${i + 1}`,
    ...(random() < 0.68 ? serving(random, models) : training(random, models)),
  }));
  return {
    kind: "plan",
    workloads,
    constraints: constraints(
      random,
      gpus,
      workloads.every(({ type }) => type === "serving"),
    ),
    economics: economics(random),
    options: { top: 3, draws: oneIn(random, 10) ? 400 : 0 },
  };
}

/** The request with numbers of each workload times a factor; undefined where it has none of them. */
function scaled(request: JsonObject, keys: readonly string[], factor: number): JsonObject | undefined {
  let found = false;
  const workloads = (request.workloads as JsonObject[]).map((workload) =>
    Object.fromEntries(
      Object.entries(workload).map(([key, value]) => {
        const isMeant = keys.includes(key) && typeof value === "number";
        found ||= isMeant;
        return [key, isMeant ? value * factor : value];
      }),
    ),
  );
  return found ? { ...request, workloads } : undefined;
}

const constrained = (request: JsonObject, change: JsonObject): JsonObject => ({
  ...request,
  constraints: { ...(isObject(request.constraints) ? request.constraints : {}), ...change },
});

/** The same asked with more load or a stricter wish; undefined where the request leaves no room for that. */
export const kMore: Record<string, (request: JsonObject) => JsonObject | undefined> = {
  "the peak alone twice": (request) => scaled(request, ["peak_requests_per_s"], 2),
  "peak and mean twice": (request) => scaled(request, ["peak_requests_per_s", "mean_requests_per_s"], 2),
  "twice the runs": (request) => scaled(request, ["runs_per_year"], 2),
  "a first token in 3/4 of the time": (request) => scaled(request, ["ttft_s_p95_max"], 0.75),
  "each token in 3/4 of the time": (request) => scaled(request, ["tpot_s_p95_max"], 0.75),
  "done in 3/4 of the days": (request) => scaled(request, ["deadline_days"], 0.75),
  "in its country": (request) =>
    (request.constraints as JsonObject).sovereignty === undefined
      ? constrained(request, { sovereignty: "in-country" })
      : undefined,
  "fewer GPUs to choose from": (request) => {
    const { gpus } = request.constraints as JsonObject;
    return Array.isArray(gpus) && gpus.length > 1 ? constrained(request, { gpus: gpus.slice(1) }) : undefined;
  },
};
