/** Merge patches of a request, as reasons offer them, in words. */
import type { Rejected } from "./contract.ts";
import { figureText, phrase } from "./format.ts";
import {
  type Change,
  changesBetween,
  isObject,
  type Json,
  type JsonObject,
  mergePatch,
  pointerToken,
  withValue,
} from "./json.ts";
import { fill, labelOf, messages } from "./messages.ts";

/**
 * The patch as one of the whole request. A patch of fields that the failed workload has is meant for that workload; a patch that
 * fits neither is none of ours.
 */
export function wholePatch(request: JsonObject, reason: Rejected, patch: JsonObject): JsonObject | undefined {
  const keys = Object.keys(patch);
  if (keys.every((key) => Object.hasOwn(request, key) || key === "constraints")) return patch;
  const workloads = Array.isArray(request.workloads) ? request.workloads : [];
  const named = workloads.findIndex((item) => isObject(item) && item.name === reason.workload);
  const index = named < 0 && workloads.length === 1 ? 0 : named;
  const workload = workloads[index];
  if (!isObject(workload) || !keys.every((key) => Object.hasOwn(workload, key))) return undefined;
  const changed = withValue(workloads, `/${index}`, mergePatch(workload, patch));
  return { workloads: changed };
}

/** The values of a part that the request did not have, each at its own place. */
function valuesOf([pointer, value]: Change): Change[] {
  if (!isObject(value)) return [value === undefined ? [pointer] : [pointer, value]];
  return Object.entries(value).flatMap(([key, item]) => valuesOf([`${pointer}/${pointerToken(key)}`, item]));
}

/** The patch in words, ids named by `nameOf`; empty where it would change nothing. */
export function patchText(request: JsonObject, patch: JsonObject, nameOf: (id: string) => string): string {
  const word = (key: string, item: Json) => {
    if (typeof item === "string") return nameOf(item);
    if (typeof item === "boolean") return item ? messages.yes : messages.no;
    return typeof item === "number" ? phrase(figureText(key, item)) : JSON.stringify(item);
  };
  return changesBetween(request, mergePatch(request, patch))
    .flatMap(valuesOf)
    .map(([pointer, value]) => {
      const words = pointer.split("/").filter((part) => !/^\d+$/.test(part));
      const key = words.at(-1) ?? "";
      const name = labelOf(key);
      if (value === undefined) return fill(messages.wayOutRemove, { name });
      const items = (Array.isArray(value) ? value : [value]).map((item) => word(key, item));
      return fill(messages.wayOutSet, { name, value: items.join(", ") });
    })
    .join("; ");
}
