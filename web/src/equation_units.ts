/**
 * The quantities of one equation in units that fit together, so that it comes out true as it is printed: a quantity of each
 * dimension (bytes, FLOP, time, energy, dollars) has one scale in the whole equation. The engine's equations hold in base
 * units; where all terms agree in dimension they hold in any such scales, and the ones that read best are taken. Where a
 * bare number of the equation carries a unit (`4 * heads` as bytes), the base units stay.
 */
import { currency } from "./currency.ts";
import type { Expression } from "./equation.ts";
import { type FigureText, type MemoryUnit, perUnit, phrase, unitWord } from "./format.ts";

/** A value in the engine's unit: `B`, `s`, `FLOP/s`, `USD/s`, `W`, `1`. */
export interface Amount {
  value: number;
  unit?: string;
}

/** Exponents of bytes, FLOP, seconds, joules and dollars. */
type Powers = readonly number[];
/** How many base units it holds, its sign, and how unusual it is. */
type Scale = readonly [base: number, sign: string, cost: number];
/** One scale for each of the exponents. */
type Scales = readonly Scale[];

/** The place of dollars among the exponents. */
const kMoney = 4;
const kNone: Powers = [0, 0, 0, 0, 0];
const kPowers: Record<string, Powers> = {
  "1": kNone,
  B: [1, 0, 0, 0, 0],
  FLOP: [0, 1, 0, 0, 0],
  s: [0, 0, 1, 0, 0],
  J: [0, 0, 0, 1, 0],
  W: [0, 0, -1, 1, 0],
  USD: [0, 0, 0, 0, 1],
};

/** Money is written in the currency on show. */
const moneyScale = (): Scale => [1 / currency.value.per_usd, currency.value.sign, 0];

const kBase: Scales = [
  [1, "B", 0],
  [1, "FLOP", 0],
  [1, "s", 0],
  [1, "J", 0],
  [1, "$", 0],
];
const kDecimalBytes: Scales = [
  [1, "B", 0],
  [1e3, "kB", 0],
  [1e6, "MB", 0],
  [1e9, "GB", 0],
  [1e12, "TB", 0],
];
const kBinaryBytes: Scales = [
  [1, "B", 0],
  [2 ** 10, "KiB", 0],
  [2 ** 20, "MiB", 0],
  [2 ** 30, "GiB", 0],
  [2 ** 40, "TiB", 0],
];
const kFlops: Scales = [
  [1, "FLOP", 0],
  [1e6, "MFLOP", 0],
  [1e9, "GFLOP", 0],
  [1e12, "TFLOP", 0],
  [1e15, "PFLOP", 0],
];
const kTimes: Scales = [
  [1, "s", 0],
  [1e-3, "ms", 0.1],
  [1e-6, "µs", 0.2],
  [1e-9, "ns", 0.4],
  [60, "min", 0.3],
  [3600, "h", 0.1],
  [86_400, "days", 0.1],
  [2_628_000, "months", 0.3],
  [31_536_000, "years", 0.3],
];
const kEnergies: Scales = [
  [1, "J", 0],
  [1e3, "kJ", 0.2],
  [1e6, "MJ", 0.4],
  [3.6e6, "kWh", 0.1],
  [3.6e9, "MWh", 0.2],
];
/** Power by the scales of its energy and time. */
const kWatts: Record<string, string> = {
  "J s": "W",
  "kJ s": "kW",
  "MJ s": "MW",
  "kWh h": "kW",
  "MWh h": "MW",
};
const kPerTime: Record<string, string> = { s: "s", h: "hour", days: "day", months: "month", years: "year" };

function powersOf(unit: string): Powers | undefined {
  const [above = [], below = ["1"]] = unit.split("/").map((part) => part.split(" "));
  let sum: Powers | undefined = kNone;
  const add = (word: string, sign: number) => {
    const powers = kPowers[word];
    sum = powers && sum?.map((power, i) => power + sign * (powers[i] ?? 0));
  };
  for (const word of above) add(word, 1);
  for (const word of below) add(word, -1);
  return sum;
}

function same(a: Powers, b: Powers): boolean {
  return a.every((power, i) => power === b[i]);
}

/** The sign of a quantity in the scales; undefined where nobody writes it so. */
function signIn(powers: Powers, [bytes, flop, time, energy]: Scales): string | undefined {
  const [, byteSign = "", ,] = bytes ?? [];
  const [, flopSign = "", ,] = flop ?? [];
  const [, timeSign = "", ,] = time ?? [];
  const [, energySign = "", ,] = energy ?? [];
  const perTime = kPerTime[timeSign];
  switch (powers.join(" ")) {
    case "0 0 0 0 0":
    case "0 0 0 0 1":
      return "";
    case "1 0 0 0 0":
      return byteSign;
    case "0 1 0 0 0":
      return flopSign;
    case "0 0 1 0 0":
      return unitWord(timeSign);
    case "0 0 0 1 0":
      return energySign;
    case "0 0 -1 1 0":
      return kWatts[`${energySign} ${timeSign}`];
    case "0 0 -1 0 0":
      return perTime === undefined ? undefined : timeSign === "s" ? "/s" : perUnit(perTime);
    case "1 0 -1 0 0":
      return timeSign === "s" ? `${byteSign}/s` : undefined;
    case "0 1 -1 0 0":
      return timeSign === "s" ? `${flopSign}/s` : undefined;
    case "-1 1 0 0 0":
      return bytes?.[0] === flop?.[0] ? "FLOP/B" : undefined;
    case "0 0 -1 0 1":
      return perTime === undefined ? undefined : perUnit(perTime);
    case "0 0 0 -1 1":
      return perUnit(energySign);
    case "0 0 1 -1 1": {
      const watts = kWatts[`${energySign} ${timeSign}`];
      return watts && perUnit(watts);
    }
    case "-1 0 0 0 1":
      return perUnit(byteSign);
    case "-1 0 -1 0 1":
      return perTime === undefined ? undefined : `${perUnit(byteSign)} ${perUnit(perTime)}`;
    default:
      return undefined;
  }
}

/** The dimension of an expression; "any" for a zero, undefined where terms do not agree. */
function dimensionOf(expression: Expression, dimensions: ReadonlyMap<string, Powers>): Powers | "any" | undefined {
  const of = (inner: Expression) => dimensionOf(inner, dimensions);
  switch (expression.kind) {
    case "number":
      return Number(expression.text) === 0 ? "any" : kNone;
    case "name":
      return dimensions.get(expression.name);
    case "negative":
      return of(expression.inner);
    case "call":
      return dimensionOfCall(expression.name, expression.inputs.map(of));
    case "binary":
      break;
  }
  const { operator } = expression;
  const left = of(expression.left);
  const right = of(expression.right);
  if (left === undefined || right === undefined) return undefined;
  if (operator === "+" || operator === "-") return agreed([left, right]);
  if (operator === "^") return raised(left, expression.right);
  if (left === "any" || right === "any") return left === "any" ? "any" : undefined;
  return left.map((power, i) => (operator === "*" ? power + (right[i] ?? 0) : power - (right[i] ?? 0)));
}

function raised(base: Powers | "any", exponent: Expression): Powers | "any" | undefined {
  if (base === "any" || same(base, kNone)) return base;
  return exponent.kind === "number" ? base.map((power) => power * Number(exponent.text)) : undefined;
}

function agreed(all: readonly (Powers | "any" | undefined)[]): Powers | "any" | undefined {
  const [first, ...others] = all.filter((one) => one !== "any");
  if (first === undefined) return all.every((one) => one === "any") ? "any" : undefined;
  return others.every((one) => one !== undefined && same(one, first)) ? first : undefined;
}

function dimensionOfCall(name: string, inputs: (Powers | "any" | undefined)[]): Powers | "any" | undefined {
  const inner = agreed(inputs);
  if (name === "sum" || name === "min" || name === "max" || inner === "any") return inner;
  if (name === "sqrt") return inner?.map((power) => power / 2);
  return inner !== undefined && same(inner, kNone) ? kNone : undefined;
}

/** All ways to take one scale for each dimension that occurs. */
function choicesOf(present: readonly boolean[], memory: MemoryUnit): Scales[] {
  const bytes = memory === "GB" ? [kDecimalBytes, kBinaryBytes] : [kBinaryBytes, kDecimalBytes];
  const [own = [], other = []] = bytes;
  const lists = [[...own, ...other.map(([base, sign]): Scale => [base, sign, 1])], kFlops, kTimes, kEnergies, []];
  return lists.reduce<Scales[]>(
    (choices, list, at) => {
      const base = at === kMoney ? moneyScale() : (kBase[at] as Scale);
      const scales = present[at] && list.length > 0 ? list : [base];
      return choices.flatMap((chosen) => scales.map((scale) => [...chosen, scale]));
    },
    [[]],
  );
}

function inScales(value: number, powers: Powers, scales: Scales): number {
  return powers.reduce((so, power, i) => so / (scales[i]?.[0] ?? 1) ** power, value);
}

/** How far a number is from those that read well. */
function awkward(value: number): number {
  const size = value === 0 ? 0 : Math.log10(Math.abs(value));
  return Math.max(0, -1 - size) + Math.max(0, size - 4.5);
}

interface Quantity {
  value: number;
  powers: Powers;
}

/** The scales in which the quantities read best; where the result can have the unit that the page shows, it does. */
function bestScales(all: readonly Quantity[], shown: FigureText, memory: MemoryUnit): Scales {
  const [result] = all;
  const present = kNone.map((_, i) => all.some(({ powers }) => powers[i] !== 0));
  let best = kBase;
  let least = Number.POSITIVE_INFINITY;
  for (const scales of choicesOf(present, memory)) {
    if (all.some(({ powers }) => signIn(powers, scales) === undefined)) continue;
    const unusual = scales.reduce((sum, [, , cost]) => sum + cost, 0);
    const unlike = result !== undefined && !says(shown, inScales(result.value, result.powers, scales)) ? 3 : 0;
    const cost = all.reduce(
      (sum, { value, powers }) => sum + awkward(inScales(value, powers, scales)),
      unusual + unlike,
    );
    if (cost < least) [best, least] = [scales, cost];
  }
  return best;
}

/** Digits of a number that is not short by nature: enough to compute with, by hand or on a calculator. */
const kDigits = 5;
const kRaised = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * A number to compute with: whole numbers in full, others with five digits and a decimal, so that a number without decimals is
 * exact; the very large and small with a power of ten.
 */
export function calculable(value: number, leastDecimals = 1): string {
  const size = Math.abs(value);
  const minus = value < 0 ? "−" : "";
  if (Number.isInteger(value) && size < 1e7) return minus + grouped(String(size));
  const power = Number(size.toExponential(kDigits - 1).split("e")[1]);
  if (power < -4 || power > 6) {
    const [digits = ""] = size.toExponential(kDigits - 1).split("e");
    const raised = [...String(Math.abs(power))].map((digit) => kRaised[Number(digit)]).join("");
    const mantissa = isShort(size) ? String(Number(digits)) : digits;
    return `${minus}${mantissa}×10${power < 0 ? "⁻" : ""}${raised}`;
  }
  const text = size.toFixed(Math.max(leastDecimals, kDigits - 1 - power));
  return minus + grouped(isShort(size) ? String(Number(text)) : text);
}

/** All of it is said by fewer digits. */
function isShort(size: number): boolean {
  return Math.abs(size - Number(size.toPrecision(kDigits - 1))) <= size * 1e-10;
}

/** Digits in groups of three, all of them. */
export function grouped(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

function amountText({ value, powers }: Quantity, scales: Scales, unit: string): string {
  const isMoney = powers[kMoney] === 1;
  const number = calculable(inScales(value, powers, scales), isMoney ? 2 : 1);
  const text = isMoney ? number.replace(/^−?/, (minus) => `${minus}${scales[kMoney]?.[1]}`) : number;
  const sign = signIn(powers, scales) ?? unit;
  return sign === "" ? text : `${text} ${sign}`;
}

/** Words of large amounts, in both languages. */
const kScales: Readonly<Record<string, number>> = { million: 1e6, billion: 1e9, trillion: 1e12, 万: 1e4, 亿: 1e8 };

/** What the text of the page says as a number, and how far it may be off for being rounded; percent says another number. */
function saidBy({ value }: FigureText): { number: number; slack: number } {
  const [, minus, sign, digits = "NaN", decimals, word] =
    /^(−|-)?([^\d\s−-]*)([\d,]+(?:\.(\d+))?)\s?(\D+)?$/.exec(value) ?? [];
  const scale = word === undefined ? 1 : (kScales[word] ?? Number.NaN);
  const plain = digits.replaceAll(",", "");
  const number = Number(plain) * scale * (minus === undefined ? 1 : -1);
  // To three digits, but memory and cents have fixed decimals, and counts are written in full.
  const power = Math.floor(Math.log10(Number(plain) || 1));
  const isFull = decimals === undefined && power > 2 && sign === "";
  const step = Math.max(10 ** (isFull ? 0 : power - 2), decimals === undefined ? 0 : 10 ** -decimals.length);
  return { number, slack: 0.5001 * scale * step };
}

function says(shown: FigureText, number: number): boolean {
  const said = saidBy(shown);
  return Math.abs(said.number - number) <= said.slack;
}

export interface Written {
  /** The result: as the page shows it and, where that has another unit, as the equation gives it. */
  left: string[];
  textOf: (input: Amount) => string;
}

/** How the quantities of an equation are written. `shown` is the result as the page shows it. */
export function written(
  expression: Expression,
  result: Amount,
  shown: FigureText,
  inputs: readonly ({ name: string } & Amount)[],
  memory: MemoryUnit,
): Written {
  const quantityOf = ({ value, unit = "1" }: Amount) => ({ value, powers: powersOf(unit) });
  const given = [result, ...inputs].map(quantityOf);
  const known = given.flatMap(({ value, powers }) => (powers === undefined ? [] : [{ value, powers }]));
  const dimensions = new Map(
    inputs.flatMap(({ name, unit = "1" }) => {
      const powers = powersOf(unit);
      return powers === undefined ? [] : [[name, powers] as const];
    }),
  );
  const dimension = dimensionOf(expression, dimensions);
  const [first] = known;
  const holds =
    known.length === given.length &&
    dimension !== undefined &&
    (dimension === "any" || (first !== undefined && same(dimension, first.powers))) &&
    inputs.every(({ name, unit = "1" }) => same(dimensions.get(name) ?? kNone, powersOf(unit) ?? kNone));
  const scales = holds ? bestScales(known, shown, memory) : kBase;
  const textOf = (input: Amount) => {
    const { value, powers } = quantityOf(input);
    const unit = input.unit === "1" ? "" : (input.unit ?? "");
    return powers === undefined ? `${calculable(value)} ${unit}`.trim() : amountText({ value, powers }, scales, unit);
  };
  const powers = powersOf(result.unit ?? "1");
  const isSaid = powers !== undefined && says(shown, inScales(result.value, powers, scales));
  // Money is printed in full where its three digits are fewer.
  const isFull = saidBy(shown).slack < 1 || Math.abs(saidBy(shown).number - result.value) < 1e-9 * saidBy(shown).slack;
  const isPlain = isSaid && isFull && !/[^\d.,$−-]/.test(shown.value);
  return { left: isPlain ? [phrase(shown)] : [phrase(shown), textOf(result)], textOf };
}
