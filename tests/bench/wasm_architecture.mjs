// Times designs of clusters in the engine as the browser loads it: the design alone, and with every cable port to port.
//
//   node wasm_architecture.mjs ENGINE.mjs

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const enginePath = resolve(process.argv[2]);
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
  return { bytes: answer.length, ms: times[Math.floor(times.length / 2)] };
}

const need = { kind: "architecture", gpu: "h100-sxm5-80gb" };
for (const gpu_count of [96, 1016, 16384])
  for (const whole of [false, true]) {
    const { bytes, ms } = timeOf({ ...need, gpu_count, cable_schedule: whole, elevations: whole }, 15);
    const what = whole ? "with schedule and elevations" : "design";
    console.log(`architecture, ${gpu_count} GPUs, ${what}: ${(bytes / 1e3).toFixed(0)} kB, WebAssembly: ${ms.toFixed(1)} ms`);
  }
