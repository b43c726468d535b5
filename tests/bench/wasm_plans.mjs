// Times the plans of examples/ in the engine as the browser loads it. The goal is 100 ms for each of them.
//
//   node wasm_plans.mjs ENGINE.mjs EXAMPLES

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [enginePath, examples] = process.argv.slice(2).map((path) => resolve(path));
const { default: createEngine } = await import(pathToFileURL(enginePath).href);
const engine = await createEngine({ wasmBinary: readFileSync(enginePath.replace(/\.mjs$/, ".wasm")) });

for (const name of readdirSync(examples).sort()) {
  if (!name.endsWith(".json")) continue;
  const request = readFileSync(join(examples, name), "utf8");
  if (JSON.parse(request).kind !== "plan") continue;
  const times = [];
  engine.answer(request);
  for (let round = 0; round < 11; round += 1) {
    const start = process.cpuUsage();
    engine.answer(request);
    const used = process.cpuUsage(start);
    times.push((used.user + used.system) / 1000);
  }
  times.sort((a, b) => a - b);
  console.log(`plan ${name.slice(0, -5)}, WebAssembly: ${times[5].toFixed(1)} ms`);
}
