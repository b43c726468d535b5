/** Links keep what they hold: random states of every screen come back, kept links of every form still open, noise is told kindly. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { renderToString } from "preact-render-to-string";
import { beforeAll, describe, expect, it } from "vitest";
import { kAskedBy } from "../../web/scripts/requests.ts";
import { createController, kIdleController } from "../../web/src/controller.ts";
import {
  canonical,
  isObject,
  type Json,
  type JsonObject,
  pointerToken,
  valueAt,
  withValue,
} from "../../web/src/json.ts";
import { decodeLink, encodeLink } from "../../web/src/link.ts";
import { messages } from "../../web/src/messages.ts";
import { leadsNowhere, pathOf, routeOf, type Screen } from "../../web/src/route.ts";
import { createState } from "../../web/src/state.ts";
import { App } from "../../web/src/views/app.tsx";
import { loaded } from "./loaded.ts";
import { pick, type Random, randomFrom, randomJson, randomObject } from "./random_json.ts";

beforeAll(loaded);

interface KeptLink {
  screen: Screen;
  since: string;
  note: string;
  hash: string;
  plan: number;
  /** The first digits of the SHA-256 of the canonical request that the link opens. */
  request_sha256: string;
}

const file = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const kept = file("links/corpus.json") as KeptLink[];
const example = (name: string) => file(`../../examples/${name}.json`) as JsonObject;

/** What each screen opens with, and all that it offers. */
const offered = Object.fromEntries(
  Object.entries(kAskedBy).map(([screen, { examples }]) => [screen, examples.map(example)]),
) as Record<Screen, [JsonObject, ...JsonObject[]]>;
const asking = Object.keys(offered) as [Screen, ...Screen[]];

/** The pointers of everything in a document. */
function pointersOf(value: Json, at = ""): string[] {
  const entries = Array.isArray(value) ? value.map((item, i) => [String(i), item] as const) : [];
  const members = isObject(value) ? Object.entries(value) : entries;
  return members.flatMap(([key, item]) => {
    const inside = `${at}/${pointerToken(key)}`;
    return [inside, ...pointersOf(item, inside)];
  });
}

/** A value as somebody might set it: mostly of the kind that stands there, sometimes anything. */
function edited(random: Random, value: Json | undefined): Json | undefined {
  const chance = random();
  if (chance < 0.1) return undefined;
  if (chance < 0.3) return randomJson(random);
  if (typeof value === "number") return Number((value * 10 ** (random() * 4 - 2)).toPrecision(3));
  if (typeof value === "boolean") return !value;
  if (typeof value === "string") return pick(random, ["b200-sxm", "llama-3.1-8b", "fp8", "", "ä/~0", "模型"]);
  if (Array.isArray(value)) return value.filter(() => random() < 0.5);
  return value;
}

function randomRequest(random: Random, of: readonly [JsonObject, ...JsonObject[]]): JsonObject {
  if (random() < 0.05) return randomObject(random);
  let request = random() < 0.7 ? of[0] : pick(random, of);
  for (let edits = Math.floor(random() * 6); edits > 0; edits -= 1) {
    const [first = "", ...others] = pointersOf(request);
    const isNew = first === "" || random() < 0.15;
    const pointer = isNew ? pick(random, ["/new", "/n~1e/~0", "/options/x"]) : pick(random, [first, ...others]);
    if (isNew && Array.isArray(request.options)) continue;
    request = withValue(request, pointer, edited(random, valueAt(request, pointer) as Json | undefined)) as JsonObject;
  }
  return request;
}

describe("ten thousand random states", () => {
  it("come back from their links, on every screen", async () => {
    const random = randomFrom(20261122);
    for (let i = 0; i < 10_000; i += 1) {
      const screen = pick(random, asking);
      const request = randomRequest(random, offered[screen]);
      const plan = random() < 0.5 ? 0 : Math.floor(random() * 999);
      const madeWith = random() < 0.5 ? undefined : pick(random, ["0.1.0 / abcd1234", "1&p=2#?", "版 本"]);
      const hash = await encodeLink(offered[screen][0], { request, plan, madeWith }, pathOf(screen));
      expect(routeOf(hash).screen, hash).toBe(screen);
      const link = await decodeLink(offered[screen][0], hash);
      const found = link.kind === "preset" ? { request: offered[screen][0], plan: 0 } : link;
      expect("request" in found && canonical(found.request), hash).toBe(canonical(request));
      expect("plan" in found && found.plan, hash).toBe(plan);
      if (link.kind === "state") expect(link.madeWith, hash).toBe(madeWith);
      const again = "request" in found ? { request: found.request, plan: found.plan, madeWith } : undefined;
      if (again !== undefined) expect(await encodeLink(offered[screen][0], again, pathOf(screen))).toBe(hash);
    }
  }, 120_000);
});

describe("a link to a screen that is not there", () => {
  it("leads nowhere, and every screen and its items lead somewhere", () => {
    for (const hash of ["#/learn", "#/learn?s=1.0W10", "#/plans/1"]) expect(leadsNowhere(hash), hash).toBe(true);
    for (const hash of [
      "",
      "#",
      "#/",
      "#/plan",
      "#/?s=1.0W10",
      "#/data/gpus/a100",
      ...asking.map((screen) => `#/${screen}`),
    ])
      expect(leadsNowhere(hash), hash).toBe(false);
  });
});

describe("kept links", () => {
  it("are there for every screen that asks, and for the pages before there were screens", () => {
    expect(new Set(kept.map(({ screen }) => screen))).toEqual(new Set(asking));
    expect(kept.filter(({ since }) => since.includes("before there were screens")).length).toBeGreaterThan(4);
    expect(new Set(kept.map(({ hash }) => /s=1\.(.)/.exec(hash)?.[1]))).toEqual(new Set(["0", "1", undefined]));
  });

  it.each(kept)("$screen, $note", async ({ screen, hash, plan, request_sha256 }) => {
    expect(routeOf(hash).screen).toBe(screen);
    const link = await decodeLink(offered[screen][0], hash);
    if (link.kind !== "state") throw new Error(`${link.kind}: a kept link must go on opening`);
    // A digest that differs: the screen's first example is another, and every link that people hold opens something else.
    const digest = createHash("sha256").update(canonical(link.request)).digest("hex");
    expect(digest.slice(0, request_sha256.length)).toBe(request_sha256);
    expect(link.plan + 1).toBe(plan);
  });
});

/** A link with some of its characters changed, put in, left out, doubled or cut off. */
function noisy(random: Random, hash: string): string {
  let text = hash;
  for (let i = Math.ceil(random() * 5); i > 0; i -= 1) {
    const at = Math.floor(random() * text.length);
    const noise =
      random() < 0.5 ? pick(random, [..."AZaz09-_=&?%#/."] as [string]) : String.fromCharCode(random() * 0x3000);
    const kind = Math.floor(random() * 4);
    if (kind === 0) text = text.slice(0, at) + noise + text.slice(at + 1);
    else if (kind === 1) text = text.slice(0, at) + noise + text.slice(at);
    else if (kind === 2) text = text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 20));
    else text = random() < 0.3 ? text.slice(0, at) : text + text.slice(at);
  }
  return text.startsWith("#") ? text : `#${text}`;
}

describe("five hundred links with noise", () => {
  it("open the example and say so, or open a state that the page can draw; none throws", async () => {
    const random = randomFrom(500);
    const seen = { unreadable: 0, opened: 0 };
    for (let i = 0; i < 500; i += 1) {
      const { hash: whole, screen } = pick(random, kept as [KeptLink]);
      const hash = noisy(random, whole);
      const state = createState({
        preset: offered[screen][0],
        answer: { feasible: true },
        models: [],
        gpus: [],
        verbs: {},
      });
      const controller = createController(state, {
        answer: async () => JSON.stringify({ errors: [{ code: "type", path: "/x", message: "must be a number" }] }),
        readHash: () => hash,
        replaceHash: () => undefined,
      });
      await controller.start();
      const isExample = canonical(state.request.value) === canonical(offered[screen][0]);
      if (state.notice.value === messages.badLink) {
        seen.unreadable += 1;
        expect(isExample, hash).toBe(true);
      } else {
        seen.opened += 1;
      }
      const page = renderToString(<App page={{ state, controller: kIdleController }} />);
      expect(page, hash).toContain("<h1");
      if (state.notice.value !== undefined) expect(page, hash).toContain(messages.badLink);
      else expect(page, hash).toContain("must be a number");
    }
    expect(seen.unreadable).toBeGreaterThan(200);
    expect(seen.opened).toBeGreaterThan(20);
  });
});
