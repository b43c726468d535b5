/** What the forms are made of. The build asks the engine's command line and writes it beside the page. */
import type { Json, JsonObject } from "../json.ts";

/** A field of a request as JSON Schema has it, as far as the engine writes it. */
export interface Field {
  description?: string;
  type?: string | string[];
  enum?: string[];
  items?: Field;
  properties?: Record<string, Field>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  default?: Json;
}

export interface Example {
  name: string;
  request: JsonObject;
}

export interface ScreenRequests {
  schema: Field;
  /** Starting points; the first is what the screen opens with. */
  examples: Example[];
}

let loaded: Promise<Record<string, ScreenRequests>> | undefined;

export function loadRequests(): Promise<Record<string, ScreenRequests>> {
  loaded ??= fetch(new URL(`requests.json?v=${__ENGINE_DIGEST__}`, document.baseURI)).then((reply) => {
    if (!reply.ok) throw new Error(`requests.json: ${reply.status}`);
    return reply.json() as Promise<Record<string, ScreenRequests>>;
  });
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

/** How a field is asked for. */
export type Asked =
  | "choice"
  | "choices"
  | "number"
  | "flag"
  | "text"
  | "item"
  | "items"
  | "object"
  | "objects"
  | "json"
  | "counts";

export function askedAs(field: Field): Asked {
  const { type, items } = field;
  if (field.enum !== undefined) return "choice";
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "flag";
  if (type === "object") return "object";
  if (type === "array") {
    if (items?.enum !== undefined) return "choices";
    if (items?.properties !== undefined) return "objects";
    return items?.type === "integer" || items?.type === "number" ? "counts" : "items";
  }
  if (Array.isArray(type)) return type.includes("string") ? "item" : "json";
  return "text";
}

/** The list of the catalog that a field's ids come from. */
export function listOf(key: string): "models" | "gpus" | "systems" {
  if (/model/.test(key)) return "models";
  return key === "system" ? "systems" : "gpus";
}

const kUnit = /(?:^|_)(s|kw|kwh|gb|tb|gib|kg|kb|days|years|months|hours|g|m2|v|a|k|bits)$/;

/** The unit of a field, which its name ends in; empty where it has none. */
export function unitOf(name: string): string {
  const key = name.replace(/_p\d+_max$/, "");
  const money = /(?:^|_)usd(?:_per_(.+))?$/.exec(key);
  if (money !== null)
    return money[1] === undefined
      ? "USD"
      : `USD/${money[1].replaceAll("_", " ").replace("gpu", "GPU").replace("kwh", "kWh")}`;
  const rate = /_(gb|tb)_per_s$/.exec(key);
  if (rate !== null) return `${(rate[1] ?? "").toUpperCase()}/s`;
  if (/per_s$/.test(key)) return "1/s";
  const sign = kUnit.exec(key)?.[1] ?? "";
  const signs: Record<string, string> = {
    kw: "kW",
    kwh: "kWh",
    gb: "GB",
    tb: "TB",
    gib: "GiB",
    kb: "kB",
    v: "V",
    a: "A",
    k: "K",
    m2: "m²",
  };
  return signs[sign] ?? sign;
}
