// wasm-split parts functions and leaves all data in the first file. Here the literals that no function of that file can
// reach follow the others into the second one.
//
// The linker fills the beginning of the data with literals, each up to its zero byte. A text stays where its address, or
// one inside it, is a number in the code of the first file or a word of any table: more than necessary, never less.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const kData = 11;
const kHeader = 8;
const kWord = 4;
const kBigFile = 1 << 28;
const kSpace = 32;
const kNewLine = 10;
const kShortest = 4; // of a text that is worth moving, in bytes

/** The LEB128 number at `at` of `bytes`, as [value, place behind it]. */
function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at];
    at += 1;
    value |= (byte & 127) << shift;
    if (byte < 128) return [value >>> 0, at];
  }
}

function unsigned(value) {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

/** An address is a signed operand, so its last byte keeps the sign's bit clear. */
function address(value) {
  const bytes = unsigned(value);
  const last = bytes.length - 1;
  return bytes[last] > 63 ? [...bytes.slice(0, last), bytes[last] | 128, 0] : bytes;
}

function sections(module) {
  const found = [];
  for (let at = kHeader; at < module.length; ) {
    const [length, begin] = number(module, at + 1);
    found.push({ id: module[at], body: module.subarray(begin, begin + length) });
    at = begin + length;
  }
  return found;
}

function moduleOf(header, parts) {
  return Buffer.concat([header, ...parts.flatMap(({ id, body }) => [Buffer.from([id, ...unsigned(body.length)]), body])]);
}

/** Segments of known address: flag 0, i32.const, address, end. */
function segmentsOf(body) {
  let [count, at] = number(body, 0);
  const segments = [];
  for (; count > 0; count -= 1) {
    const [start, end] = number(body, at + 2);
    const [length, begin] = number(body, end + 1);
    segments.push({ start, bytes: body.subarray(begin, begin + length) });
    at = begin + length;
  }
  return segments;
}

function dataSection(segments) {
  const parts = segments.flatMap(({ start, bytes }) => [Buffer.from([0, 0x41, ...address(start), 0x0b, ...unsigned(bytes.length)]), bytes]);
  return { id: kData, body: Buffer.concat([Buffer.from(unsigned(segments.length)), ...parts]) };
}

/** Every number that code or tables could use as an address. */
function mentioned(path, tables) {
  const text = execFileSync("wasm-dis", [path], { encoding: "utf8", maxBuffer: kBigFile });
  const found = new Set();
  for (const [, value] of text.matchAll(/(?:i32\.const |offset=)(\d+)/g)) found.add(Number(value));
  // Two neighbours that are stored at once, an address and a length, are one number.
  for (const [, value] of text.matchAll(/i64\.const (-?\d+)/g))
    for (const half of [0n, 32n]) found.add(Number((BigInt(value) >> half) & 0xffff_ffffn));
  for (const [, offset, base] of text.matchAll(/offset=(\d+)[^(]*\(i32\.const (\d+)\)/g)) found.add(Number(offset) + Number(base));
  // Segments leave out zeros, those at the end of a word too.
  const { start, bytes } = tables.at(-1);
  const memory = Buffer.alloc(start + bytes.length + kWord);
  for (const segment of tables) memory.set(segment.bytes, segment.start);
  for (let at = 0; at + kWord <= memory.length; at += kWord) found.add(memory.readUInt32LE(at));
  return found;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Tables of numbers lie behind the literals; code reaches into them from addresses that it computes. */
function isText(bytes) {
  if (bytes.length < kShortest || bytes.some((byte) => byte < kSpace && byte !== kNewLine)) return false;
  try {
    utf8.decode(bytes);
  } catch {
    return false;
  }
  return true;
}

/** The literals of a segment that nothing mentions, as segments; neighbours are one. */
function unmentioned({ start, bytes }, addresses) {
  const found = [];
  for (let from = 0, to; from < bytes.length; from = to) {
    to = bytes.indexOf(0, from) + 1 || bytes.length;
    // One before the beginning counts too: loops may start there.
    let stays = bytes[to - 1] !== 0 || !isText(bytes.subarray(from, to - 1));
    for (let at = from - 1; !stays && at < to; at += 1) stays = addresses.has(start + at);
    const last = found.at(-1);
    if (stays) continue;
    if (last?.to === from) last.to = to;
    else found.push({ from, to });
  }
  return found.map(({ from, to }) => ({ start: start + from, bytes: bytes.subarray(from, to) }));
}

/** The segment with zeros in their place, which compress to less than the addresses of what is left would. */
function without({ start, bytes }, pieces) {
  const left = Buffer.from(bytes);
  for (const piece of pieces) left.fill(0, piece.start - start, piece.start - start + piece.bytes.length);
  return { start, bytes: left };
}

/** Moves literals from the module at `first` to the one at `rest`, which writes them when it is instantiated. */
export function partLiterals(first, rest) {
  const [module, other] = [first, rest].map((path) => readFileSync(path));
  const parts = sections(module);
  const data = parts.find(({ id }) => id === kData);
  const [literals, ...tables] = segmentsOf(data.body);
  const moved = unmentioned(literals, mentioned(first, tables));
  const header = module.subarray(0, kHeader);
  writeFileSync(first, moduleOf(header, parts.map((part) => (part === data ? dataSection([without(literals, moved), ...tables]) : part))));
  writeFileSync(rest, moduleOf(header, [...sections(other), dataSection(moved)]));
}
