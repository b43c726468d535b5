/** Repeatable random JSON for property tests. */
import type { Json, JsonObject } from "../../web/src/json.ts";

export type Random = () => number;

/** Mulberry32: the same numbers for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, items: readonly [T, ...T[]]): T {
  return items[Math.floor(random() * items.length)] ?? items[0];
}

export function randomJson(random: Random, depth = 3): Json {
  const kind = Math.floor(random() * (depth > 0 ? 7 : 5));
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return Math.round(random() * 1000) / 8;
  if (kind === 3) return random() * 10 ** Math.floor(random() * 30 - 10);
  if (kind === 4) return pick(random, ["", "é~/", "llama-3.1-8b", '"\\\n', "模型"]);
  if (kind === 5) return Array.from({ length: Math.floor(random() * 4) }, () => randomJson(random, depth - 1));
  return randomObject(random, depth);
}

export function randomObject(random: Random, depth = 3): JsonObject {
  const object: JsonObject = {};
  for (let i = Math.floor(random() * 4); i > 0; i -= 1) {
    object[pick(random, ["model", "a/b", "c~d", "", "gpus", "workloads", "0"])] = randomJson(random, depth - 1);
  }
  return object;
}
