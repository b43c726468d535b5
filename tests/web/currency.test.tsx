/** Money in another currency than the dollar: no axis, head, legend, unit or sentence of the plan keeps the dollar. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { PlanAnswer } from "../../web/src/contract.ts";
import { currency, kUsd } from "../../web/src/currency.ts";
import type { JsonObject } from "../../web/src/json.ts";
import { showIn } from "../../web/src/money.ts";
import { unitOf } from "../../web/src/screens/requests.ts";
import { areasOf, stateOf } from "./drawn_areas.tsx";
import { loaded } from "./loaded.ts";

// Parts that a reader opens stand open.
vi.mock("../../web/src/views/fold.tsx", async (original) => ({
  ...(await original<typeof import("../../web/src/views/fold.tsx")>()),
  Disclosure: ({ children }: { children: () => preact.ComponentChildren }) => <div>{children()}</div>,
}));

/** A rate of the catalog, which is one to the dollar. */
const kRate = /converted at [\d.]+ USD for 1 \w{3}\.|Exchange rate: [\d.]+ EUR for one US dollar/;

const kAnswers = new URL("../golden/answers/", import.meta.url);
const plans = readdirSync(kAnswers)
  .filter((file) => file.startsWith("plan_"))
  .map((file) => [file, JSON.parse(readFileSync(new URL(file, kAnswers), "utf8")) as PlanAnswer] as const);

describe("in euros", () => {
  beforeAll(async () => {
    vi.stubGlobal("location", { origin: "", pathname: "/", hash: "" });
    await loaded();
    showIn("EUR");
  });
  afterAll(() => {
    currency.value = kUsd;
  });

  it.each(plans)("no area of the plan has a dollar: %s", (_, answer) => {
    const { request = {} } = answer as { request?: JsonObject };
    const areas = areasOf(stateOf({ models: [], gpus: [] }, request, answer));
    const dollars = Object.entries(areas).flatMap(([area, html]) =>
      [...html.matchAll(/(?:>|aria-label=")([^<>"]*(?:\$|\bUSD\b|US dollar)[^<>"]*)/g)].flatMap(([, text = ""]) =>
        kRate.test(text) ? [] : [`${area}: ${text}`],
      ),
    );
    expect(dollars).toEqual([]);
    if (answer.plans?.[0] !== undefined) expect(areas.plan).toContain("€");
  });

  it("the unit beside an input is the euro", () => {
    expect(unitOf("usd_per_gpu_hour")).toBe("EUR/GPU hour");
    expect(unitOf("budget_usd")).toBe("EUR");
  });
});
