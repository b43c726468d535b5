// Times one search in the engine as the browser loads it, beside the native build: layouts, processor time, rate, ratio.
//
//   node wasm_search.mjs ENGINE.mjs REQUEST.json NATIVE_BENCH

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [enginePath, requestPath, nativeBench] = process.argv.slice(2).map((path) => resolve(path));
const { default: createEngine } = await import(pathToFileURL(enginePath).href);
const engine = await createEngine({ wasmBinary: readFileSync(enginePath.replace(/\.mjs$/, ".wasm")) });
const request = readFileSync(requestPath, "utf8");

const times = [];
let answer = engine.answer(request);
for (let round = 0; round < 20; round += 1) {
  const start = process.cpuUsage();
  answer = engine.answer(request);
  const used = process.cpuUsage(start);
  times.push((used.user + used.system) / 1000);
}
times.sort((a, b) => a - b);
const wasm = times[Math.floor(times.length / 2)];
const layouts = JSON.parse(answer).evaluated;

const report = execFileSync(nativeBench, ["--benchmark_filter=answer_the_405b_search$", "--benchmark_format=json"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
});
const native = JSON.parse(report).benchmarks[0].cpu_time;
const rate = (milliseconds) => Math.round(layouts / milliseconds / 10) / 100;

console.log(`search of ${layouts} layouts, WebAssembly: ${wasm.toFixed(1)} ms, ${rate(wasm)} million layouts/s`);
console.log(`search of ${layouts} layouts, native:      ${native.toFixed(1)} ms, ${rate(native)} million layouts/s`);
console.log(`WebAssembly / native: ${(wasm / native).toFixed(2)}`);
