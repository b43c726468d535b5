/** Links that mean harm, the same for the same seed: long, wide, deep, packed tight, wrong or aimed at prototypes. */
import { deflateRawSync } from "node:zlib";
import type { Json } from "../../web/src/json.ts";
import { pick, type Random } from "./random_json.ts";

type Make = (random: Random) => string;

const plain = (text: string) => `#/?s=1.0${Buffer.from(text).toString("base64url")}`;
const packed = (text: string | Buffer) => `#/?s=1.1${deflateRawSync(text, { level: 6 }).toString("base64url")}`;
const either = (random: Random, changes: Json) => pick(random, [plain, packed])(JSON.stringify(changes));

/** As often small as large. */
const upTo = (random: Random, most: number) => Math.floor(most ** random());
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
const listOf = <One>(count: number, one: (i: number) => One) => Array.from({ length: count }, (_, i) => one(i));

/** What unpacks to much: each is packed once. */
const bombs = ["0", " ", "[", '["/a",1],', "\0"].map((text) => packed(text.repeat(Math.ceil(2e7 / text.length))));

function deep(random: Random): string {
  const depth = upTo(random, 60_000);
  const [open, close] = pick<readonly [string, string]>(random, [
    ["[", "]"],
    ['{"a":', "}"],
    ["[[],", "]"],
  ]);
  return packed(`[["/x",${open.repeat(depth)}0${close.repeat(depth)}]]`);
}

/** A document with many entries, and many changes to it. */
function wide(random: Random): string {
  const count = upTo(random, 6000);
  const at = (i: number) => pick(random, [`/w/k${i}`, "/w/k0", `/w/n${i}`, `/w/k${i}/in/ner`, `/k${i}`]);
  const changes = listOf(upTo(random, 4000), (i) =>
    random() < 0.3 ? [at(i)] : [at(i), pick<Json>(random, [0, {}, "x"])],
  );
  return packed(JSON.stringify([["/w", names(count)], ...changes]));
}

function elements(random: Random): string {
  const count = upTo(random, 6000);
  const places = ["0", "1", String(count - 1), String(count), "-1", "-", "01", "1e3", "length", "0x1", "９"] as const;
  const changes = listOf(upTo(random, 3000), () =>
    random() < 0.7 ? [`/w/${pick(random, places)}`] : [`/w/${pick(random, places)}/x`, 1],
  );
  return packed(JSON.stringify([["/w", listOf(count, (i) => i)], ...changes]));
}

/** Elements taken from the front of a list, one after the other. */
export const manyMoves = packed(JSON.stringify([["/w", listOf(4990, (i) => i)], ...listOf(2500, () => ["/w/0"])]));

function polluting(random: Random): string {
  const name = () => pick(random, ["__proto__", "constructor", "prototype", "toString", "a", "0", "workloads"]);
  const pointer = () => listOf(1 + upTo(random, 6), () => `/${name()}`).join("");
  return either(
    random,
    listOf(1 + upTo(random, 50), () => [pointer(), pick<Json>(random, [true, {}, { polluted: true }, []])]),
  );
}

const kMakes: readonly [Make, ...Make[]] = [
  deep,
  wide,
  elements,
  polluting,
  (random) => pick(random, bombs as [string, ...string[]]),
  (random) => either(random, [["/a".repeat(upTo(random, 100_000)), 1]]),
  (random) =>
    either(
      random,
      listOf(upTo(random, 3000), (i) => [`/a/${i}${"/b".repeat(upTo(random, 63))}`, i]),
    ),
  (random) => either(random, [[`/${pick(random, ["~", "~1", "~0", "~01"]).repeat(upTo(random, 60_000))}`, 1]]),
  (random) => packed(JSON.stringify(listOf(upTo(random, 40), () => ["", names(upTo(random, 2000))]))),
  (random) => packed(JSON.stringify([["/x", listOf(upTo(random, 40_000), () => 0)]])),
  (random) => `#/?${"&a=%41".repeat(upTo(random, 9000))}&s=1.0W10`,
  (random) => `#/?s=1.0W10${pick(random, ["&c=", "?c=", "&p=", "%"]).repeat(upTo(random, 16_000))}`,
  (random) => plain("x".repeat(upTo(random, 1e6))),
  (random) => `#/?s=1.1${Buffer.from(listOf(upTo(random, 40_000), () => random() * 256)).toString("base64url")}`,
];

/** A link of any kind; one in ten with a character changed. */
export function hostileLink(random: Random): string {
  const link = pick(random, kMakes)(random);
  if (random() < 0.9) return link;
  const at = Math.floor(random() * link.length);
  return link.slice(0, at) + String.fromCharCode(32 + Math.floor(random() * 300)) + link.slice(at + 1);
}
