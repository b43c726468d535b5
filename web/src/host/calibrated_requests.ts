/** Requests of other screens with the rates of a machine in them. */
import { canonical, isObject, type Json, type JsonObject, withValue } from "../json.ts";

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
