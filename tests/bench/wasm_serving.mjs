// Times serving in the engine as the browser loads it: a search over all data-centre GPUs in full and coarsely, and
// estimates one after the other, as text in and text out, and in a loop inside the engine (the target wasm_estimates).
//
//   node wasm_serving.mjs ENGINE.mjs SEARCH.json ESTIMATE.json ESTIMATES.js

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [enginePath, searchPath, estimatePath, estimatesPath] = process.argv.slice(2).map((path) => resolve(path));
const { default: createEngine } = await import(pathToFileURL(enginePath).href);
const engine = await createEngine({ wasmBinary: readFileSync(enginePath.replace(/\.mjs$/, ".wasm")) });

/** Median processor time of one call, ms. */
function timeOf(request, rounds) {
  const text = JSON.stringify(request);
  const times = [];
  let answer = engine.answer(text);
  for (let round = 0; round < rounds; round += 1) {
    const start = process.cpuUsage();
    answer = engine.answer(text);
    const used = process.cpuUsage(start);
    times.push((used.user + used.system) / 1000);
  }
  times.sort((a, b) => a - b);
  return { answer: JSON.parse(answer), ms: times[Math.floor(times.length / 2)] };
}

const search = JSON.parse(readFileSync(searchPath, "utf8"));
for (const effort of ["full", "coarse"]) {
  const { answer, ms } = timeOf({ ...search, effort }, 20);
  console.log(`serving search, ${effort}: ${answer.evaluated} layouts, WebAssembly: ${ms.toFixed(1)} ms`);
}
const estimate = JSON.parse(readFileSync(estimatePath, "utf8"));
const { ms } = timeOf(estimate, 200);
console.log(`one serving request, text in and text out, WebAssembly: ${ms.toFixed(3)} ms`);
const rate = Number(execFileSync(process.execPath, [estimatesPath], { encoding: "utf8" }));
console.log(`serving estimates without a trace, WebAssembly: ${Math.round(rate / 100) / 10} thousand/s`);
