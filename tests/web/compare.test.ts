/** What Compare shows beyond numbers of the engine: inputs that differ, differences, and what is suggested. */
import { describe, expect, it } from "vitest";
import type { Plan } from "../../web/src/contract.ts";
import type { JsonObject } from "../../web/src/json.ts";
import { changedInputs } from "../../web/src/screens/compare_columns.ts";
import { differenceText } from "../../web/src/screens/difference.ts";
import { variantsOf, wishesOf } from "../../web/src/screens/wishes.ts";
import { createState } from "../../web/src/state.ts";
import { ageInDays, priceDay } from "../../web/src/views/price_age.ts";

const kChat: JsonObject = {
  workloads: [{ type: "serving", model: "llama", peak_requests_per_s: 50, ttft_s_p95_max: 2, tpot_s_p95_max: 0.05 }],
  economics: { region: "DEU" },
};
const stateOf = (request: JsonObject) =>
  createState({
    preset: request,
    answer: { feasible: true },
    verbs: {},
    gpus: [{ id: "h200", name: "H200", group: "" }],
    models: [{ id: "llama", name: "Llama", group: "" }],
    places: [
      { id: "DEU", name: "Germany" },
      { id: "FRA", name: "France" },
    ],
    price_day: "2026-10-10",
  });

describe("a difference", () => {
  it.each([
    ["usd_per_year", 896_574, 654_913, "+$242,000 per year (+36.9 %)"],
    ["usd_per_year", 1_230_000, 2_200_000, "−$970,000 per year (−44.1 %)"],
    ["ttft_s", 0.69, 0.61, "+80 ms (+13.1 %)"],
    ["ttft_s", 3, 0.5, "+2.5 s (+500 %)"],
    ["gpu_count", 16, 23, "−7 (−30.4 %)"],
    ["gpu_count", 5, 0, "+5"],
    ["gpu_count", 23, 23, "the same"],
    ["tpot_s", 0.03327, 0.03328, "the same"],
    ["probability", 0.983, 0.834, "+14.9 points"],
  ])("of %s %d from %d reads as the numbers do", (key, value, first, text) => {
    expect(differenceText(key, value, first)).toBe(text);
  });

  it("leaves out the unit that its label says", () => {
    expect(differenceText("usd_per_year", 896_574, 654_913, { bare: true })).toBe("+$242,000 (+36.9 %)");
  });
});

describe("inputs that differ", () => {
  const told = (...requests: JsonObject[]) =>
    changedInputs(requests.map(stateOf)).map(({ label, texts }) => [label, ...texts]);

  it("stand with their labels and units, places by name", () => {
    const other = { ...kChat, workloads: [{ ...(kChat.workloads as JsonObject[])[0], tpot_s_p95_max: 0.02 }] };
    expect(told(kChat, { ...other, economics: { region: "FRA" } })).toEqual([
      ["Each token within", "50 ms", "20 ms"],
      ["Country or region", "Germany", "France"],
    ]);
  });

  it("say rent, buy or either, also where nothing is given", () => {
    expect(told(kChat, { ...kChat, constraints: { ownership: "cloud" } })).toEqual([["Rent or buy", "Either", "Rent"]]);
    expect(told(kChat, { ...kChat, constraints: { ownership: "any" } })).toEqual([]);
  });

  it("name the workload where there are several", () => {
    const [first] = kChat.workloads as JsonObject[];
    const two = { ...kChat, workloads: [first ?? null, { ...first, peak_requests_per_s: 7 }] };
    const three = { ...kChat, workloads: [first ?? null, { ...first, peak_requests_per_s: 9 }] };
    expect(changedInputs([two, three].map(stateOf))).toMatchObject([
      { workload: 1, texts: ["7 requests/s", "9 requests/s"] },
    ]);
  });
});

describe("suggested variants", () => {
  const plans = (way: string, ...gpus: string[]) => gpus.map((gpu) => ({ way, gpu })) as Plan[];
  const suggested = (request: JsonObject, all: Plan[]) =>
    variantsOf(request, all, (id) => id.toUpperCase()).slice(0, 3);

  it("are the other way of paying, another GPU and another speed", () => {
    expect(suggested(kChat, plans("hybrid", "b200", "b200", "h200"))).toMatchObject([
      { patch: { constraints: { ownership: "cloud" } } },
      { name: "H200", patch: { constraints: { gpus: ["h200"] } } },
      { patch: { workloads: [{ model: "llama", ttft_s_p95_max: 0.5, tpot_s_p95_max: 0.02 }] } },
    ]);
    const [buy] = suggested(kChat, plans("rent-on-demand", "b200"));
    expect(buy?.patch).toEqual({ constraints: { ownership: "oem", no_capital: null } });
  });

  it("are other wishes where there is no other GPU and no speed, and none that the request has", () => {
    const run: JsonObject = { workloads: [{ type: "training", tokens: 1e12 }], constraints: { confidence: 0.95 } };
    const all = suggested(run, plans("own", "b200"));
    expect(all).toHaveLength(3);
    const names = wishesOf(run).map(({ name }) => name);
    expect(names).not.toContain("Targets met with a probability of 95 %");
    expect(names).toEqual(expect.arrayContaining(all.slice(1).map(({ name }) => name)));
  });

  it("give answers of a chat where they are fast", () => {
    const [first] = kChat.workloads as JsonObject[];
    const fast = { workloads: [{ ...first, ttft_s_p95_max: 0.5, tpot_s_p95_max: 0.02 }] };
    expect(suggested(fast, plans("own", "b200"))[1]?.patch).toMatchObject({ workloads: [{ tpot_s_p95_max: 0.05 }] });
  });
});

describe("the age of a price", () => {
  it("is counted from the day of the catalog, or of the request", () => {
    expect(priceDay(stateOf(kChat))).toBe("2026-10-10");
    const asked = { ...kChat, economics: { price_policy: { as_of: "2027-01-31" } } };
    expect(priceDay(stateOf(asked))).toBe("2027-01-31");
  });

  it.each([
    ["2026-10-10", 0],
    ["2025-12", 313],
    ["2025", 647],
    ["not printed", Number.NaN],
    ["2023-25", Number.NaN],
    ["", Number.NaN],
  ])("of %s is %s days", (asOf, days) => expect(ageInDays(asOf, "2026-10-10")).toBe(days));
});
