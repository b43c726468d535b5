/**
 * Complaints of the engine about a request, said with the labels of the form in place of keys, each with what would mend it. The
 * mends only write into the request: what the engine calls legal, what the form was opened with, or nothing.
 */
import type { RequestError } from "../contract.ts";
import { figureText, numberText, phrase } from "../format.ts";
import { isObject, type Json, type JsonObject, mergePatch, numberAt, valueAt, withValue } from "../json.ts";
import { fill } from "../messages.ts";
import { faultTexts } from "./fault_texts.ts";
import { fieldLabel, hasLabel } from "./field_names.ts";

export interface Mend {
  text: string;
  /** The request without the fault. */
  request: Json;
}

export interface SaidFault {
  text: string;
  /** The engine's advice, where the text does not say it. */
  hint?: string;
  mends: Mend[];
}

interface Asked {
  error: RequestError;
  request: JsonObject;
  /** What the form was opened with. */
  preset: JsonObject;
}

const kMean = "mean_requests_per_s";
const kPeak = "peak_requests_per_s";

const keyOf = (pointer: string) => pointer.split("/").findLast((word) => !/^\d*$/.test(word)) ?? "";
const parentOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf("/"));
/** A number of a request as people read it; `Peak requests/s` says its unit itself. */
const numberOf = (key: string, value: number) =>
  fieldLabel(key).includes("/") ? numberText(value) : phrase(figureText(key, value));
const valueText = (key: string, value: unknown) => (typeof value === "number" ? numberOf(key, value) : String(value));

/** The labels of the form in place of what is written as a key. */
export function withLabels(text: string): string {
  return text
    .replaceAll(/\{"(\w+)": (?:\S+?|\[[^\]]*\])\}/g, (_, key: string) => `“${fieldLabel(key)}”`)
    .replaceAll(/["`]?\b([a-z0-9]+(?:_[a-z0-9]+)+)\b["`]?/g, (_, key: string) => `“${fieldLabel(key)}”`)
    .replaceAll(/"([a-z]+)"/g, (word, key: string) => (hasLabel(key) ? `“${fieldLabel(key)}”` : word))
    .replaceAll(/ x (?=[a-z“])/g, " × ");
}

/** Where a complaint is, in labels: `Money and time: Electricity`. */
export function placeText(pointer: string): string {
  const words = pointer.split("/").filter((word) => word !== "" && !/^\d+$/.test(word));
  return words
    .map(fieldLabel)
    .reduce((outer, inner) => fill(faultTexts.place, { outer, inner }), "")
    .replace(/^\W*/, "");
}

export function sayFault(error: RequestError, request: JsonObject, preset: JsonObject): SaidFault {
  const asked = { error, request, preset };
  return said(asked) ?? { text: withLabels(error.message), hint: restOf(error), mends: legalMends(asked) };
}

/** Advice that is no list of keys and values. */
function restOf({ hint }: RequestError): string | undefined {
  return hint === undefined || /^(?:Legal|Known keys|Write \{|Add ")/.test(hint) ? undefined : withLabels(hint);
}

function said(asked: Asked): SaidFault | undefined {
  switch (asked.error.code) {
    case "missing":
      return sayMissing(asked);
    case "out-of-range":
      return sayRange(asked);
    case "wrong-type":
      return sayType(asked);
    case "unknown-key":
      return { text: named(asked, faultTexts.unknownKey), mends: [removal(asked)] };
    case "unknown-id":
      return sayUnknown(asked);
    case "conflict":
      return sayRates(asked) ?? sayRivals(asked);
    default:
      return undefined;
  }
}

function named({ error }: Asked, template: string, values: Record<string, string> = {}): string {
  return fill(template, { field: fieldLabel(keyOf(error.path)), ...values });
}

function removal({ error: { path }, request }: Asked): Mend {
  return {
    text: fill(faultTexts.remove, { field: fieldLabel(keyOf(path)) }),
    request: withValue(request, path, undefined),
  };
}

function setting({ request }: Asked, pointer: string, value: Json): Mend {
  const key = keyOf(pointer);
  const text = fill(faultTexts.set, { field: fieldLabel(key), value: valueText(key, value) });
  return { text, request: withValue(request, pointer, value) };
}

/** Back to what the form was opened with, where that is another value of the same kind. */
function presetMend(asked: Asked): Mend[] {
  const { error, request, preset } = asked;
  const value = valueAt(preset, error.path);
  const isUsable = (typeof value === "number" || typeof value === "string") && value !== valueAt(request, error.path);
  const isSameTask = valueAt(preset, "/workloads/0/type") === valueAt(request, "/workloads/0/type");
  return isUsable && isSameTask ? [setting(asked, error.path, value)] : [];
}

function sayMissing(asked: Asked): SaidFault {
  return { text: named(asked, faultTexts.missing), mends: presetMend(asked) };
}

/** Least and most as the hint has them: `Legal: 1 to 100000000.` */
function boundsOf({ hint = "" }: RequestError): [number, number] | undefined {
  const found = /^Legal: (\S+) to (\S+?)\.?$/.exec(hint);
  const bounds = found === null ? [] : [Number(found[1]), Number(found[2])];
  const [low, high] = bounds;
  return low !== undefined && high !== undefined && bounds.every(Number.isFinite) ? [low, high] : undefined;
}

/** Bounds beyond these only keep the engine from dividing by nothing; nobody means them. */
const kLeastMeant = 1e-3;
const kMostMeant = 1e15;

function sayRange(asked: Asked): SaidFault | undefined {
  const { error, request } = asked;
  const value = valueAt(request, error.path);
  const bounds = boundsOf(error);
  if (typeof value === "string") {
    const text = named(asked, faultTexts.noChoice, { value });
    return { text, mends: [...presetMend(asked), removal(asked)] };
  }
  if (bounds === undefined || typeof value !== "number") return undefined;
  const [low, high] = bounds;
  const key = keyOf(error.path);
  const isOpen = low > 0 && low < kLeastMeant;
  const text =
    isOpen && value < low
      ? named(asked, faultTexts.above)
      : named(asked, faultTexts.between, { low: numberOf(key, low), high: numberOf(key, high) });
  const nearest = value < low ? low : high;
  const isMeant = nearest <= 0 || (nearest >= kLeastMeant && nearest <= kMostMeant);
  const mends = [...(isMeant ? [setting(asked, error.path, nearest)] : []), ...presetMend(asked)];
  return { text, mends: mends.length > 0 ? mends : [removal(asked)] };
}

function sayType(asked: Asked): SaidFault | undefined {
  const { error, request } = asked;
  const value = valueAt(request, error.path);
  if (/whole number/.test(error.message) && typeof value === "number")
    return { text: named(asked, faultTexts.whole), mends: [setting(asked, error.path, Math.round(value))] };
  if (!/must be a number/.test(error.message)) return undefined;
  const number = typeof value === "string" ? Number(value) : Number.NaN;
  const meant = Number.isFinite(number) ? [setting(asked, error.path, number)] : presetMend(asked);
  return { text: named(asked, faultTexts.number), mends: meant };
}

/** A model or GPU that the catalog does not have; of a list only that one goes. */
function sayUnknown(asked: Asked): SaidFault {
  const { error, request } = asked;
  const value = String(valueAt(request, error.path));
  const text = fill(faultTexts.unknownId, { value });
  if (!/\/\d+$/.test(error.path)) return { text, mends: presetMend(asked) };
  const rest = withValue(request, error.path, undefined);
  const list = parentOf(error.path);
  const left = valueAt(rest, list);
  const isEmpty = Array.isArray(left) && left.length === 0;
  const mended = isEmpty ? withValue(rest, list, undefined) : rest;
  return { text, mends: [{ text: fill(faultTexts.removeValue, { value }), request: mended }] };
}

function sayRates(asked: Asked): SaidFault | undefined {
  const { error, request } = asked;
  if (keyOf(error.path) !== kMean) return undefined;
  const peak = numberAt(request, `${parentOf(error.path)}/${kPeak}`);
  const mean = numberAt(request, error.path);
  if (peak === undefined || mean === undefined || mean <= peak) return undefined;
  const names = { mean: fieldLabel(kMean), peak: fieldLabel(kPeak) };
  const mends = [setting(asked, error.path, peak), setting(asked, `${parentOf(error.path)}/${kPeak}`, mean)];
  return { text: fill(faultTexts.meanAbovePeak, names), mends };
}

/** Fields of which only one may be given, as the engine names them in quotes. */
function sayRivals(asked: Asked): SaidFault | undefined {
  const { error, request } = asked;
  // Of an object that must say one thing, the advice names them.
  const isInside = /^Write one of \{/.test(error.hint ?? "") && isObject(valueAt(request, error.path));
  const named = isInside ? (error.hint ?? "") : error.message;
  const keys = [...named.matchAll(/"([a-z0-9_]+)"/g)].map(([, key = ""]) => key);
  const at = isInside ? error.path : parentOf(error.path);
  const place = valueAt(request, at);
  if (keys.length < 2 || !isObject(place)) return undefined;
  const given = keys.filter((key) => Object.hasOwn(place, key));
  const fields = listText(keys.map((key) => `“${fieldLabel(key)}”`));
  const isOneAsked = /exactly one of/i.test(error.message);
  if (given.length < 2)
    return isOneAsked && given.length === 0 ? { text: fill(faultTexts.oneNeeded, { fields }), mends: [] } : undefined;
  const mends = given.map((key) => {
    const others = Object.fromEntries(given.filter((other) => other !== key).map((other) => [other, null]));
    const text = fill(faultTexts.keepOnly, { field: fieldLabel(key) });
    return { text, request: withValue(request, at, mergePatch(place, others)) };
  });
  return { text: fill(faultTexts.onlyOne, { fields: listText(given.map((key) => `“${fieldLabel(key)}”`)) }), mends };
}

function listText(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : fill(faultTexts.and, { first: items.slice(0, -1).join(", "), last });
}

/** `Legal: 16384, or other sizes` names the one number that would do. */
function legalMends(asked: Asked): Mend[] {
  const found = /^Legal: (\d+(?:\.\d+)?),/.exec(asked.error.hint ?? "");
  return found === null ? [] : [setting(asked, asked.error.path, Number(found[1]))];
}
