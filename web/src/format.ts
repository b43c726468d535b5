/**
 * Numbers of the engine as text. A key ends in its unit (`ttft_s`, `weights_gib`, `usd_per_year`), so the key alone decides
 * how a value is written, and the same quantity has the same digits wherever it stands. Conversion between units of one
 * quantity (GiB and GB, s and ms) happens here; nothing else is computed.
 */
import { currency } from "./currency.ts";
import table from "./labels.json" with { type: "json" };
import { language } from "./language.ts";
import { fill, messages } from "./messages.ts";
import { translated } from "./translation.ts";

export type MemoryUnit = "GB" | "GiB";

/** `exact` is the value as the engine gave it, for the hover text. */
export interface FigureText {
  value: string;
  unit: string;
  exact: string;
}

/** The smallest size that a unit is used from, how many base units it holds, its sign. Largest first. */
type Step = readonly [from: number, base: number, sign: string];

const kBytesPerGib = 2 ** 30;
const kBytesPerGb = 1e9;
const kLocale = "en";

const kDurations: readonly Step[] = [
  [172_800, 86_400, "days"],
  [7200, 3600, "h"],
  [120, 60, "min"],
  [1, 1, "s"],
  [1e-4, 1e-3, "ms"],
  [1e-6, 1e-6, "µs"],
  [0, 1e-9, "ns"],
];
const kDecimalBytes: readonly Step[] = [
  [1e12, 1e12, "TB"],
  [1e9, 1e9, "GB"],
  [1e6, 1e6, "MB"],
  [1e3, 1e3, "kB"],
  [0, 1, "B"],
];
const kBinaryBytes: readonly Step[] = [
  [2 ** 40, 2 ** 40, "TiB"],
  [2 ** 30, 2 ** 30, "GiB"],
  [2 ** 20, 2 ** 20, "MiB"],
  [2 ** 10, 2 ** 10, "KiB"],
  [0, 1, "B"],
];
const kFlops: readonly Step[] = [
  [1e15, 1e15, "PFLOP"],
  [1e12, 1e12, "TFLOP"],
  [1e9, 1e9, "GFLOP"],
  [1e6, 1e6, "MFLOP"],
  [0, 1, "FLOP"],
];

/** Below the first size JavaScript writes powers of ten, above the second not every cent is a number; a formatter does it there. */
const kPlainFrom = 1e-6;
const kPlainTo = 1e13;

/** A formatter of the browser takes long to make, and a page needs none for what it mostly shows. */
function formatted(value: number, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(kLocale, options).format(value);
}

function grouped(whole: string): string {
  return whole.length <= 3 ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Digits that tell an exact half from what is above or below it. */
const kExact = 60;

/** `size` in steps of ten to the power of `-places`; exactly between two the even one, as the engine rounds. */
function inSteps(size: number, places: number): number {
  const [mantissa = "", power] = size.toExponential(kExact).split("e");
  const digits = mantissa.replace(".", "");
  const kept = Number(power) + places + 1;
  if (kept < 0) return 0;
  const steps = Number(digits.slice(0, kept));
  const rest = digits.slice(kept);
  const isUp = /^50*$/.test(rest) ? steps % 2 === 1 : rest >= "5";
  return steps + (isUp ? 1 : 0);
}

/** The value to so many digits. */
export function rounded(value: number, digits: number): number {
  const size = Math.abs(value);
  const places = digits - 1 - powerOf(size);
  return size === 0 ? 0 : Math.sign(value) * Number(`${inSteps(size, places)}e${-places}`);
}

/** The power of ten of a number's first digit. */
function powerOf(size: number): number {
  return Number(size.toExponential().split("e")[1]);
}

function fixed(value: number, digits: number): string {
  const size = Math.abs(value);
  if (!(size < kPlainTo)) return formatted(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const steps = String(size < kPlainFrom ? 0 : inSteps(size, digits)).padStart(digits + 1, "0");
  const whole = steps.length - digits;
  const fraction = digits === 0 ? "" : `.${steps.slice(whole)}`;
  return `${value < 0 || Object.is(value, -0) ? "-" : ""}${grouped(steps.slice(0, whole))}${fraction}`;
}

/** Three digits at most, as the engine writes numbers in its sentences. */
function significant(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return fixed(value, 0);
  if (!(size >= kPlainFrom && size < kPlainTo)) return formatted(value, { maximumSignificantDigits: 3 });
  const [whole = "", fraction = ""] = String(rounded(size, 3)).split(".");
  return `${value < 0 ? "-" : ""}${grouped(whole)}${fraction === "" ? "" : `.${fraction}`}`;
}

/** English has words for these; a formatter that knows them takes 13 ms to make, as long as drawing a table. */
const kInWords: readonly Step[] = [
  [1e12, 1e12, "trillion"],
  [1e9, 1e9, "billion"],
  [0, 1e6, "million"],
];

/** `70.6 billion`, in the words of the page's language, with three digits at most. */
function inWords(value: number): string {
  if (language.value !== "en") {
    const options = { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 3 } as const;
    return new Intl.NumberFormat(language.value, options).format(value);
  }
  const shown = rounded(value, 3);
  const [, base = 1, word = ""] = kInWords.find(([from]) => Math.abs(shown) >= from) ?? [];
  return `${shown / base} ${word}`;
}

/** Counts below ten million in full; other numbers with three significant digits. */
export function numberText(value: number): string {
  const size = Math.abs(value);
  if (size < 1e7 && (Number.isInteger(value) || size >= 1000)) return fixed(value, 0);
  if (size >= 1e15 || (size > 0 && size < 1e-6)) return value.toExponential(2);
  if (size >= 1e7) return inWords(value);
  return significant(value);
}

function scaled(value: number, steps: readonly Step[]): [string, string] {
  const size = Math.abs(value);
  const [, base, sign] = (size === 0 ? undefined : steps.find(([from]) => size >= from)) ?? [0, 1, ""];
  return [significant(value / base), unitWord(sign)];
}

/** A unit that is a word, in the language of the page. */
export function unitWord(sign: string): string {
  const words: Record<string, string> = messages.units;
  return words[sign] ?? translated(sign);
}

export function perUnit(unit: string): string {
  return fill(messages.units.per ?? "", { unit: unitWord(unit) });
}

/** Seconds that are none: what is left of a wait that the model has as nearly nothing. */
const kNoTime = 1e-12;

export function durationText(seconds: number): [string, string] {
  return Math.abs(seconds) < kNoTime ? ["0", "s"] : scaled(seconds, kDurations);
}

function bytesText(bytes: number, unit: MemoryUnit): [string, string] {
  return bytes === 0 ? ["0", "B"] : scaled(bytes, unit === "GB" ? kDecimalBytes : kBinaryBytes);
}

/** Memory of a GPU keeps one decimal and one unit, so that parts and total can be compared at a glance. */
function memoryText(bytes: number, unit: MemoryUnit): [string, string] {
  const base = unit === "GB" ? kBytesPerGb : kBytesPerGib;
  // What one decimal would show as nothing is said in a smaller unit.
  if (bytes !== 0 && Math.abs(bytes) < base / 20) return bytesText(bytes, unit);
  return [fixed(bytes / base, 1), unit];
}

/** An amount of GPU memory in the display unit, for drawing. */
export function inMemoryUnit(gib: number, unit: MemoryUnit): number {
  return unit === "GB" ? (gib * kBytesPerGib) / kBytesPerGb : gib;
}

/** An amount of US dollars in the currency on show: cents below a thousand, else three digits, as in the engine's sentences. */
export function usdText(usd: number): string {
  const { sign, per_usd } = currency.value;
  const size = Math.abs(usd) * per_usd;
  const before = `${usd < 0 ? "−" : ""}${sign}`;
  // Judged as it will be written: 999,600 is a million to three digits.
  if (rounded(size, 3) >= 1e6) return `${before}${inWords(size)}`;
  if (size === 0 || (size >= 0.1 && size < 1000)) return `${before}${fixed(size, 2)}`;
  return `${before}${significant(size)}`;
}

/** The same for marks of an axis, which are round. */
export function roundUsdText(usd: number): string {
  return usdText(usd).replace(/\.00$/, "");
}

/** `year` of `usd_per_year`, with underscores as spaces and GPU written as such. */
function words(key: string): string {
  return key
    .replaceAll("_", " ")
    .replaceAll("gpu", "GPU")
    .replace("GPU hour", "GPU-hour")
    .replace("kwh", "kWh")
    .replace(/\bmw$/, "MW")
    .replace(" straight line", "");
}

/** Power of a machine in watts, of a site in kilowatts. */
function powerText(kw: number): [string, string] {
  return kw !== 0 && Math.abs(kw) < 2 ? [numberText(Number((kw * 1000).toPrecision(12))), "W"] : [numberText(kw), "kW"];
}

/** The sign of the unit that a name ends in, as the engine has it; empty where it has none. */
export function signOf(name: string): string {
  const [, sign = ""] = Object.entries(table.units).find(([suffix]) => `_${name}`.endsWith(suffix)) ?? [];
  return sign.replace(/^m2/, "m²").replace(/^m3/, "m³");
}

/** What a name says after its unit: of what, or under which condition. */
const kAfterUnit = /(?<=_(?:kw|tflops))_per_gpu$|(?<=_hours)_per_(?:failure|year)$|_without_interruptions$/;

function kindOf(key: string): (value: number, memory: MemoryUnit) => [string, string] {
  const name = key
    .replace(/_(low|high|min|max|median|p\d+)$/, "")
    .replace(/_(low|high|min|max|p\d+)$/, "")
    .replace(kAfterUnit, "")
    .replace(/(?<!_per)_h$/, "_hours");
  if (name.startsWith("gpu_count")) return (value) => [numberText(value), ""];
  const money = /(?:^|_)usd(?:_per_(.+))?$/.exec(name);
  if (money !== null) {
    const per = name.startsWith("annual_") ? "year" : money[1];
    return (value) => [usdText(value), per === undefined ? "" : perUnit(words(per))];
  }
  const gas = /^(k?g)_co2e_per_(.+)$/.exec(name);
  if (gas !== null) return (value) => [numberText(value), `${gas[1]} ${perUnit(words(gas[2] ?? ""))}`];
  if (/(?:^|_)(days|months|years|tokens)$/.test(name)) return (value) => [numberText(value), lastWord(name)];
  const rate = /^(?:(.+)_)?per_s(?:_(per_.+))?$/.exec(name);
  if (rate !== null && !/_[gt]b_per_s$/.test(name)) {
    return (value) => [
      numberText(value),
      `${lastWord(rate[1]?.replace(/_rate$/, "s"))}/s${rate[2] === undefined ? "" : ` ${words(rate[2])}`}`,
    ];
  }
  if (/(?:^|_)bytes(?:_per_.+)?$/.test(name)) return (value, memory) => bytesText(value, memory);
  const sign = signOf(name);
  if (sign === "GiB") return (value, memory) => memoryText(value * kBytesPerGib, memory);
  if (sign === "GB") return (value, memory) => memoryText(value * kBytesPerGb, memory);
  if (sign === "s") return (value) => durationText(value);
  if (sign === "kW") return powerText;
  if (sign !== "") return (value) => [numberText(value), sign];
  if (/(?:^|_)(fraction|ratio|utilization|mfu|hfu|probability|discount_rate)(?:$|_)/.test(name)) {
    return (value) => [`${significant(value * 100)} %`, ""];
  }
  return (value) => [numberText(value), ""];
}

function lastWord(name: string | undefined): string {
  return unitWord(name?.split("_").at(-1) ?? "");
}

/** The key that says what a number is: of a quantile of draws the one above it. */
export function keyOf(place: string): string {
  return /([^/]*)(?:\/p\d+)?$/.exec(place)?.[1] ?? "";
}

/** The text of the number that stands under `key` in an answer. */
export function figureText(key: string, value: number, memory: MemoryUnit = "GB"): FigureText {
  const [text, unit] = kindOf(key)(value, memory);
  return { value: text, unit, exact: `${key} = ${value}` };
}

/** The text of a trace entry, whose unit is a sign of the core (`B`, `s`, `FLOP/s`, `USD/h`, `GiB`, `1`). */
export function traceText(value: number, unit = "", memory: MemoryUnit = "GB"): FigureText {
  const exact = unit === "" || unit === "1" ? `${value}` : `${value} ${unit}`;
  const [text, sign] = traceParts(value, unit, memory);
  return { value: text, unit: sign, exact };
}

function traceParts(value: number, unit: string, memory: MemoryUnit): [string, string] {
  const slash = unit.indexOf("/");
  const per = slash < 0 ? "" : unit.slice(slash);
  const above = slash < 0 ? unit : unit.slice(0, slash);
  const join = ([text, sign]: [string, string]): [string, string] => [text, sign + per];
  if (unit === "" || unit === "1") return [numberText(value), ""];
  if (unit === "s") return durationText(value);
  if (above === "B") return join(bytesText(value, memory));
  if (unit === "GiB") return memoryText(value * kBytesPerGib, memory);
  if (unit === "GB") return memoryText(value * kBytesPerGb, memory);
  if (above === "FLOP") return join(value === 0 ? ["0", "FLOP"] : scaled(value, kFlops));
  if (unit === "USD") return [usdText(value), ""];
  if (unit === "J") return [numberText(value / 3.6e6), "kWh"];
  if (unit === "USD/J") return [usdText(value * 3.6e6), perUnit("kWh")];
  if (unit === "USD/s") return [usdText(value * 3600), perUnit("hour")];
  if (unit === "USD/h") return [usdText(value), perUnit("hour")];
  if (unit === "USD/y") return [usdText(value), perUnit("year")];
  if (above === "USD") return [usdText(value), per];
  return [numberText(value), above === "1" ? per : unit];
}

/** Value and unit as one phrase. */
export function phrase(text: FigureText): string {
  return text.unit === "" ? text.value : `${text.value} ${text.unit}`;
}

/**
 * Memory parts in the display unit with one decimal, adjusted by at most one step each so that the rounded parts add up to the
 * rounded total (largest remainder). Parts that do not sum to the total are rounded one by one.
 */
export function roundedMemoryParts(partsGib: readonly number[], totalGib: number, unit: MemoryUnit): string[] {
  const steps = (gib: number) => 10 * inMemoryUnit(gib, unit);
  const shownTotal = memoryText(totalGib * kBytesPerGib, unit)[0].replaceAll(",", "");
  const floors = partsGib.map((part) => Math.floor(steps(part)));
  const missing = Math.round(10 * Number(shownTotal)) - floors.reduce((sum, part) => sum + part, 0);
  if (missing < 0 || missing > partsGib.length) return partsGib.map((part) => fixed(inMemoryUnit(part, unit), 1));
  const order = partsGib
    .map((part, i) => ({ i, remainder: steps(part) - (floors[i] ?? 0) }))
    .sort((a, b) => b.remainder - a.remainder);
  const raised = new Set(order.slice(0, missing).map(({ i }) => i));
  return floors.map((floor, i) => fixed((floor + (raised.has(i) ? 1 : 0)) / 10, 1));
}

/** The number as typed into a field: no grouping, no noise from unit conversion. */
export function fieldText(value: number): string {
  return String(Number(value.toPrecision(12)));
}
