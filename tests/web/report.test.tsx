/** The report of a plan: what a reader of the paper alone must know, and what has no place on paper. */
import { readFileSync } from "node:fs";
import { renderToString } from "preact-render-to-string";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { PlanAnswer } from "../../web/src/contract.ts";
import { kIdleController } from "../../web/src/controller.ts";
import { currency, kUsd } from "../../web/src/currency.ts";
import type { JsonObject } from "../../web/src/json.ts";
import { showIn } from "../../web/src/money.ts";
import { PageContext } from "../../web/src/page.ts";
import { PlanFan } from "../../web/src/screens/plan_risk.tsx";
import { loadsByUsers } from "../../web/src/screens/report_head.tsx";
import { inputsOf } from "../../web/src/screens/report_parts.ts";
import { waysTurnedDown } from "../../web/src/screens/report_rejected.tsx";
import type { State } from "../../web/src/state.ts";
import { knownPlaces } from "../../web/src/views/place_names.ts";
import { areasOf, stateOf } from "./drawn_areas.tsx";

const golden = (path: string) => JSON.parse(readFileSync(new URL(`../golden/${path}.json`, import.meta.url), "utf8"));
const kLists = { models: [], gpus: [{ id: "gb200", name: "GB200", group: "" }] };
const planOf = (name: string, request: JsonObject = golden(`requests/${name}`)) =>
  stateOf(kLists, request, golden(`answers/${name}`) as PlanAnswer);
const plain = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const reportOf = (state: State) => areasOf(state, ["report"]).report ?? "";

beforeAll(() => {
  vi.stubGlobal("location", { origin: "", pathname: "/", hash: "", hostname: "" });
});

describe("the report of a plan", () => {
  afterEach(() => {
    currency.value = kUsd;
    knownPlaces.value = [];
  });

  it("has the GPUs without a plan and the ways that were ruled out, each with its reason", () => {
    const text = plain(reportOf(planOf("plan_air_gapped_dgx")));
    expect(text).toContain("What was turned down, and why");
    expect(text).toContain("GPUs without a plan (5)");
    expect(text).toContain("GB200 NVL72 needs a liquid loop, and the site has none.");
    expect(waysTurnedDown(planOf("plan_air_gapped_dgx"))).toEqual(
      ["rent-on-demand", "rent-committed"].map((way) => ({
        way,
        why: [
          "Data must stay on your own premises (sovereignty air-gapped), so renting is ruled out.",
          "The request asks for machines of your own (ownership dgx), so renting everything is ruled out.",
        ],
      })),
    );
  });

  it("says by how much the other ways cost more, and what argues against them", () => {
    const own = waysTurnedDown(planOf("plan_chat")).find(({ way }) => way === "own");
    expect(own?.at).toBe("/plans/0/cost/on_premises/annual_usd");
    expect(own?.why[0]).toMatch(/^Compared with the recommended way: \+\$13\d,000 \(\+2\d(?:\.\d)? %\) a year\.$/);
    expect(own?.why.join(" ")).toContain("the base can be owned and the peaks rented");
    expect(own?.why.join(" ")).not.toContain("owning all of them is cheaper than renting all");
  });

  it("says what a note of the bill is about", () => {
    expect(plain(reportOf(planOf("plan_chat")))).toContain(
      "Count of “between the two switches”: links; a copper cable of two cages holds two",
    );
  });

  it("says that payments are discounted, and at which rate", () => {
    const fan = (state: State) =>
      plain(
        renderToString(
          <PageContext.Provider value={{ state, controller: kIdleController }}>
            <PlanFan place="/plans/0" />
          </PageContext.Provider>,
        ),
      );
    expect(reportOf(planOf("plan_chat"))).toContain("by the end of each year, in today's money");
    expect(fan(planOf("plan_chat"))).toContain("is discounted at 8 % a year");
    const asked = { ...golden("requests/plan_chat"), economics: { discount_rate: 0.1 } };
    expect(fan(planOf("plan_chat", asked))).toContain("is discounted at 10 % a year");
  });

  it("names the exchange rate with its month and source where money is in another currency", () => {
    expect(reportOf(planOf("plan_chat"))).not.toContain("Exchange rate");
    showIn("EUR");
    expect(plain(reportOf(planOf("plan_chat")))).toMatch(
      /Exchange rate: 0\.8684 EUR for one US dollar, mean of 2026-06\. Source: federal-reserve-rates-2026-06\./,
    );
  });

  it("says how many users the load is, as the request gives them", () => {
    expect(loadsByUsers(planOf("plan_chat"))).toEqual([]);
    const { peak_requests_per_s: _, mean_requests_per_s: __, ...workload } = golden("requests/plan_chat").workloads[0];
    const asked = { workloads: [{ ...workload, users: 1377.5, think_time_s: 60 }] };
    const state = planOf("plan_chat", asked);
    expect(loadsByUsers(state)[0]).toMatch(
      /^chat: 1,37[78](?:\.5)? users at the peak, each with (?:60 s|1(?:\.0+)? min) between an answer and the next question\. They send 50 requests per second at the peak and 30 on average/,
    );
    expect(reportOf(state)).toContain("users at the peak");
  });

  it("says at its top which input is wrong, in the engine's words", () => {
    const state = planOf("plan_chat");
    expect(reportOf(state)).not.toContain('role="alert"');
    const message = "Data must stay in a country, and European Union is not a country.";
    state.errors.value = [{ code: "conflict", path: "/economics/region", message, hint: "Name a country." }];
    const html = reportOf(state);
    const alert = html.indexOf('role="alert"');
    expect(alert).toBeGreaterThan(0);
    expect(alert).toBeLessThan(html.indexOf("report-title"));
    expect(plain(html.slice(alert))).toMatch(
      /This report does not answer the current request .*Country or region Data must stay in a country/,
    );
  });

  it("lists inputs in the words of the form, without limits that are not asked for", () => {
    knownPlaces.value = [{ id: "FRA", name: "France" }];
    const request = {
      constraints: { no_staff: false, no_capital: true, liquid_cooling: false },
      economics: { region: "FRA", price_policy: { price: "three-lowest", most_age_days: 180 } },
    };
    const inputs = inputsOf(planOf("plan_chat", request)).map(({ label, text }) => `${label}: ${text}`);
    expect(inputs).toEqual([
      "Nothing can be bought up front: yes",
      "Liquid cooling: no",
      "Country or region: France",
      "Offers that set the rent: Middle of the three lowest",
      "Oldest price that counts: 180 days",
    ]);
  });
});
