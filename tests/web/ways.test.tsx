/** A way of paying has one name on the page in each language: that of the engine's sentences. */
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { PlanAnswer } from "../../web/src/contract.ts";
import { labels } from "../../web/src/messages.ts";
import { areasOf, stateOf } from "./drawn_areas.tsx";
import { loaded } from "./loaded.ts";

const file = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
type Said = Record<"en" | "zh", string>;
const engine = file("../../core/base/data/messages.json") as Record<string, Said>;
const page = file("../../web/src/data/messages.json") as { ways: Record<string, Said> };
const texts = file("../../web/src/data/texts.json") as { costWays: Record<string, Said> };
const chinese = file("../../web/src/words_zh.json") as Record<string, string>;

const first = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

describe("ways of paying", () => {
  it.each(Object.keys(page.ways))("%s is called as the engine calls it", (way) => {
    const { en = "", zh } = page.ways[way] ?? {};
    expect({ en: first(en), zh }).toEqual(engine[`way/${way}`]);
  });

  it("the way that owns a part and rents the rest has one name in labels and decisions", () => {
    const { en = "", zh } = engine["way/hybrid"] ?? {};
    expect([labels.hybrid, chinese[labels.hybrid ?? ""]]).toEqual([en, zh]);
    expect(labels.hybrid_usd_per_year?.startsWith(`${en}, `)).toBe(true);
    expect(texts.costWays.hybrid).toEqual(engine["way-phrase/hybrid"]);
  });
});

const kAnswers = "../golden/answers/";
const plans = readdirSync(new URL(kAnswers, import.meta.url))
  .filter((name) => name.startsWith("plan_"))
  .map((name) => [name, file(kAnswers + name) as PlanAnswer] as const);

describe("on the page", () => {
  beforeAll(async () => {
    vi.stubGlobal("location", { origin: "", pathname: "/", hash: "" });
    await loaded();
  });

  it.each(plans)("no other name stands: %s", (_, answer) => {
    const areas = areasOf(stateOf({ models: [], gpus: [] }, {}, answer));
    const said = Object.values(areas).flatMap((html) => html.split(/<[^>]*>/));
    expect(said.filter((text) => /\bhybrid\b|\bMixed\b|mix of both|owned, the peaks/.test(text))).toEqual([]);
  });
});
