import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { currency, kUsd } from "../../web/src/currency.ts";
import { canonical, type JsonObject, withValue } from "../../web/src/json.ts";
import { decodeLink, encodeLink } from "../../web/src/link.ts";
import {
  addressNow,
  addressOf,
  areaOf,
  currencyIn,
  isBare,
  kAreas,
  lastHash,
  pageOf,
  routeOf,
  withCurrency,
  withoutCurrency,
} from "../../web/src/route.ts";
import { isPublic } from "../../web/src/screens/report_parts.ts";
import { pick, randomFrom, randomJson, randomObject } from "./random_json.ts";

const preset = JSON.parse(readFileSync(new URL("../../examples/chat_70b.json", import.meta.url), "utf8")) as JsonObject;

describe("encodeLink", () => {
  it("is empty for the preset", async () => {
    expect(await encodeLink(preset, { request: preset, plan: 0, madeWith: "0.1.0" })).toBe("");
    expect(await decodeLink(preset, "")).toEqual({ kind: "preset" });
    expect(await decodeLink(preset, "#/")).toEqual({ kind: "preset" });
  });

  it("carries one change in less than a hundred characters", async () => {
    const request = withValue(preset, "/workloads/0/model", "llama-3.1-8b") as JsonObject;
    const hash = await encodeLink(preset, { request, plan: 1, madeWith: "0.1.0 / abcd1234" });
    expect(hash).toMatch(/^#\/\?s=1\.[01][A-Za-z0-9_-]+&p=2&v=0\.1\.0%20%2F%20abcd1234$/);
    expect(hash.length).toBeLessThan(130);
    expect(await decodeLink(preset, hash)).toEqual({ kind: "state", request, plan: 1, madeWith: "0.1.0 / abcd1234" });
  });

  it("takes the shorter scheme", async () => {
    const scheme = async (name: string) =>
      /s=1\.(.)/.exec(await encodeLink(preset, { request: { ...preset, name }, plan: 0 }))?.[1];
    expect(await scheme("x")).toBe("0");
    expect(await scheme("x".repeat(500))).toBe("1");
  });

  it("gives every state back", async () => {
    const random = randomFrom(2);
    for (let i = 0; i < 2000; i += 1) {
      let request = preset;
      for (let edits = Math.ceil(random() * 4); edits > 0; edits -= 1) {
        const pointer = pick(random, [
          "/workloads/0/model",
          "/constraints/gpus",
          "/economics",
          "/options/x",
          "/n~1ew/~0y",
        ]);
        request = withValue(request, pointer, random() < 0.2 ? undefined : randomJson(random)) as JsonObject;
      }
      if (random() < 0.1) request = randomObject(random);
      const plan = Math.floor(random() * 5);
      const link = await decodeLink(preset, await encodeLink(preset, { request, plan }));
      const state = link.kind === "preset" ? { request: preset, plan: 0 } : link;
      expect("request" in state && canonical(state.request)).toBe(canonical(request));
      expect("plan" in state && state.plan).toBe(plan);
    }
  });
});

describe("the currency in an address", () => {
  const hash = async (model: string) =>
    encodeLink(preset, { request: withValue(preset, "/workloads/0/model", model) as JsonObject, plan: 0 });

  afterEach(() => {
    currency.value = kUsd;
    lastHash.clear();
  });

  it("is named for every screen with money, and for no dollar", async () => {
    const state = await hash("llama-3.1-8b");
    expect(withCurrency(state)).toBe(state);
    currency.value = { ...kUsd, id: "EUR" };
    expect(withCurrency(state)).toBe(`${state}&c=EUR`);
    expect(withCurrency(`${state}&c=GBP`)).toBe(`${state}&c=EUR`);
    expect(["", "#/", "#/money", "#/compare"].map(withCurrency)).toEqual([
      "#/?c=EUR",
      "#/?c=EUR",
      "#/money?c=EUR",
      "#/compare?c=EUR",
    ]);
    expect(["#/study/exam?x=1", "#/nowhere"].map(addressNow)).toEqual(["#/study/exam?x=1", "#/nowhere"]);
    lastHash.set("plan", state);
    expect(addressOf("money")).toBe(`#/money${state.slice(2)}&c=EUR`);
    expect(addressOf("report")).toBe(`#/report${state.slice(2)}&c=EUR`);
    expect(addressOf("study")).toBe("#/study");
  });

  it("is read beside the same state, wherever it stands", async () => {
    const state = await hash("llama-3.1-8b");
    const read = await decodeLink(preset, state);
    for (const one of [`${state}&c=EUR`, state.replace("?", "?c=EUR&")]) {
      expect(currencyIn(one)).toBe("EUR");
      expect(withoutCurrency(one)).toBe(state);
      expect(await decodeLink(preset, one)).toEqual(read);
    }
    expect(await decodeLink(preset, "#/?c=EUR")).toEqual({ kind: "preset" });
    expect(isBare("#/cost?c=EUR")).toBe(true);
    expect(currencyIn(state)).toBeUndefined();
  });
});

describe("the report", () => {
  it("names its address only where others reach it", () => {
    for (const own of ["localhost", "127.0.0.1", "[::1]", ""]) expect(isPublic(own), own).toBe(false);
    for (const other of ["plans.example.org", "10.0.0.7"]) expect(isPublic(other), other).toBe(true);
  });

  it("is in the plan's area, with a page of its own", () => {
    expect(areaOf("report")).toBe("plan");
    expect(pageOf("report")).toBe("report");
    expect(routeOf("#/report?s=1.0W10").screen).toBe("report");
    expect(kAreas.compare).toEqual(["compare"]);
  });
});

describe("decodeLink", () => {
  it("says unreadable for what is not a state", async () => {
    const base64 = (text: string) => Buffer.from(text).toString("base64url");
    const payloads = [
      "",
      "0",
      "1",
      "2AAAA",
      "0!!!!",
      `0${base64("{}")}`,
      `0${base64('[["x",1]]')}`,
      `0${base64("[[1]]")}`,
    ];
    payloads.push(`0${base64('[["/workloads/99/x",1]]')}`, `0${base64('[["",5]]')}`, `1${base64("not deflated")}`);
    payloads.push(`0${base64("[".repeat(20_000))}`);
    const hashes = payloads.map((payload) => `#/?s=1.${payload}`);
    hashes.push(
      "#x",
      "#/?",
      "#/?s=2.0W10",
      "#/?p=0",
      "#/?p=-1",
      "#/?p=1e9",
      "#/?s=%E0%A4%A",
      "#//evil.example/?s=1.0",
      "#inputs",
    );
    for (const hash of hashes) expect([hash, (await decodeLink(preset, hash)).kind]).toEqual([hash, "unreadable"]);
  });

  it("refuses a payload that unpacks to too much", async () => {
    const request = { ...preset, name: "x".repeat(1_000_000) };
    expect(await decodeLink(preset, await encodeLink(preset, { request, plan: 0 }))).toEqual({ kind: "unreadable" });
  });

  it("never throws", async () => {
    const random = randomFrom(3);
    const valid = await encodeLink(preset, { request: { ...preset, name: "y".repeat(300) }, plan: 2 });
    for (let i = 0; i < 2000; i += 1) {
      const at = Math.floor(random() * valid.length);
      const noise = String.fromCharCode(32 + Math.floor(random() * 300));
      const hash = valid.slice(0, at) + (random() < 0.5 ? noise : "") + valid.slice(at + 1);
      expect(["preset", "state", "unreadable"]).toContain((await decodeLink(preset, hash)).kind);
    }
  });
});
