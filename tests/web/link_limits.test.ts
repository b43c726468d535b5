/** Links that mean harm cost little and are refused kindly. Work is counted, not timed; `npm run link-timings` times it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { applyChanges, type Change, type Json, type JsonObject } from "../../web/src/json.ts";
import { decodeLink } from "../../web/src/link.ts";
import { hostileLink, manyMoves } from "./hostile_links.ts";
import { randomFrom } from "./random_json.ts";

const preset = JSON.parse(readFileSync(new URL("../../examples/chat_70b.json", import.meta.url), "utf8")) as JsonObject;
const text = JSON.stringify(preset);

/** Values, and what changes copy, move and walk through. */
const kMostSteps = 10_000 + 20_000;

const packedChanges = (changes: Json) => `#/?s=1.0${Buffer.from(JSON.stringify(changes)).toString("base64url")}`;
async function read(link: string) {
  let steps = 0;
  const { kind } = await decodeLink(preset, link, (more) => (steps += more));
  return { kind, steps };
}
const kindOf = async (changes: Json) => (await decodeLink(preset, packedChanges(changes))).kind;

describe("a link", () => {
  it("costs bounded work whatever it holds, and changes nothing but its own request", async () => {
    const random = randomFrom(30);
    const kinds: Record<string, number> = {};
    let most = 0;
    for (let i = 0; i < 100; i += 1) {
      const links = Array.from({ length: 100 }, () => hostileLink(random));
      for (const { kind, steps } of await Promise.all(links.map(read))) {
        kinds[kind] = (kinds[kind] ?? 0) + 1;
        most = Math.max(most, steps);
      }
    }
    expect(Object.keys(kinds).sort()).toEqual(["state", "unreadable"]);
    for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(500);
    expect(most).toBeGreaterThan(kMostSteps / 2);
    expect(most).toBeLessThanOrEqual(kMostSteps);
    expect(({} as JsonObject).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(JSON.stringify(preset)).toBe(text);
  }, 240_000);

  it("may not take element after element from the front of a long list", async () => {
    const { kind, steps } = await read(manyMoves);
    expect(kind).toBe("unreadable");
    expect(steps).toBeLessThanOrEqual(kMostSteps);
  });

  it("is too long with more characters, bytes, values or levels than a state has", async () => {
    const fits = { values: 9994, depth: 62, bytes: 49_000 };
    expect(await kindOf([["/x", Array(fits.values).fill(0)]])).toBe("state");
    expect(await kindOf([["/x", Array(fits.values + 3).fill(0)]])).toBe("unreadable");
    const deep = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`) as Json;
    expect(await kindOf([["/x", deep(fits.depth + 1)]])).toBe("state");
    expect(await kindOf([["/x", deep(fits.depth + 2)]])).toBe("unreadable");
    expect(await kindOf([["/x", "x".repeat(fits.bytes)]])).toBe("state");
    expect(await kindOf([["/x", "x".repeat(fits.bytes + 1000)]])).toBe("unreadable");
    expect(await kindOf([["/a".repeat(64), 1]])).toBe("state");
    expect(await kindOf([["/a".repeat(65), 1]])).toBe("unreadable");
  });
});

describe("many changes", () => {
  it("copy a wide document once", () => {
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]));
    const changes = Array.from({ length: 5000 }, (_, i): Change => [`/in/k${i}`, -i]);
    let steps = 0;
    const changed = applyChanges({ in: wide }, changes, (more) => (steps += more)) as { in: Record<string, number> };
    expect([changed.in.k1, changed.in.k4999, wide.k4999]).toEqual([-1, -4999, 4999]);
    expect(steps).toBe(5000 + 1 + 2 * changes.length);
  });

  it("leave values that are given alone", () => {
    const given = { a: [1] };
    expect(
      applyChanges({}, [
        ["/x", given],
        ["/x/a/0", 2],
        ["/y", given],
      ]),
    ).toEqual({ x: { a: [2] }, y: { a: [1] } });
    expect(given).toEqual({ a: [1] });
  });
});
