/** Requests of other screens with the rates of a machine in them. Every change is an edit of the screen's own page. */
import type { PlanAnswer } from "../contract.ts";
import { canonical, isObject, type Json, type JsonObject, withValue } from "../json.ts";
import { encodeLink } from "../link.ts";
import type { Page } from "../page.ts";
import { knownPage, openPage } from "../pages.ts";
import { lastHash, pathOf, type Screen } from "../route.ts";
import { loadRequests } from "../screens/requests.ts";

const kNoAnswer: PlanAnswer = { feasible: true };

/** The page of a screen that asks the engine, opened with its first example where it was not shown yet. */
export async function pageFor(screen: Screen, plan: Page): Promise<Page | undefined> {
  if (screen === "plan") return plan;
  const known = knownPage(screen);
  if (known !== undefined) return known;
  const preset = (await loadRequests(screen)).examples[0]?.request;
  if (preset === undefined) return undefined;
  const initial = { ...plan.state.initial, preset, answer: kNoAnswer };
  return knownPage(screen) ?? openPage(initial, { screen, explain: "at the top" });
}

/** Edits a page, and makes its address lead to the edited request at once. */
export async function editPage(page: Page, request: Json): Promise<void> {
  if (!isObject(request)) return;
  const { state, controller } = page;
  controller.edit("", request);
  const { screen } = state.asking;
  const path = pathOf(screen);
  const hash = await encodeLink(state.initial.preset, { request, plan: state.selected.value }, path);
  lastHash.set(screen, hash === "" ? `#${path}` : hash);
}

export function hasCalibration(request: JsonObject, calibration: Json | undefined): boolean {
  return calibration !== undefined && request.calibration !== undefined
    ? canonical(request.calibration) === canonical(calibration)
    : false;
}

export function withCalibration(request: JsonObject, calibration: Json | undefined): JsonObject {
  return withValue(request, "/calibration", calibration) as JsonObject;
}

/** GPUs of the catalog in a profile, by how many devices are of each. */
export function gpusOf(profile: JsonObject): Map<string, number> {
  const counts = new Map<string, number>();
  const devices = Array.isArray(profile.devices) ? profile.devices.filter(isObject) : [];
  for (const { key, kind } of devices)
    if (kind === "gpu" && typeof key === "string" && key !== "") counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const kTaken = ["model", "input_tokens", "output_tokens", "ttft_s_p95_max", "tpot_s_p95_max"];

/** The search for the highest rate that so many GPUs carry: what the plan's first serving workload asks, on this machine. */
export function fleetRequest(
  plan: JsonObject,
  preset: JsonObject,
  gpu: string,
  count: number,
  calibration: Json | undefined,
): JsonObject {
  const workloads = Array.isArray(plan.workloads) ? plan.workloads.filter(isObject) : [];
  const workload = workloads.find(({ type }) => type === "serving") ?? preset;
  const asked = Object.fromEntries(
    kTaken.flatMap((key) => (workload[key] === undefined ? [] : [[key, workload[key] ?? null]])),
  );
  const request: JsonObject = { kind: "search", type: "serving", ...asked, gpu, gpu_count: count };
  return calibration === undefined ? request : { ...request, calibration };
}
