/** How long links that mean harm take to read, and how much memory: `node --expose-gc scripts/link_timings.ts [COUNT [SEED]]`. Never fails. */
import { readFileSync } from "node:fs";
import { hostileLink, manyMoves } from "../../tests/web/hostile_links.ts";
import { randomFrom } from "../../tests/web/random_json.ts";
import { decodeLink } from "../src/link.ts";

const preset = JSON.parse(readFileSync(new URL("../../examples/chat_70b.json", import.meta.url), "utf8"));
const [count = 10_000, seed = 30] = process.argv.slice(2).map(Number);
const random = randomFrom(seed);
const gc = (globalThis as { gc?: () => void }).gc;

const used = () => {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
};
const milliseconds: number[] = [];
const processor: number[] = [];
const megabytes: number[] = [];
for (let i = 0; i < count; i += 1) {
  const link = i === 0 ? manyMoves : hostileLink(random);
  if (i % 50 === 0) gc?.();
  const before = used();
  const start = performance.now();
  const work = process.cpuUsage();
  await decodeLink(preset, link);
  milliseconds.push(performance.now() - start);
  const { user, system } = process.cpuUsage(work);
  processor.push((user + system) / 1000);
  // What was allocated and is not needed any more counts too, unless it was collected meanwhile.
  megabytes.push(used() - before);
}

function row(name: string, values: readonly number[]): void {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(2).padStart(9);
  console.log(`${name.padEnd(20)} ${at(0.5)} ${at(0.99)} ${at(1)}`);
}
console.log(`${count} links           median      99 %   largest`);
row("milliseconds", milliseconds);
row("ms of processor", processor);
row("MB allocated", megabytes);
