// wasm-split parts functions and leaves all data in the first file. Here the data that no function of that file can reach
// follow the others into the second one.
//
// The linker's map tells where objects lie; a run of literals, each up to its zero byte, lies before them. An object
// stays where its address, or one inside it or shortly before it, is a number in the code of the first file or a word of
// an object that stays; a literal likewise. That is more than necessary. It would be less where code computes an address
// from a number far before the object, which split_engine.mjs would notice: what is left of that code has run.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

import { kHeader, sections, segmentsOf } from "./wasm_sections.mjs";

const kData = 11;
const kWord = 4;
const kBigFile = 1 << 28;
const kBefore = 16; // how far before an object loops may start, in bytes
const kShortest = 4; // of a text that is worth moving, in bytes
// Of a longer text, a whole file, numbers lead to its beginning, or to its end, which it may share with a short literal:
// any number in between is an address by chance.
const kEnd = 512;
// A number inside a literal is where a shorter one begins that the linker found at its end; so near the end it may be the
// end itself, from which loops count down.
const kTail = 4;

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

function moduleOf(header, parts) {
  return Buffer.concat([header, ...parts.flatMap(({ id, body }) => [Buffer.from([id, ...unsigned(body.length)]), body])]);
}

function dataSection(segments) {
  const parts = segments.flatMap(({ start, bytes }) => [Buffer.from([0, 0x41, ...address(start), 0x0b, ...unsigned(bytes.length)]), bytes]);
  return { id: kData, body: Buffer.concat([Buffer.from(unsigned(segments.length)), ...parts]) };
}

/** Every number that the code could use as an address. Where the data and the table's elements begin is not code. */
function numbersOf(path) {
  const text = execFileSync("wasm-dis", [path], { encoding: "utf8", maxBuffer: kBigFile }).replace(/^ \((?:data|elem) .*/gm, "");
  const found = new Set();
  for (const [, value] of text.matchAll(/(?:i32\.const |offset=)(\d+)/g)) found.add(Number(value));
  // Two neighbours that are stored at once, an address and a length, are one number.
  for (const [, value] of text.matchAll(/i64\.const (-?\d+)/g))
    for (const half of [0n, 32n]) found.add(Number((BigInt(value) >> half) & 0xffff_ffffn));
  for (const [, offset, base] of text.matchAll(/offset=(\d+)[^(]*\(i32\.const (\d+)\)/g)) found.add(Number(offset) + Number(base));
  return found;
}

/** What the linker's map says of data that are not zero at the start: `literals`, and `objects` in order. */
function layoutOf(map) {
  const line = /^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) {9}(\S.*):\(\.(?:rodata|data)/;
  const chunks = map
    .slice(map.indexOf(" DATA\n"))
    .split("\n")
    .flatMap((text) => {
      const [, start, size, file] = text.match(line) ?? [];
      return file === undefined ? [] : [{ file, start: parseInt(start, 16), end: parseInt(start, 16) + parseInt(size, 16) }];
    });
  const [literals, ...others] = chunks.filter(({ file }) => file === "<internal>");
  if (literals === undefined || others.length > 0) throw new Error("the linker's map has no single run of literals");
  return { literals, objects: chunks.filter((chunk) => chunk !== literals) };
}

/** The objects that no number leads to, straight or through objects. Words of those that stay join the numbers. */
function unreached(objects, memory, numbers) {
  const left = new Set(objects);
  const reach = (from) => {
    const todo = [];
    for (const object of left) if (from.some((value) => value >= object.start - kBefore && value < object.end)) todo.push(object);
    for (const object of todo) left.delete(object);
    return todo;
  };
  for (let todo = reach([...numbers]); todo.length > 0; ) {
    const words = [];
    for (const { start, end } of todo)
      for (let at = Math.ceil(start / kWord) * kWord; at + kWord <= end; at += kWord) words.push(memory.readUInt32LE(at));
    for (const word of words) numbers.add(word);
    todo = reach(words);
  }
  return [...left];
}

/** Where what stays of a literal begins, which is its end where no number leads to it. */
function mentionedFrom(from, to, numbers) {
  if (to - from <= kShortest) return from;
  // One before the beginning counts too: loops may start there.
  let at = from - 1;
  while (at < to && !numbers.has(at)) at = at > from && at < to - kEnd ? to - kEnd : at + 1;
  if (at >= to) return to;
  return at >= to - kTail ? from : Math.max(at - 1, from);
}

/** The literals, or what of them comes before their ends, that no number leads to; neighbours are one. */
function unmentioned({ start, end }, memory, numbers) {
  const found = [];
  for (let from = start, to; from < end; from = to) {
    to = memory.indexOf(0, from) + 1;
    const until = mentionedFrom(from, to, numbers);
    if (until === from) continue;
    if (found.at(-1)?.end === from) found.at(-1).end = until;
    else found.push({ start: from, end: until });
  }
  return found;
}

/** The segment with zeros in their place, which compress to less than the addresses of what is left would. */
function without({ start, bytes }, pieces) {
  const left = Buffer.from(bytes);
  const inside = (address) => Math.min(Math.max(address - start, 0), left.length);
  for (const piece of pieces) left.fill(0, inside(piece.start), inside(piece.end));
  return { start, bytes: left };
}

/** Moves data from the module at `first` to the one at `rest`, which writes them when it is instantiated. */
export function partLiterals(first, rest, map) {
  const [module, other] = [first, rest].map((path) => readFileSync(path));
  const parts = sections(module);
  const data = parts.find(({ id }) => id === kData);
  const segments = segmentsOf(data.body);
  // Segments leave out zeros, those at the end of a word too.
  const memory = Buffer.alloc(Math.max(...segments.map(({ start, bytes }) => start + bytes.length)) + kWord);
  for (const { start, bytes } of segments) memory.set(bytes, start);
  const { literals, objects } = layoutOf(readFileSync(map, "utf8"));
  const numbers = numbersOf(first);
  const away = unreached(objects, memory, numbers);
  const moved = [...unmentioned(literals, memory, numbers), ...away].map(({ start, end }) => ({ start, end, bytes: memory.subarray(start, end) }));
  const header = module.subarray(0, kHeader);
  const left = segments.map((segment) => without(segment, moved));
  writeFileSync(first, moduleOf(header, parts.map((part) => (part === data ? dataSection(left) : part))));
  writeFileSync(rest, moduleOf(header, [...sections(other), dataSection(moved.filter(({ bytes }) => bytes.some(Boolean)))]));
}
