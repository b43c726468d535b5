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

/** All text in the order in which it is drawn, without spaces: how it is spaced is a matter of positions. */
export function textOfPdf(pdf: Buffer): string {
  const objects = objectsOf(pdf);
  const fonts = new Map<number, Map<number, string>>();
  for (const [number, { head }] of objects) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(head)?.[1];
    if (map !== undefined) fonts.set(number, unicodeOf(objects.get(Number(map))?.stream ?? ""));
  }
  let text = "";
  for (const { head } of objects.values()) {
    if (!/\/Type\s*\/Page\b/.test(head)) continue;
    const inner = /\/Resources (\d+) 0 R/.exec(head)?.[1];
    const resources = inner === undefined ? head : (objects.get(Number(inner))?.head ?? "");
    const named = new Map([...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, at]) => [name, Number(at)]));
    for (const [, content] of head.matchAll(/\/Contents (\d+) 0 R/g)) {
      let font: Map<number, string> | undefined;
      for (const [, name, hex] of (objects.get(Number(content))?.stream ?? "").matchAll(
        /\/(F\d+) [\d.]+ Tf|<(\w+)>/g,
      )) {
        if (name !== undefined) font = fonts.get(named.get(name) ?? -1);
        else for (const code of hex?.match(/.{4}/g) ?? []) text += font?.get(Number.parseInt(code, 16)) ?? "";
      }
    }
  }
  return text.replaceAll(/\s/g, "");
}
