// What the engine's two files weigh, by section, and the first file's literals by what they are. The gzipped size of a
// kind is what would be saved without it.
//
//   node wasm/weigh.mjs [build/wasm/site_engine]

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { number, sections, segmentsOf } from "./wasm_sections.mjs";

const core = join(dirname(dirname(fileURLToPath(import.meta.url))), "core");
const folder = process.argv[2] ?? "build/wasm/site_engine";
const kNames = { 1: "types", 2: "imports", 3: "functions", 6: "globals", 7: "exports", 9: "table", 10: "code", 11: "data" };
const kLiteral = 3; // as many bytes and more are a literal

const zipped = (bytes) => gzipSync(bytes, { level: 9 }).length;
const row = (name, raw, gz) =>
  console.log(`${(raw / 1000).toFixed(1).padStart(9)} kB raw ${(gz / 1000).toFixed(1).padStart(7)} kB gzip  ${name}`);

function showSections(file) {
  const module = readFileSync(join(folder, file));
  row(file, module.length, zipped(module));
  for (const { id, body } of sections(module)) {
    const count = id === 10 ? `, ${number(body, 0)[0]} functions` : "";
    if (body.length > 1000) row(`  ${kNames[id] ?? id}${count}`, body.length, zipped(body));
  }
}

/** The path below core/catalog/data of a text that the engine carries, by its beginning. */
function catalogTexts() {
  const data = join(core, "catalog/data");
  const known = new Map();
  for (const path of readdirSync(data, { recursive: true, encoding: "utf8" })) {
    if (!/\.(json|csv)$/.test(path)) continue;
    const text = readFileSync(join(data, path), "utf8");
    const head = path.endsWith(".csv") ? text.slice(0, text.indexOf("\n")).replace(/,note$/, "") : text.match(/"id": *"[^"]*"/)?.[0].replace(": ", ":");
    if (head !== undefined) known.set(head, path.includes("/") ? dirname(path) : path);
  }
  return known;
}

function kindOf(literal, catalog, messages) {
  if (messages.has(literal)) return "messages";
  for (const [head, name] of catalog) if (literal.startsWith(head) || literal.startsWith(`{${head}`)) return `catalog ${name}`;
  return literal.length > 300 ? "other long texts" : "other words and texts";
}

for (const file of ["engine.wasm", "engine_rest.wasm"]) showSections(file);
const data = sections(readFileSync(join(folder, "engine.wasm"))).find(({ id }) => id === 11);
const literals = Buffer.from(segmentsOf(data.body)[0].bytes)
  .toString("utf8")
  .split("\0")
  .filter((literal) => literal.length >= kLiteral);
const messages = new Set(Object.values(JSON.parse(readFileSync(join(core, "base/data/messages.json"), "utf8"))).map(({ en }) => en));
const catalog = catalogTexts();
const kinds = new Map();
for (const literal of literals) {
  const kind = kindOf(literal, catalog, messages);
  kinds.set(kind, [...(kinds.get(kind) ?? []), literal]);
}
const all = zipped(literals.join("\0"));
const weighed = [...kinds].map(([kind, texts]) => ({
  kind,
  raw: Buffer.byteLength(texts.join("\0")),
  gz: all - zipped(literals.filter((literal) => !texts.includes(literal)).join("\0")),
}));
console.log("literals of engine.wasm");
for (const { kind, raw, gz } of weighed.toSorted((a, b) => b.gz - a.gz).slice(0, 20)) row(`  ${kind}`, raw, gz);
