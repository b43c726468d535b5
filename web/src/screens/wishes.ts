/** Wishes about a plan, each a patch of its request: for "what if", and for Compare where nothing is saved to compare with. */
import type { Plan } from "../contract.ts";
import { isObject, type JsonObject, mergePatch, numberAt, textAt, valueAt } from "../json.ts";
import { fill } from "../messages.ts";
import { formTexts } from "./form_texts.ts";
import { kQualities, type Quality, qualityOf, taskOf } from "./plan_question.ts";
import { texts } from "./texts.ts";

export interface Wish {
  name: string;
  /** A JSON Merge Patch of the request. */
  patch: JsonObject;
}

const kLoads = ["peak_requests_per_s", "mean_requests_per_s", "users", "tokens_per_day"];

const workloadsOf = ({ workloads }: JsonObject): JsonObject[] =>
  Array.isArray(workloads) ? workloads.filter(isObject) : [];

/** Wishes that the request does not have already. */
export function wishesOf(request: JsonObject, placeName = (code: string) => code): Wish[] {
  const workloads = workloadsOf(request);
  const changed = (change: (workload: JsonObject) => JsonObject): JsonObject => ({
    workloads: workloads.map((workload) => ({ ...workload, ...change(workload) })),
  });
  const twice = (workload: JsonObject) =>
    Object.fromEntries(
      kLoads.flatMap((key) => {
        const rate = workload[key];
        return typeof rate === "number" ? [[key, rate * 2]] : [];
      }),
    );
  const serves = workloads.some(({ type }) => type === "serving");
  const country = textAt(request, "/economics/region");
  const asked = textAt(request, "/constraints/sovereignty") ?? "none";
  const stays = asked !== "none" || workloads.every(({ sovereignty }) => sovereignty === "in-country");
  const all: (Wish & { holds: boolean })[] = [
    { name: texts.wishTwice, patch: changed(twice), holds: !serves },
    {
      name: texts.wishSure,
      patch: { constraints: { confidence: 0.95 } },
      holds: (numberAt(request, "/constraints/confidence") ?? 0) >= 0.95,
    },
    {
      name: fill(texts.wishCountry, { country: placeName(country ?? "") }),
      patch: changed(() => ({ sovereignty: "in-country" })),
      holds: country === undefined || /\W/.test(country) || stays,
    },
    {
      name: texts.wishMedian,
      patch: { economics: { price_policy: { price: "median" } } },
      holds: textAt(request, "/economics/price_policy/price") === "median",
    },
    {
      name: texts.wishRent,
      patch: { constraints: { no_capital: true } },
      holds: valueAt(request, "/constraints/no_capital") === true,
    },
    {
      name: texts.wishInstalled,
      patch: changed(() => ({ tuning: "as-installed" })),
      holds: workloads.every(({ tuning }) => tuning === "as-installed"),
    },
    {
      name: texts.wishAnyGpu,
      patch: { constraints: { gpus: null } },
      holds: valueAt(request, "/constraints/gpus/0") === undefined,
    },
  ];
  return all.flatMap(({ name, patch, holds }) => (holds ? [] : [{ name, patch }]));
}

/** The other way of paying: who plans to rent sees what buying costs, and the other way round. */
function otherWay(way: string | undefined): Wish {
  return way?.startsWith("rent")
    ? { name: texts.wishBuyAll, patch: { constraints: { ownership: "oem", no_capital: null } } }
    : { name: texts.wishRentAll, patch: { constraints: { ownership: "cloud" } } };
}

/** Fast answers for a chat, those of a chat where they are fast; of the first workload, as the form has it. */
function otherQuality(request: JsonObject): Wish[] {
  const [first, ...others] = workloadsOf(request);
  if (first === undefined || taskOf(request) !== "serve") return [];
  const quality: Quality = qualityOf(request) === "fast" ? "chat" : "fast";
  const workload = mergePatch(first, { ...kQualities[quality] });
  return [
    {
      name: fill(texts.wishQuality, { quality: formTexts.qualities[quality] }),
      patch: { workloads: [workload, ...others] },
    },
  ];
}

/** What is worth comparing a plan with: the other way of paying, another GPU, another quality; then what else may be wished. */
export function variantsOf(request: JsonObject, plans: readonly Plan[], nameOfGpu: (id: string) => string): Wish[] {
  const [best] = plans;
  const gpu = plans.find((plan) => plan.gpu !== best?.gpu)?.gpu;
  const otherGpu = gpu === undefined ? [] : [{ name: nameOfGpu(gpu), patch: { constraints: { gpus: [gpu] } } }];
  const others = wishesOf(request).filter(({ name }) => name !== texts.wishRent);
  return [...(best === undefined ? [] : [otherWay(best.way)]), ...otherGpu, ...otherQuality(request), ...others];
}
