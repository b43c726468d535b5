/** The text layer of a PDF as Chromium writes it: what a reader can select and search. */
import { inflateSync } from "node:zlib";

interface PdfObject {
  head: string;
  stream: string;
}

/** Objects by number; streams are unpacked. */
function objectsOf(pdf: Buffer): Map<number, PdfObject> {
  const text = pdf.toString("latin1");
  const objects = new Map<number, PdfObject>();
  for (const match of text.matchAll(/(\d+) 0 obj\b([\s\S]*?)(?:endobj|stream\r?\n)/g)) {
    const head = match[2] ?? "";
    const from = (match.index ?? 0) + match[0].length;
    const length = /\/Length (\d+)/.exec(head)?.[1];
    const isStream = match[0].endsWith("endobj") === false && length !== undefined;
    const packed = isStream ? pdf.subarray(from, from + Number(length)) : undefined;
    const isDeflated = head.includes("/FlateDecode");
    const stream = packed === undefined ? "" : (isDeflated ? inflateSync(packed) : packed).toString("latin1");
    objects.set(Number(match[1]), { head, stream });
  }
  return objects;
}

const fromHex = (hex: string) =>
  String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map((one) => Number.parseInt(one, 16)));

/** What each code of a font stands for, from its ToUnicode map. */
function unicodeOf(map: string): Map<number, string> {
  const codes = new Map<number, string>();
  for (const [, lines = ""] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, code = "", text = ""] of lines.matchAll(/<(\w+)>\s*<(\w+)>/g))
      codes.set(Number.parseInt(code, 16), fromHex(text));
  for (const [, lines = ""] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from = "", to = "", text = ""] of lines.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g))
      for (let code = Number.parseInt(from, 16); code <= Number.parseInt(to, 16); code += 1)
        codes.set(code, String.fromCharCode(Number.parseInt(text, 16) + code - Number.parseInt(from, 16)));
  return codes;
}

/** A text and where it begins: in points from the upper left corner of its page. */
export interface PlacedText {
  page: number;
  x: number;
  y: number;
  size: number;
  text: string;
}

type Matrix = readonly [number, number, number, number, number, number];

function product([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

const matrixOf = (numbers: string) => numbers.trim().split(/\s+/).map(Number) as unknown as Matrix;

/** The texts of a page's drawing. */
function placedIn(
  stream: string,
  page: number,
  fontOf: (name: string) => Map<number, string> | undefined,
): PlacedText[] {
  const found: PlacedText[] = [];
  const kept: Matrix[] = [];
  let at: Matrix = [1, 0, 0, 1, 0, 0];
  let line: Matrix = at;
  let font: Map<number, string> | undefined;
  let size = 0;
  const kOperators =
    /(?<=^|\s)(?:(?<keep>q)|(?<back>Q)|(?<move>(?:-?[\d.]+ ){6})cm|\/(?<font>F\d+) (?<size>[\d.]+) Tf|(?<place>(?:-?[\d.]+ ){6})Tm|(?<right>-?[\d.]+) (?<down>-?[\d.]+) Td|<(?<text>\w+)> Tj)(?=\s|$)/g;
  for (const { groups = {} } of stream.matchAll(kOperators)) {
    const { keep, back, move, font: name, place, right, down, text } = groups;
    if (keep !== undefined) kept.push(at);
    else if (back !== undefined) at = kept.pop() ?? at;
    else if (move !== undefined) at = product(matrixOf(move), at);
    else if (name !== undefined) [font, size] = [fontOf(name), Number(groups.size)];
    else if (place !== undefined) line = matrixOf(place);
    else if (right !== undefined) line = product([1, 0, 0, 1, Number(right), Number(down)], line);
    else if (text !== undefined) {
      const [, , , d, x, y] = product(line, at);
      const said = (text.match(/.{4}/g) ?? []).map((code) => font?.get(Number.parseInt(code, 16)) ?? "");
      found.push({ page, x, y, size: Math.abs(d) * size, text: said.join("") });
    }
  }
  return found;
}

/** All texts in the order in which they are drawn. */
export function textsOfPdf(pdf: Buffer): PlacedText[] {
  const objects = objectsOf(pdf);
  const fonts = new Map<number, Map<number, string>>();
  for (const [number, { head }] of objects) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(head)?.[1];
    if (map !== undefined) fonts.set(number, unicodeOf(objects.get(Number(map))?.stream ?? ""));
  }
  const pages = [...objects.values()].filter(({ head }) => /\/Type\s*\/Page\b/.test(head));
  return pages.flatMap(({ head }, page) => {
    const inner = /\/Resources (\d+) 0 R/.exec(head)?.[1];
    const resources = inner === undefined ? head : (objects.get(Number(inner))?.head ?? "");
    const named = new Map([...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, at]) => [name, Number(at)]));
    return [...head.matchAll(/\/Contents (\d+) 0 R/g)].flatMap(([, content]) =>
      placedIn(objects.get(Number(content))?.stream ?? "", page + 1, (name) => fonts.get(named.get(name) ?? -1)),
    );
  });
}

/** All text, without spaces: how it is spaced is a matter of positions. */
export function textOfPdf(pdf: Buffer): string {
  return textsOfPdf(pdf)
    .map(({ text }) => text)
    .join("")
    .replaceAll(/\s/g, "");
}

/** Texts that lie on others: their lines are closer than letters are high. How wide a text is at least follows from its size. */
export function overlapsIn(pdf: Buffer): string[] {
  const all = textsOfPdf(pdf).filter(({ text }) => text.trim() !== "");
  const right = ({ x, size, text }: PlacedText) => x + 0.4 * size * text.trim().length;
  return all.flatMap((one, i) =>
    all.slice(i + 1).flatMap((other) => {
      const down = Math.abs(one.y - other.y);
      const isOn = one.page === other.page && down > 1 && down < 0.6 * Math.min(one.size, other.size);
      const isAcross = Math.min(right(one), right(other)) - Math.max(one.x, other.x) > 2;
      return isOn && isAcross ? [`page ${one.page}: “${other.text}” lies on “${one.text}”`] : [];
    }),
  );
}

/** Punctuation that begins a line, apart from what it ends. */
export function danglingIn(pdf: Buffer): string[] {
  const all = textsOfPdf(pdf).filter(({ text }) => text.trim() !== "");
  const isFirst = (one: PlacedText) =>
    !all.some((other) => other.page === one.page && Math.abs(other.y - one.y) < 1 && other.x < one.x);
  return all
    .filter((one) => /^\s*[.,;:)]/.test(one.text) && isFirst(one))
    .map(({ page, text }) => `page ${page}: ${text}`);
}
