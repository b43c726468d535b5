/** Starting points for a description of traffic: shown in the form and changed there, so none of them is a fact. */
import { canonical, isObject, type Json, type JsonObject } from "../json.ts";

/** What prompts share, as `traffic` of a request says it; `workload` is set next to it. */
interface Sharing {
  traffic: JsonObject;
  workload?: JsonObject;
}

export const kSharings = {
  nothing: { traffic: {} },
  system: { traffic: { system_prompt_tokens: 1000, system_prompts: 1 } },
  tenants: { traffic: { system_prompt_tokens: 1000, system_prompts: 50, routing: "prefix-aware" } },
  chats: {
    traffic: { system_prompt_tokens: 300, system_prompts: 1, turns: 3, think_time_s: 60, routing: "prefix-aware" },
  },
  agents: {
    traffic: { system_prompt_tokens: 8000, system_prompts: 1, turns: 20, think_time_s: 5, routing: "prefix-aware" },
    workload: { input_tokens: 20000, output_tokens: 400 },
  },
} as const satisfies Record<string, Sharing>;
export type SharingId = keyof typeof kSharings;

/** Relative rates of the hours from midnight. */
export const kDays = {
  office: [1, 1, 1, 1, 1, 1, 2, 4, 7, 9, 10, 10, 8, 9, 10, 10, 9, 7, 4, 3, 2, 2, 1, 1],
  evening: [4, 2, 1, 1, 1, 1, 2, 3, 4, 4, 5, 5, 6, 6, 5, 5, 6, 7, 8, 9, 10, 10, 9, 6],
} as const;
export type DayId = keyof typeof kDays;

/** Members of `traffic` that a sharing sets; others stay. */
const kOfSharing = ["system_prompt_tokens", "system_prompts", "turns", "think_time_s", "routing"];

const trafficOf = (workload: JsonObject): JsonObject => (isObject(workload.traffic) ? workload.traffic : {});

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** A workload with another description of its traffic; an empty one goes. */
export function withTraffic(workload: JsonObject, traffic: JsonObject): JsonObject {
  const { traffic: _old, ...rest } = workload;
  return Object.keys(traffic).length === 0 ? rest : { ...rest, traffic };
}

/** What says the mean next to the hours of the day, and so goes when these say it. */
const kOfMean = ["mean_requests_per_s", "peak_over_mean"];

/** A workload with a published trace, which then gives what it has of lengths, sharing and hours; without one, with these lengths where it has none. */
export function withPreset(workload: JsonObject, id: string | undefined, lengths: JsonObject): JsonObject {
  const { preset: _old, ...traffic } = trafficOf(workload);
  if (id === undefined) return withTraffic({ ...lengths, ...workload }, traffic);
  const own = without(traffic, [...kOfSharing, "hours", "dispersion"]);
  return withTraffic(without(workload, [...Object.keys(lengths), ...kOfMean]), { ...own, preset: id });
}

export function withSharing(workload: JsonObject, id: SharingId): JsonObject {
  const { traffic, workload: lengths = {} }: Sharing = kSharings[id];
  return withTraffic({ ...workload, ...lengths }, { ...without(trafficOf(workload), kOfSharing), ...traffic });
}

/** The sharing that a workload has; undefined for numbers of its own. */
export function sharingOf(workload: JsonObject): SharingId | undefined {
  const own = Object.entries(trafficOf(workload)).filter(([key]) => kOfSharing.includes(key));
  const text = canonical(Object.fromEntries(own));
  return (Object.keys(kSharings) as SharingId[]).find((id) => canonical(kSharings[id].traffic) === text);
}

/** A workload whose requests follow these hours; the mean rate is then theirs. */
export function withHours(workload: JsonObject, hours: readonly number[] | undefined): JsonObject {
  const { hours: _hours, ...traffic } = trafficOf(workload);
  return withTraffic(without(workload, kOfMean), hours === undefined ? traffic : { ...traffic, hours: [...hours] });
}

export function hoursOf(workload: JsonObject): number[] | undefined {
  const { hours } = trafficOf(workload);
  const isWhole = Array.isArray(hours) && hours.length === 24 && hours.every((hour) => typeof hour === "number");
  return isWhole ? (hours as number[]) : undefined;
}

/** Which of the days it is: one of the list, its own, or none, of which the mean may be given. */
export function dayOf(workload: JsonObject): DayId | "own" | "same" | "mean" {
  const hours = hoursOf(workload);
  if (hours === undefined) return kOfMean.some((key) => workload[key] !== undefined) ? "mean" : "same";
  const text = canonical(hours as Json);
  return (Object.keys(kDays) as DayId[]).find((id) => canonical([...kDays[id]]) === text) ?? "own";
}
