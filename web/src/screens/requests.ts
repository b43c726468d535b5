/** What the forms are made of. The build asks the engine's command line and writes it beside the page. */
import type { PlanAnswer } from "../contract.ts";
import { currency } from "../currency.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { preloaded } from "../preloaded.ts";
import type { PageName } from "../route.ts";

/** A field of a request as JSON Schema has it, as far as the engine writes it. */
export interface Field {
  description?: string;
  type?: string | string[];
  enum?: string[];
  items?: Field;
  properties?: Record<string, Field>;
  required?: string[];
  /** Forms of an object, told apart by fields of one word each. */
  oneOf?: Field[];
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
  /** What the command line answers to the first, for the time until the engine has. */
  answer?: PlanAnswer;
}

const loaded = new Map<PageName, Promise<ScreenRequests>>();

async function load(screen: PageName): Promise<ScreenRequests> {
  const begun = preloaded.screen === screen ? preloaded.requests : undefined;
  delete preloaded.requests;
  const file = `screens/${__SCREENS_DIGEST__}/${screen}.json`;
  const reply = await (begun ?? fetch(new URL(file, document.baseURI)));
  if (!reply.ok) throw new Error(`${file}: ${reply.status}`);
  return reply.json() as Promise<ScreenRequests>;
}

/** The form of a screen that asks the engine, read once. */
export function loadRequests(screen: PageName): Promise<ScreenRequests> {
  const known = loaded.get(screen);
  if (known !== undefined) return known;
  const asked = load(screen);
  loaded.set(screen, asked);
  asked.catch(() => loaded.delete(screen));
  return asked;
}

/** The form of an object that its words choose; the fields that choose have the words of all forms. */
export function formOf(schema: Field, value: unknown): Field {
  const { oneOf: forms } = schema;
  if (forms === undefined) return schema;
  const given = isObject(value) ? value : {};
  const isChosen = ({ properties = {}, required = [] }: Field) =>
    Object.entries(properties).every(
      ([key, { enum: words }]) =>
        words?.length !== 1 || (key in given ? given[key] === words[0] : !required.includes(key)),
    );
  const form = forms.find(isChosen) ?? forms[0] ?? {};
  const choices = Object.entries(form.properties ?? {}).map(([key, field]) => {
    const words = new Set(forms.flatMap(({ properties }) => properties?.[key]?.enum ?? []));
    return [key, field.enum?.length === 1 ? { ...field, enum: [...words] } : field] as const;
  });
  return { ...form, properties: Object.fromEntries(choices) };
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
  if (field.oneOf !== undefined) return "object";
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "flag";
  if (type === "object") return "object";
  if (type === "array") {
    if (items?.enum !== undefined) return "choices";
    if (items?.properties !== undefined || items?.oneOf !== undefined) return "objects";
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

/** The unit of a field, which its name ends in, money in the currency on show; empty where it has none. */
export function unitOf(name: string): string {
  const key = name.replace(/_p\d+_max$/, "");
  const money = /(?:^|_)usd(?:_per_(.+))?$/.exec(key);
  const { id } = currency.value;
  if (money !== null)
    return money[1] === undefined
      ? id
      : `${id}/${money[1].replaceAll("_", " ").replace("gpu", "GPU").replace("kwh", "kWh")}`;
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
