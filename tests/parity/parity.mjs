// Answers every golden request with the engine as the browser loads it and compares the bytes with the golden answers.
//
//   node parity.mjs ENGINE.mjs GOLDEN_FOLDER FIRST_REQUEST.json
//
// Where engine_rest.wasm stands beside it, the engine is the one in two files that the site carries. Each request then
// meets an engine that has the first file alone: what an answer reads must be there, or be brought in by what it calls.
//
// The native build is held to the same files by tests_golden, so equality here is equality of both builds.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { halves } from "../../wasm/halves.mjs";

const [enginePath, golden, firstQuestion] = process.argv.slice(2).map((path) => resolve(path));
const { default: createEngine } = await import(pathToFileURL(enginePath).href);
const wasmBinary = readFileSync(enginePath.replace(/\.mjs$/, ".wasm"));
const restPath = enginePath.replace(/\.mjs$/, "_rest.wasm");
const inTwoFiles = existsSync(restPath);
const first = new WebAssembly.Module(wasmBinary);
const rest = inTwoFiles && new WebAssembly.Module(readFileSync(restPath));
let restTakenIn = 0;
const whole = inTwoFiles ? undefined : await createEngine({ wasmBinary });
const withFirstFile = () =>
  createEngine(
    halves(first, () => {
      restTakenIn += 1;
      return rest;
    }),
  );

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
  const engine = whole ?? (await withFirstFile());
  const actual = engine.answer(request);
  if (expected !== actual) {
    failed.push(name);
    console.log(`${name}: ${firstDifference(expected, actual)}`);
  }
}

// The page's first question, and some near it, by the first file alone and with the second one there.
if (inTwoFiles) {
  const asked = JSON.parse(readFileSync(firstQuestion, "utf8"));
  for (const change of [{}, { mean_requests_per_s: 20 }, { tpot_s_p95_max: 0.1 }, { input_tokens: 2047 }]) {
    const request = JSON.stringify({ ...asked, workloads: [{ ...asked.workloads[0], ...change }] });
    const parts = halves(first, () => rest);
    const engine = await createEngine(parts);
    const alone = engine.answer(request);
    parts.loadRest();
    if (alone !== engine.answer(request)) failed.push(JSON.stringify(change));
  }
}

console.log(`[  PASSED  ] ${names.length - failed.length} tests.`);
if (failed.length > 0) console.log(`[  FAILED  ] ${failed.length} tests: ${failed.join(", ")}`);
if (names.length === 0) console.log("no golden request found");
if (inTwoFiles) console.log(`the second file was taken in ${restTakenIn} times`);
process.exit(failed.length > 0 || names.length === 0 ? 1 : 0);
