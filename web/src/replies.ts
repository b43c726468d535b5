/** Reads the engine's replies. */
import type { PlanAnswer, RequestError, Source } from "./contract.ts";
import { isObject, type JsonObject } from "./json.ts";

export type Reply =
  | { kind: "answer"; answer: PlanAnswer }
  | { kind: "errors"; errors: RequestError[] }
  | { kind: "unreadable" };

/** Engine version and the start of the catalog's digest, as links carry them. */
export function madeWith(answer: PlanAnswer): string | undefined {
  const { podwright_version: version, catalog_digest: digest } = answer;
  if (version === undefined) return undefined;
  return digest === undefined ? version : `${version} / ${digest.replace(/^[a-z0-9]+:/, "").slice(0, 8)}`;
}

/** Sorts a reply of the engine; anything that is neither an answer nor a list of errors is `unreadable`. */
export function readReply(text: string): Reply {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "unreadable" };
  }
  if (!isObject(value)) return { kind: "unreadable" };
  if (Array.isArray(value.errors)) {
    const errors = value.errors.filter(isObject).map((error) => ({
      code: String(error.code ?? ""),
      path: String(error.path ?? ""),
      message: String(error.message ?? ""),
      hint: typeof error.hint === "string" && error.hint !== "" ? error.hint : undefined,
    }));
    return { kind: "errors", errors };
  }
  return typeof value.feasible === "boolean" || typeof value.kind === "string"
    ? { kind: "answer", answer: value as unknown as PlanAnswer }
    : { kind: "unreadable" };
}

/** The sources of a catalog list by id; none where the reply is something else. */
export function readSources(text: string): ReadonlyMap<string, Source> {
  try {
    const value: unknown = JSON.parse(text);
    const items = isObject(value) && Array.isArray(value.items) ? value.items : [];
    const sources = items.filter((item): item is JsonObject => isObject(item) && typeof item.id === "string");
    return new Map(sources.map((item) => [String(item.id), item as unknown as Source]));
  } catch {
    return new Map();
  }
}
