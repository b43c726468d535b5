/** Answers cut for agents: what is kept is as it was, and what is missing is named. */

import { type LeftOut, shortened, valueAt } from "../../wasm/npm/src/shorten.ts";
import { expect, test } from "../../web/playwright.ts";
import { hostileNames, randomName, randomNumbers } from "./hostile.ts";

type Random = () => number;

function randomValue(random: Random, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 0 ? 6 : 4));
  const items = () => Array.from({ length: Math.floor(random() * 12) });
  if (kind === 0) return random() * 1e6;
  if (kind === 1) return randomName(random).repeat(1 + Math.floor(random() * 10));
  if (kind === 2) return random() < 0.5;
  if (kind === 3) return null;
  if (kind === 4) return items().map(() => randomValue(random, depth - 1));
  return Object.fromEntries(items().map((_, i) => [`${i} ${randomName(random)}/~`, randomValue(random, depth - 1)]));
}

/** Pointers of all values, those inside lists and objects too. */
function places(value: unknown, place = ""): string[] {
  if (typeof value !== "object" || value === null) return [place];
  const token = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");
  return [place, ...Object.entries(value).flatMap(([key, part]) => places(part, `${place}/${token(key)}`))];
}

test("is no longer than the room and a list of what is missing, and every value is kept or named", () => {
  const random = randomNumbers(7);
  let cuts = 0;
  for (let round = 0; round < 300; ++round) {
    const names = round === 0 ? hostileNames : Array.from({ length: 8 }, () => randomName(random));
    const answer = Object.fromEntries(names.map((name) => [name, randomValue(random, 3)]));
    const room = 1_200 + Math.floor(random() * 3_000);
    const { left_out: leftOut = [], ...kept } = shortened(answer, room) as { left_out?: LeftOut[] };
    expect(JSON.stringify(kept).length).toBeLessThanOrEqual(room);
    cuts += leftOut.length;
    // A list is cut at its end: one entry stands for all items from there.
    const rests = leftOut.map(({ place }) => [place, ...(/^(.*)\/(\d+)$/s.exec(place)?.slice(1) ?? [])]);
    const isLeftOut = (place: string) =>
      rests.some(([from = "", list, first]) => {
        if (place === from || place.startsWith(`${from}/`)) return true;
        if (list === undefined || !place.startsWith(`${list}/`) || !Array.isArray(valueAt(answer, list))) return false;
        return Number.parseInt(place.slice(list.length + 1), 10) >= Number(first);
      });
    const wrong = places(answer).filter((place) => {
      const [before, after] = [valueAt(answer, place), valueAt(kept, place)];
      return isLeftOut(place) ? after !== undefined : typeof before !== "object" && after !== before;
    });
    expect(wrong).toEqual([]);
    expect(leftOut.filter(({ place }) => valueAt(answer, place) === undefined)).toEqual([]);
  }
  expect(cuts).toBeGreaterThan(100);
});

test("a trace keeps its end, which is what was asked for", () => {
  const trace = Array.from({ length: 400 }, (_, i) => ({ id: `n${i}`, value: i }));
  const { left_out: leftOut, trace: kept } = shortened({ value: 399, trace }, 3_000) as {
    left_out: LeftOut[];
    trace: typeof trace;
  };
  expect(kept.at(-1)).toEqual(trace.at(-1));
  expect(kept).toEqual(trace.slice(-kept.length));
  expect(leftOut.map(({ place }) => place)).toEqual(["/trace/0"]);
});
