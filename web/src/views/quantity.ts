/**
 * Numbers as people type them (`5T`, `1.5M`, `60d`, `50 ms`, `1,000`, `12 %`), read into the unit of a request's field, which
 * its key ends in. One unit for one quantity: limits on latency are typed and shown in milliseconds on every screen, every other
 * field in the unit of its key. A number without a unit is in the unit that stands beside its field.
 */
import { currency, rates } from "../currency.ts";
import { fieldText } from "../format.ts";

/** The words of a unit, each with how many of the request's units it holds. */
type Words = Readonly<Record<string, number>>;

export interface Quantity {
  /** The unit beside the field; empty where it has none. */
  unit: string;
  /** How many of the field's units one of the request's units holds. */
  shown: number;
  words: Words;
  /** Thousands and millions are written with a letter, and shown so where it is shorter. */
  counts: boolean;
  isMoney?: boolean;
  /** What to type, where something else was typed. */
  example: string;
}

const kMinute = 60;
const kHour = 3600;
const kDay = 86_400;

const kSeconds: Words = {
  ns: 1e-9,
  µs: 1e-6,
  us: 1e-6,
  ms: 1e-3,
  毫秒: 1e-3,
  s: 1,
  sec: 1,
  secs: 1,
  second: 1,
  seconds: 1,
  秒: 1,
  min: kMinute,
  mins: kMinute,
  minute: kMinute,
  minutes: kMinute,
  分钟: kMinute,
  h: kHour,
  hour: kHour,
  hours: kHour,
  小时: kHour,
  d: kDay,
  day: kDay,
  days: kDay,
  天: kDay,
};

/** The same words for a field in another unit of time. */
function timesOf(seconds: number): Words {
  const long: Words = {
    week: 7 * kDay,
    weeks: 7 * kDay,
    w: 7 * kDay,
    周: 7 * kDay,
    month: kYear / 12,
    months: kYear / 12,
    个月: kYear / 12,
    year: kYear,
    years: kYear,
    y: kYear,
    年: kYear,
  };
  return Object.fromEntries(Object.entries({ ...kSeconds, ...long }).map(([word, size]) => [word, size / seconds]));
}
const kYear = 365 * kDay;

/** Words of a rate; "rps" and "qps" are what people say. */
const kPerSecond: Words = Object.fromEntries(
  [
    ["s", 1],
    ["second", 1],
    ["sec", 1],
    ["min", 1 / kMinute],
    ["minute", 1 / kMinute],
    ["h", 1 / kHour],
    ["hour", 1 / kHour],
    ["d", 1 / kDay],
    ["day", 1 / kDay],
  ].flatMap(([per, size]) =>
    ["/", "per ", "requests/", "requests per ", "req/", "r/"].map((before) => [`${before}${per}`, size as number]),
  ),
);

/** What people call a currency. ¥ is that of two. */
const kMoneyWords: Readonly<Record<string, string>> = {
  USD: "$ usd us$ dollar dollars 美元",
  EUR: "€ eur euro euros 欧元",
  CNY: "cny rmb cn¥ yuan 人民币 元",
  GBP: "£ gbp pound pounds 英镑",
  JPY: "jpy jp¥ yen 日元",
};
const kAllMoney = /^(?:[$€£¥]|(?:us|cn|jp)[$¥]|\p{L}{3}|[\p{L}]*(?:元|磅|人民币)|euros?|dollars?|pounds?|yuan|yen)$/iu;

/** Amounts in the currency on show, or in another whose rate is known. The request has US dollars. */
function moneyOf(own: Quantity): Quantity {
  const { id, sign, per_usd } = currency.value;
  const words = Object.fromEntries(
    rates.value.flatMap((one) =>
      `${kMoneyWords[one.id] ?? ""}${one.id === id && sign.endsWith("¥") ? " ¥" : ""}`
        .split(" ")
        .map((word) => [word, 1 / one.per_usd]),
    ),
  );
  return { ...own, shown: per_usd, words, isMoney: true, example: `1.5M, 250k, ${sign}4` };
}
const kOf = (sizes: readonly [string, number][]): Words => Object.fromEntries(sizes);

/** Letters and words that multiply. A small m is milli in a time, so there it multiplies nothing. */
const kMultipliers: Words = {
  k: 1e3,
  K: 1e3,
  thousand: 1e3,
  千: 1e3,
  万: 1e4,
  M: 1e6,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  百万: 1e6,
  亿: 1e8,
  B: 1e9,
  b: 1e9,
  bn: 1e9,
  G: 1e9,
  billion: 1e9,
  十亿: 1e9,
  T: 1e12,
  t: 1e12,
  tn: 1e12,
  trillion: 1e12,
  万亿: 1e12,
};

const kPlain: Quantity = { unit: "", shown: 1, words: {}, counts: true, example: "1,000, 2k" };
const kShare =
  /(?:^|_)(?:fraction|ratio|share|discount|growth|change|confidence|load|cv|variation|probability|acceptance|mfu|rate)(?:_|$)/;

/** The unit that a key ends in decides how its field is typed. `sign` is how the unit is written. */
export function quantityOf(key: string, sign = ""): Quantity {
  const own = { ...kPlain, unit: sign };
  if (/^(?:ttft|tpot)_s(?:_|$)/.test(key))
    return { unit: "ms", shown: 1000, words: kSeconds, counts: false, example: "50 ms, 0.5 s" };
  if (/_per_s$/.test(key) && !/_[gt]b_per_s$/.test(key))
    return { ...own, words: { ...kPerSecond, rps: 1, qps: 1 }, example: "50, 2k, 300/min" };
  if (/(?:^|_)usd(?:_|$)/.test(key)) return moneyOf(own);
  if (/(?:^|_)tokens(?:_per_\w+)?$/.test(key)) {
    const words = kOf([
      ["token", 1],
      ["tokens", 1],
      ["tok", 1],
      ["词元", 1],
    ]);
    return { ...own, words, example: "2k, 5T" };
  }
  const time = /(?:^|_)(s|days|years|months|hours)(?:_least|_most)?$/.exec(key)?.[1];
  if (time !== undefined) {
    const size = { s: 1, days: kDay, years: kYear, months: kYear / 12, hours: kHour }[time] ?? 1;
    return { ...own, words: timesOf(size), counts: false, example: time === "s" ? "50 ms, 2 min" : "60d, 8 weeks" };
  }
  const scaled = /(?:^|_)(kw|kwh|gb|tb|gib|gb_per_s|tb_per_s)$/.exec(key)?.[1];
  if (scaled !== undefined) return { ...own, words: kScaled[scaled] ?? {}, counts: false, example: `100 ${sign}` };
  if (kShare.test(key)) return { ...own, words: { "%": 0.01, percent: 0.01 }, counts: false, example: "12 %, 0.12" };
  return own;
}

/** Sizes of a unit, from the smallest word on, each a thousand of the one before; `own` is the request's. */
function thousands(words: readonly string[], own: string): Words {
  const at = words.indexOf(own);
  return Object.fromEntries(words.map((word, i) => [word, 1000 ** (i - at)]));
}
const kBytes = ["KB", "MB", "GB", "TB", "PB"];
const kScaled: Record<string, Words> = {
  kw: thousands(["W", "kW", "MW", "GW"], "kW"),
  kwh: thousands(["Wh", "kWh", "MWh"], "kWh"),
  gb: thousands(kBytes, "GB"),
  tb: thousands(kBytes, "TB"),
  gib: { MiB: 1 / 1024, GiB: 1, TiB: 1024 },
  gb_per_s: thousands(
    kBytes.map((word) => `${word}/s`),
    "GB/s",
  ),
  tb_per_s: thousands(
    kBytes.map((word) => `${word}/s`),
    "TB/s",
  ),
};

export type Problem = "number" | "comma" | "unit" | "currency";
export type Typed = { value: number } | { problem: Problem; unit: string };

const kNumber = /^[-−+]?(?:\d{1,3}(?:[,_ ]\d{3})+(?!\d)|\d*)(?:\.\d*)?(?:e[-+]?\d+)?/i;

/** What was typed as the request has it, or what is wrong with it. */
export function typedNumber(typed: string, quantity: Quantity): Typed {
  const text = typed.trim();
  const sign = /^(?:(?:us|cn|jp)[$¥]|[$€£¥])\s*/i.exec(text)?.[0] ?? "";
  const bare = text.slice(sign.length);
  const digits = kNumber.exec(bare)?.[0] ?? "";
  const number = Number(digits.replaceAll(/[,_ ]/g, "").replace("−", "-"));
  if (!/\d/.test(digits) || !Number.isFinite(number)) return { problem: "number", unit: "" };
  const rest = bare.slice(digits.length).trim();
  if (/^,\d/.test(rest)) return { problem: "comma", unit: "" };
  const money = sign.trim();
  const words = money === "" ? rest : `${rest} ${money}`.trim();
  const last = /(?:\p{Sc}|\p{L}+)$/u.exec(words)?.[0] ?? "";
  const size = sizeOf(words, quantity);
  return size === undefined
    ? quantity.isMoney && kAllMoney.test(last)
      ? { problem: "currency", unit: last }
      : { problem: "unit", unit: words }
    : { value: size === 1 ? number : Number((number * size).toPrecision(12)) };
}

/** How many of the request's units one of the typed words holds; undefined for words that are none of the quantity. */
function sizeOf(rest: string, { words, shown, counts }: Quantity): number | undefined {
  if (rest === "") return 1 / shown;
  const own = unitIn(words, rest);
  if (own !== undefined) return own;
  if (!counts) return undefined;
  for (const [word, times] of Object.entries(kMultipliers)) {
    if (!rest.startsWith(word)) continue;
    const unit = rest.slice(word.length).trim();
    const size = unit === "" ? 1 / shown : unitIn(words, unit);
    if (size !== undefined) return times * size;
  }
  return undefined;
}

/** As it is written first; then in any letters. */
function unitIn(words: Words, typed: string): number | undefined {
  if (Object.hasOwn(words, typed)) return words[typed];
  const small = typed.toLowerCase();
  return Object.entries(words).find(([word]) => word.toLowerCase() === small)?.[1];
}

const kShort: readonly [number, string][] = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
];
const kShortDigits = 6;

/** A request's number as it stands in its field: `2000` ms for 2 s, `5T` for a 5 with twelve zeros. */
export function shownNumber(value: number, { shown, counts, isMoney = false }: Quantity): string {
  // Another currency leaves a rest in the last digits.
  const own = Number((value * shown).toPrecision(isMoney ? 10 : 12));
  const [size, letter] = (counts && kShort.find(([from]) => Math.abs(own) >= from)) || [1, ""];
  const text = fieldText(own / size);
  return letter !== "" && text.length <= kShortDigits ? text + letter : fieldText(own);
}

/** True where the text is no plain number, so that what was understood is worth saying. */
export function isWorded(typed: string): boolean {
  return !/^\s*-?\d*\.?\d*\s*$/.test(typed);
}
