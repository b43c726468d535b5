// Answers every golden request with the engine as the browser loads it and compares the bytes with the golden answers.
//
//   node parity.mjs ENGINE.mjs GOLDEN_FOLDER
//
// Where engine_rest.wasm stands beside it, the engine is the one in two files that the site carries.
//
// The native build is held to the same files by tests_golden, so equality here is equality of both builds.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { halves } from "../../wasm/halves.mjs";

const [enginePath, golden] = process.argv.slice(2).map((path) => resolve(path));
const { default: createEngine } = await import(pathToFileURL(enginePath).href);
const wasmBinary = readFileSync(enginePath.replace(/\.mjs$/, ".wasm"));
const restPath = enginePath.replace(/\.mjs$/, "_rest.wasm");
let restTakenIn = 0;
const inTwoFiles = () =>
  halves(new WebAssembly.Module(wasmBinary), () => {
    restTakenIn += 1;
    return new WebAssembly.Module(readFileSync(restPath));
  });
const engine = await createEngine(existsSync(restPath) ? inTwoFiles() : { wasmBinary });

/** Where two texts part, with what stands there in each. */
function firstDifference(expected, actual) {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at += 1;
  const near = (text) => JSON.stringify(text.slice(Math.max(0, at - 30), at + 30));
  return `at character ${at}: expected ${near(expected)}, got ${near(actual)}`;
}

const names = readdirSync(`${golden}/requests`)
  .filter((name) => name.endsWith(".json"))
  .sort();
const failed = [];
for (const name of names) {
  const request = readFileSync(`${golden}/requests/${name}`, "utf8");
  // Kept with line breaks, which no text inside JSON holds.
  const expected = readFileSync(`${golden}/answers/${name}`, "utf8").replace(/\n */g, "");
  const actual = engine.answer(request);
  if (expected !== actual) {
    failed.push(name);
    console.log(`${name}: ${firstDifference(expected, actual)}`);
  }
}

console.log(`[  PASSED  ] ${names.length - failed.length} tests.`);
if (failed.length > 0) console.log(`[  FAILED  ] ${failed.length} tests: ${failed.join(", ")}`);
if (names.length === 0) console.log("no golden request found");
if (existsSync(restPath)) console.log(`the second file was taken in ${restTakenIn} times`);
process.exit(failed.length > 0 || names.length === 0 ? 1 : 0);
