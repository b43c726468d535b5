/** The numbers of drawn pages with the words that say what they are, and where two of them contradict each other. */

interface Node {
  tag: string;
  attributes: string;
  children: (Node | string)[];
  parent: Node | undefined;
}

/** A number on show. */
export interface Shown {
  screen: string;
  /** JSON Pointer into its answer. */
  place: string;
  text: string;
  unit: string;
  /** Label, or the sentence with … in the number's place. */
  label: string;
  /** What else says which number it is: row and column titles, chips, the note of a table. */
  chips: readonly string[];
  /** Of the part that it stands in. */
  heading: string;
}

const kVoid = new Set(["br", "hr", "img", "input", "col"]);
const kEntities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00a0", "#39": "'" };

function decoded(text: string): string {
  return text.replace(/&(#?\w+);/g, (all, name: string) => kEntities[name] ?? all);
}

function parsed(html: string): Node {
  const root: Node = { tag: "", attributes: "", children: [], parent: undefined };
  let at = root;
  for (const [, close, tag = "", attributes = "", empty, text] of html.matchAll(
    /<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|[^">])*?)(\/?)>|([^<]+)/g,
  )) {
    if (text !== undefined) at.children.push(decoded(text));
    else if (close === "/") at = at.tag === tag ? (at.parent ?? root) : at;
    else {
      const child: Node = { tag, attributes, children: [], parent: at };
      at.children.push(child);
      if (empty === "" && !kVoid.has(tag)) at = child;
    }
  }
  return root;
}

function attribute(node: Node, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(node.attributes)?.[1];
  return value === undefined ? undefined : decoded(value);
}

const hasClass = (node: Node, name: string) => (attribute(node, "class") ?? "").split(" ").includes(name);
const elements = (node: Node | undefined) =>
  (node?.children ?? []).filter((one): one is Node => typeof one !== "string");

/** Its words; numbers in it become …, so that the same label is the same whatever the answer. */
function words(node: Node | string | undefined): string {
  if (node === undefined) return "";
  if (typeof node === "string") return node;
  if (isFigure(node)) return "…";
  return node.children.map(words).join(node.tag === "tr" || node.tag === "ul" || node.tag === "dl" ? " " : "");
}

const plain = (text: string) => text.replace(/\s+/g, " ").trim();
const isFigure = (node: Node) => node.tag === "button" && hasClass(node, "figure");

function* within(node: Node, wanted: (one: Node) => boolean): Generator<Node> {
  for (const child of elements(node)) {
    if (wanted(child)) yield child;
    else yield* within(child, wanted);
  }
}

function closest(node: Node, wanted: (one: Node) => boolean): Node | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (wanted(at)) return at;
  return undefined;
}

const isHeading = (node: Node) => /^h[1-4]$|^caption$/.test(node.tag);

/** The headings before it in the parts around it, the outer ones first, without that of the whole page. */
function headingOf(figure: Node): string {
  const found: Node[] = [];
  const level = (one: Node | undefined) => Number(/^h([1-4])$/.exec(one?.tag ?? "")?.[1] ?? 5);
  for (let at = figure; at.parent !== undefined; at = at.parent) {
    const before = elements(at.parent).slice(0, elements(at.parent).indexOf(at));
    const heads = before.flatMap((one) => {
      if (isHeading(one)) return [one];
      return ["summary", "figcaption"].includes(one.tag) ? [[...within(one, isHeading)][0] ?? one] : [];
    });
    const nearest = heads.at(-1);
    if (nearest !== undefined && nearest.tag !== "h1" && level(nearest) <= level(found[0])) found.unshift(nearest);
  }
  return found.map(titleOf).join(" > ");
}

/** The title of its column. */
function columnOf(cell: Node): string {
  const given = attribute(cell, "data-label");
  if (given !== undefined) return given;
  const table = closest(cell, (one) => one.tag === "table");
  const [head] = table === undefined ? [] : [...within(table, (one) => one.tag === "thead")];
  const row = elements(head).find((one) => one.tag === "tr");
  const titles = elements(row);
  const at = elements(cell.parent).indexOf(cell);
  return plain(words(titles[at]));
}

/** Which of several numbers of a cell or sentence it is: a sentence gives each its own place. */
function placeIn(around: Node | undefined, figure: Node): string[] {
  const all = around === undefined ? [] : [...within(around, isFigure)];
  return all.length > 1 ? [`number ${all.indexOf(figure) + 1}`] : [];
}

/** What is read next to a number in its own cell or entry: "mean", "p95", its place in an interval. */
function chipsOf(around: Node, figure: Node): string[] {
  const interval = closest(figure, (one) => hasClass(one, "interval"));
  if (interval !== undefined) return ["interval", ...placeIn(interval, figure)];
  const named = elements(figure.parent).filter(({ tag }) => tag === "abbr");
  if (named.length > 0) return named.map(titleOf);
  const note = closest(figure, (one) => hasClass(one, "note"));
  if (note !== undefined && (note === around || closest(note, (one) => one === around) !== undefined))
    return [titleOf(note), ...placeIn(note, figure)];
  const chips = [...within(around, (one) => hasClass(one, "chip"))].map(titleOf);
  return [...chips, ...(around.tag === "dd" ? [] : placeIn(around, figure))];
}

const titleOf = (node: Node | undefined) => plain(words(node));

/** The words of its row, numbers included where they stand in its title. */
function rowOf(cell: Node): string {
  const others = elements(cell.parent).filter((one) => one !== cell);
  return plain(others.map((one) => (one.tag === "th" ? told(one) : words(one).replaceAll("…", ""))).join(" "));
}

function said(figure: Node): Pick<Shown, "label" | "chips"> {
  const cell = closest(figure, (one) => one.tag === "td" || (one.tag === "th" && attribute(one, "scope") === "row"));
  if (cell !== undefined) {
    // A title of the table's columns that says more of all of them.
    const note = closest(cell, (one) => one.tag === "section" || one.tag === "figure");
    const notes = elements(note).filter((one) => hasClass(one, "chip"));
    const isTitle = cell.tag === "th";
    const row = isTitle ? plain(told(cell)) : rowOf(cell);
    return { label: columnOf(cell), chips: [row, ...chipsOf(cell, figure), ...notes.map(titleOf)] };
  }
  const item = closest(figure, (one) => one.tag === "dd");
  if (item !== undefined) {
    const entry = elements(item.parent);
    const chips = entry.filter((one) => one.tag === "dd" && one !== item).flatMap((one) => chipsIn(one));
    const own = chipsOf(item, figure);
    return { label: titleOf(entry.find((one) => one.tag === "dt")), chips: [...own, ...chips] };
  }
  const line = closest(figure, (one) => /^(?:p|li|h[1-4])$/.test(one.tag));
  return { label: titleOf(line), chips: placeIn(line, figure) };
}

const told = (node: Node | string): string => (typeof node === "string" ? node : node.children.map(told).join(""));
const chipsIn = (node: Node) => [...within(node, (one) => hasClass(one, "chip"))].map(titleOf);

/** Every number that explains itself on a drawn screen. */
export function shownOn(screen: string, html: string): Shown[] {
  return [...within(parsed(html), isFigure)].flatMap((figure): Shown[] => {
    // Parts of a bar are rounded so that they add up.
    const bar = closest(figure, (one) => hasClass(one, "memory"));
    if (bar !== undefined && closest(figure, (one) => one.tag === "table") !== undefined) return [];
    const part = (name: string) => plain(words([...within(figure, (one) => hasClass(one, name))][0]));
    const place = attribute(figure, "data-place") ?? "";
    return [{ screen, place, text: part("value"), unit: part("unit"), heading: headingOf(figure), ...said(figure) }];
  });
}

const phraseOf = ({ text, unit }: Shown) => (unit === "" ? text : `${text} ${unit}`);

function grouped(all: readonly Shown[], keyOf: (one: Shown) => string): Shown[][] {
  const groups = new Map<string, Shown[]>();
  for (const one of all) {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

/** One place of the answer that is written in two ways. */
export function placesOfTwoTexts(all: readonly Shown[]): string[] {
  return grouped(all, ({ place }) => place).flatMap((same) => {
    const texts = new Set(same.map(({ text }) => text));
    return texts.size > 1 ? [`${same[0]?.place}: ${[...texts].join(" and ")}`] : [];
  });
}

/** Everything that is read of a number but itself. */
const nameOf = ({ label, chips, heading }: Shown) => [label, ...chips, heading].join(" | ");

/** One label over two quantities that nothing tells apart: neither chip nor row, column or heading. */
export function labelsOfTwoNumbers(all: readonly Shown[]): string[] {
  return grouped(all, nameOf).flatMap((same) => {
    const [first, ...others] = same;
    const other = others.find((one) => first !== undefined && phraseOf(one) !== phraseOf(first));
    if (first === undefined || other === undefined) return [];
    const told = [first, other].map((one) => `${one.place} ${phraseOf(one)} (${one.screen})`);
    return [`${nameOf(first)}: ${told.join(", ")}`];
  });
}

const kHasStatistics = /(?:^|\/)(?:ttft|tpot|request|wait|reached)_s(?:_low|_high|_p\d+)?$/;
const kStatistic = /\bmean\b|\baverage\b|\bpercentile\b|\bp\d\d\b/i;

/** Latencies that do not say which statistic of the requests they are. */
export function unnamedStatistics(all: readonly Shown[]): string[] {
  return all
    .filter((one) => kHasStatistics.test(one.place) && !kStatistic.test(nameOf(one)))
    .map((one) => `${one.place} ${phraseOf(one)}: ${nameOf(one)}`);
}

const kSizes: Record<string, number> = {
  ...{ ns: 1e-9, µs: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, days: 86_400 },
  ...{ kW: 1000, W: 1, "%": 0.01, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 },
  ...{ million: 1e6, billion: 1e9, trillion: 1e12 },
  ...{ 万: 1e4, 亿: 1e8, 天: 86_400 },
};

const kUnits = "ns|µs|ms|s|min|h|days|kW|W|%|[kMGT]B|million|billion|trillion";
/** Chinese ones may follow without a space. */
const kChinese = "万|亿|天";

/** The numbers of a text in base units: `302 ms`, `$655,000`, `$175万`, `57.5 %`. Of "3.4 to 5.1 days" both are days. */
export function amountsIn(text: string): number[] {
  const each = text.replace(new RegExp(`(\\d) to ([\\d.,]*\\d) (${kUnits})(?![\\w/])`, "g"), "$1 $3 to $2 $3");
  return [
    ...each.matchAll(
      new RegExp(
        `(?<![\\w.])\\$?(\\d[\\d,]*(?:\\.\\d+)?(?:e-?\\d+)?)(?:[ \u00a0](${kUnits})(?![\\w/])|[ \u00a0]?(${kChinese}))?`,
        "g",
      ),
    ),
  ].map(([, digits = "", unit, chinese = ""]) => Number(digits.replaceAll(",", "")) * (kSizes[unit ?? chinese] ?? 1));
}

/** The first number of a text in base units; none is no number. */
export function amountIn(text: string | null): number {
  return amountsIn(text ?? "")[0] ?? Number.NaN;
}

interface Said {
  code: string;
  name: string;
  value: number;
  text: string;
}

/** Every number of the engine's sentences in a part of an answer. */
function saidIn(part: unknown): Said[] {
  if (Array.isArray(part)) return part.flatMap(saidIn);
  if (typeof part !== "object" || part === null) return [];
  const { message, text = message, values, code, sentence = code } = part as Record<string, unknown>;
  const own =
    typeof text === "string" && typeof values === "object" && values !== null
      ? Object.entries(values).flatMap(([name, value]) =>
          typeof value === "number" ? [{ code: String(sentence), name, value, text }] : [],
        )
      : [];
  return [...own, ...Object.values(part).flatMap(saidIn)];
}

/** Short numbers meet by chance. */
const isLong = (value: number) => String(value).length > 6;
const digitsOf = (value: number) => value.toPrecision(12);
/** The engine keeps fifteen digits of a number, so which way half a step goes is not known any more. */
const isHalf = (value: number) => /^\d{3}5$/.test(value.toPrecision(12).replace(/^0\.0*|\.|e.*$|0+$/g, ""));

/** Sentences that say another number than the page shows of the same quantity. `numberOf` gives the number at a place. */
export function unlikeSentences(part: unknown, all: readonly Shown[], numberOf: (place: string) => number): string[] {
  const shown = new Map(all.map((one) => [digitsOf(numberOf(one.place)), one]));
  return saidIn(part).flatMap(({ code, name, value, text }) => {
    const one = shown.get(digitsOf(value));
    if (one === undefined || !isLong(value) || isHalf(value)) return [];
    const [amount = Number.NaN] = amountsIn(phraseOf(one));
    const isSaid = amountsIn(text).some((other) => Math.abs(other - amount) <= 1e-9 * Math.abs(amount));
    return isSaid ? [] : [`${code} ${name}: ${one.place} ${phraseOf(one)}, but: ${text}`];
  });
}
