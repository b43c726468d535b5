/**
 * Computes a printed equation again from what is printed alone: its numbers, the digits that they are rounded to, and their
 * units. It shares no code with the page.
 */

/** From the least to the most that a rounded number may stand for. */
type Span = readonly [low: number, high: number];

/** An amount as printed: the number, and how many base units it says. */
interface Amount {
  number: Span;
  size: Span;
}

const kUnits: Record<string, number> = {
  "": 1,
  "%": 0.01,
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
  FLOP: 1,
  MFLOP: 1e6,
  GFLOP: 1e9,
  TFLOP: 1e12,
  PFLOP: 1e15,
  s: 1,
  ms: 1e-3,
  µs: 1e-6,
  ns: 1e-9,
  min: 60,
  h: 3600,
  hour: 3600,
  "GPU-hour": 3600,
  days: 86_400,
  day: 86_400,
  month: 730 * 3600,
  months: 730 * 3600,
  "months of 730 h": 730 * 3600,
  years: 8760 * 3600,
  year: 8760 * 3600,
  W: 1,
  kW: 1e3,
  MW: 1e6,
  J: 1,
  kJ: 1e3,
  MJ: 1e6,
  kWh: 3.6e6,
  MWh: 3.6e9,
};

/** What is counted: words that stand for no unit. */
const kCounted = new Set([
  "tokens",
  "requests",
  "1000 requests",
  "million",
  "million tokens",
  "million input tokens",
  "million output tokens",
  "GPU",
  "training run",
]);

/** What the engine keeps as bare numbers: a number of the equation (3.412 from watts, 3600 from seconds) makes the unit. */
const kConverted = new Set([
  "BTU/h",
  "m³/h",
  "CFM",
  "m²",
  "kg",
  "L/min",
  "kg per year",
  "kg per run",
  "g per million output tokens",
  "tokens/s per MW",
]);

function unitSize(unit: string): number {
  if (unit in kUnits) return kUnits[unit] ?? Number.NaN;
  if (kCounted.has(unit) || kConverted.has(unit)) return 1;
  const hours = /^(GPU-hour) (?:used|available|effective|of progress)$/.exec(unit);
  if (hours !== null) return unitSize(hours[1] ?? "");
  const per = /^(.*?) ?(?:\/|\bper )(.+)$/.exec(unit);
  if (per === null) throw new Error(`unit "${unit}" is not known`);
  return unitSize(per[1] ?? "") / perSize(per[2] ?? "");
}

/** `GB per year`, `s`: what stands below. */
function perSize(below: string): number {
  return below.split(/ per |\//).reduce((size, unit) => size * unitSize(unit), 1);
}

const kNumber =
  /^(\$?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(?:×10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)|e([+-]?\d+))?(?: (million|billion|trillion)\b)?/;
const kRaised = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * The number at the head of a text, and what follows it. In an equation a rounded number has five digits or more, and
 * decimals; as the page shows it, a number is rounded to three digits or to its decimals.
 */
function numberOf(text: string, isShown: boolean): { span: Span; rest: string } | undefined {
  const match = kNumber.exec(text);
  if (match === null) return undefined;
  const [whole, , digits = "", decimals = "", below, raised, power = "0", word] = match;
  const lifted = raised === undefined ? "" : [...raised].map((digit) => kRaised.indexOf(digit)).join("");
  const exponent = raised === undefined ? Number(power) : Number(lifted) * (below === "" ? 1 : -1);
  const scale = 10 ** exponent * ({ million: 1e6, billion: 1e9, trillion: 1e12 }[word ?? ""] ?? 1);
  const value = Number(`${digits.replaceAll(",", "")}.${decimals || 0}`) * scale;
  if (isShown) {
    // To three digits, but memory and cents have fixed decimals, and whole numbers of more digits are in full unless they end in zeros.
    const whole3 = digits.replaceAll(",", "");
    const third = 10 ** (Math.floor(Math.log10(value / scale || 1)) - 2);
    const isFull = decimals === "" && whole3.length > 3 && word === undefined && !/^\d{3}0+$/.test(whole3);
    const step = Math.max(isFull ? 1 : third, decimals === "" ? 0 : 10 ** -decimals.length);
    const slack = (scale * step) / 2 + value * 1e-12;
    return { span: [value - slack, value + slack], rest: text.slice(whole.length) };
  }
  const givenDigits = (digits.replaceAll(",", "") + decimals).replace(/^0+/, "").length;
  const isRounded = givenDigits >= 5 && decimals !== "";
  const slack = isRounded ? (scale * 10 ** -decimals.length) / 2 + value * 1e-12 : Math.abs(value) * 1e-10;
  return { span: [value - slack, value + slack], rest: text.slice(whole.length) };
}

const kAfterUnit = /[+−×÷()=,⌈⌉⌊⌋^√]/;

class Reader {
  #rest: string;
  readonly #withUnits: boolean;

  constructor(text: string, withUnits: boolean) {
    this.#rest = text;
    this.#withUnits = withUnits;
  }

  whole(): Span {
    const value = this.#sum();
    if (this.#rest.trim() !== "") throw new Error(`"${this.#rest}" is not read`);
    return value;
  }

  #take(sign: string): boolean {
    this.#rest = this.#rest.trimStart();
    if (!this.#rest.startsWith(sign)) return false;
    this.#rest = this.#rest.slice(sign.length);
    return true;
  }

  #need(sign: string): void {
    if (!this.#take(sign)) throw new Error(`"${sign}" is missing before "${this.#rest}"`);
  }

  #sum(): Span {
    let sum = this.#product();
    for (;;) {
      if (this.#take("+")) sum = plus(sum, this.#product());
      else if (this.#take("−")) sum = plus(sum, negative(this.#product()));
      else return sum;
    }
  }

  #product(): Span {
    let product = this.#power();
    for (;;) {
      if (this.#take("×")) product = times(product, this.#power());
      else if (this.#take("÷")) product = times(product, inverse(this.#power()));
      else return product;
    }
  }

  #power(): Span {
    if (this.#take("−")) return negative(this.#power());
    const base = this.#one();
    return this.#take("^") ? raised(base, this.#power()) : base;
  }

  #one(): Span {
    if (this.#take("(")) return this.#until(")");
    if (this.#take("⌈")) return stepped(this.#until("⌉"), Math.ceil, -1e-9);
    if (this.#take("⌊")) return stepped(this.#until("⌋"), Math.floor, 1e-9);
    if (this.#take("√(")) return this.#until(")").map(Math.sqrt) as unknown as Span;
    const call = /^\s*([a-z_]+)\(/.exec(this.#rest);
    if (call !== null) return this.#call(call[0], call[1] ?? "");
    this.#rest = this.#rest.trimStart();
    const number = numberOf(this.#rest, false);
    if (number === undefined) throw new Error(`"${this.#rest}" is no number`);
    const end = number.rest.search(kAfterUnit);
    const unit = (end < 0 ? number.rest : number.rest.slice(0, end)).trim();
    this.#rest = end < 0 ? "" : number.rest.slice(end);
    const size = unitSize(unit);
    return this.#withUnits ? times(number.span, [size, size]) : number.span;
  }

  #until(sign: string): Span {
    const inner = this.#sum();
    this.#need(sign);
    return inner;
  }

  #call(text: string, name: string): Span {
    this.#rest = this.#rest.slice(text.length + this.#rest.indexOf(text));
    const inputs: Span[] = [this.#sum()];
    while (this.#take(",")) inputs.push(this.#sum());
    this.#need(")");
    const lows = inputs.map(([low]) => low);
    const highs = inputs.map(([, high]) => high);
    const [first = [Number.NaN, Number.NaN], second] = inputs;
    switch (name) {
      case "min":
        return [Math.min(...lows), Math.min(...highs)];
      case "max":
        return [Math.max(...lows), Math.max(...highs)];
      case "exp":
        return [Math.exp(first[0]), Math.exp(first[1])];
      case "log":
        return [Math.log(first[0]), Math.log(first[1])];
      case "divisor_from":
        return divisorFrom(first, second ?? [Number.NaN, Number.NaN]);
      default:
        throw new Error(`${name} is no function`);
    }
  }
}

const plus = (a: Span, b: Span): Span => [a[0] + b[0], a[1] + b[1]];
const negative = (a: Span): Span => [-a[1], -a[0]];
const spanning = (all: readonly number[]): Span => [Math.min(...all), Math.max(...all)];
const times = (a: Span, b: Span): Span => spanning(a.flatMap((x) => b.map((y) => (x === 0 || y === 0 ? 0 : x * y))));
const inverse = (a: Span): Span =>
  a[0] <= 0 && a[1] >= 0 && a[0] !== a[1] ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : [1 / a[1], 1 / a[0]];
const raised = (base: Span, power: Span): Span => spanning(base.flatMap((x) => power.map((y) => x ** y)));

/** A whole number stays what it is, also where its arithmetic ends a hair beside it. */
function stepped([low, high]: Span, step: (value: number) => number, hair: number): Span {
  return [step(low + hair * Math.abs(low)), step(high + hair * Math.abs(high))];
}

/** The smallest divisor of the second that is at least the first, or the second itself where none is. */
function divisorFrom([low]: Span, [of]: Span): Span {
  const whole = Math.round(of);
  const from = Math.max(1, Math.ceil(low - 1e-6));
  for (let one = from; one <= whole; one += 1) if (whole % one === 0) return [one, one];
  return [whole, whole];
}

/** Is an amount of a chain: `$874,596 per year`, `57.5 %`, `−3`. */
function amountOf(text: string, isShown: boolean): Amount {
  const isNegative = /^[−-]/.test(text);
  const number = numberOf(text.replace(/^[−-]/, ""), isShown);
  if (number === undefined) throw new Error(`"${text}" is no amount`);
  const size = unitSize(number.rest.trim());
  const span = isNegative ? negative(number.span) : number.span;
  return { number: span, size: times(span, [size, size]) };
}

/** Spans meet, but for the last digits of arithmetic. */
function meet(a: Span, b: Span): boolean {
  const slack = 1e-9 * Math.max(...[...a, ...b].map((end) => (Number.isFinite(end) ? Math.abs(end) : 0)));
  return a[0] <= b[1] + slack && b[0] <= a[1] + slack;
}

/**
 * What is wrong with an equation in the text of `linear`; empty where it comes out as printed, both as bare numbers on a
 * calculator and with the units as factors.
 */
export function wrongWith(text: string): string {
  try {
    const parts = text.split(" = ");
    const right = parts.pop() ?? "";
    const [shown, exact] = [parts[0], parts.at(-1)];
    if (shown === undefined || exact === undefined || parts.length > 2) return `no left side: ${text}`;
    const result = amountOf(exact, parts.length === 1);
    if (parts.length === 2 && !meet(amountOf(shown, true).size, result.size))
      return `${shown} is not ${exact}: ${text}`;
    const bare = new Reader(right, false).whole();
    if (!meet(bare, result.number)) return `${bare.join(" to ")} as bare numbers: ${text}`;
    const sized = new Reader(right, true).whole();
    // Years of the request are a bare number in the engine.
    if (/ years$/.test(exact) && `${sized}` === `${bare}`) return "";
    return meet(sized, result.size) ? "" : `${sized.join(" to ")} with units, not ${result.size.join(" to ")}: ${text}`;
  } catch (error) {
    return `${(error as Error).message}: ${text}`;
  }
}

/** How far off an equation may be without notice, as a share of its result: what its rounded numbers leave open. */
export function slackOf(text: string): number {
  const [low, high] = new Reader(text.split(" = ").at(-1) ?? "", false).whole();
  const size = Math.max(Math.abs(low), Math.abs(high));
  return size === 0 ? 0 : (high - low) / size;
}

interface Element {
  tag: string;
  children: (Element | string)[];
}

function parsed(html: string): Element {
  const root: Element = { tag: "", children: [] };
  const open = [root];
  for (const [, close, tag, empty, text] of html.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>|([^<]+)/g)) {
    const at = open.at(-1) as Element;
    if (text !== undefined)
      at.children.push(text.replaceAll("&nbsp;", " ").replaceAll("\u00a0", " ").replaceAll("&amp;", "&"));
    else if (close === "/") open.pop();
    else {
      const child = { tag: tag ?? "", children: [] };
      at.children.push(child);
      if (empty === "") open.push(child);
    }
  }
  return root;
}

function linearOf(node: Element | string): string {
  if (typeof node === "string") return node;
  const parts = node.children.map(linearOf);
  const [first = "", second = ""] = parts;
  if (node.tag === "mfrac") return `((${first})÷(${second}))`;
  if (node.tag === "msup") return `(${first})^(${second})`;
  if (node.tag === "msqrt") return `√(${parts.join("")})`;
  if (node.tag === "mo" && parts[0] === ",") return ", ";
  if (node.tag === "sup") return `^(${parts.join("")})`;
  return parts.join("");
}

/** An equation as a line of text, of the markup that is shown. */
export function linear(html: string): string {
  return linearOf(parsed(html)).trim();
}
