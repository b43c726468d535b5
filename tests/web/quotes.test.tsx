/** Quotes of vendors and clouds: what a table of them adds to a request, and how a plan shows them. */
import { readFileSync } from "node:fs";
import { renderToString } from "preact-render-to-string";
import { afterEach, describe, expect, it } from "vitest";
import { kIdleController } from "../../web/src/controller.ts";
import type { JsonObject } from "../../web/src/json.ts";
import { speak } from "../../web/src/language.ts";
import { PageContext } from "../../web/src/page.ts";
import { patchOf } from "../../web/src/screens/plan_quotes.tsx";
import { QuoteTable } from "../../web/src/screens/quote_table.tsx";
import { texts } from "../../web/src/screens/texts.ts";
import { createState } from "../../web/src/state.ts";

const golden = (path: string) => JSON.parse(readFileSync(new URL(`../golden/${path}.json`, import.meta.url), "utf8"));

describe("a table of quotes", () => {
  it("comes behind the quotes that are there, and its other prices with it", () => {
    const table: JsonObject = { quotes: [{ name: "b" }], economics: { network_usd_per_gpu: 9 } };
    expect(patchOf({ quotes: [{ name: "a" }] }, table)).toEqual({
      quotes: [{ name: "a" }, { name: "b" }],
      economics: { network_usd_per_gpu: 9 },
    });
    expect(patchOf({}, { quotes: [] })).toEqual({ quotes: [] });
  });

  it("has the columns that the form names", () => {
    const columns = golden("answers/error_quotes_by_line").error.hint.replace("Columns: ", "").match(/\w+/g);
    expect(columns).toHaveLength(16);
    const named = texts.quotesFileHelp.match(/\w+/g);
    for (const column of columns) expect(named).toContain(column);
  });
});

describe("the quotes of a plan", () => {
  afterEach(() => speak("en"));

  const drawn = () => {
    const request = golden("requests/plan_quotes");
    const other = { ...request.quotes[0], name: "Z-1", gpu: "gpu-a" };
    const preset = { ...request, quotes: [...request.quotes, other] };
    const gpus = [{ id: "gpu-a", name: "GPU A", group: "" }];
    const state = createState({ preset, answer: golden("answers/plan_quotes"), models: [], gpus, verbs: {} });
    const page = { state, controller: kIdleController };
    const html = renderToString(
      <PageContext.Provider value={page}>
        <QuoteTable place="/plans/0" />
      </PageContext.Provider>,
    );
    return html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
  };

  it("stand next to list prices, each with what became of it", () => {
    const text = drawn();
    for (const row of [
      "Q-2210 cloud-a $2.90 per GPU-hour, on demand $5.29 median Used",
      "ANG-88 cloud-b $2.78 per GPU-hour, reserved, 1 year $3.67 median Not used: expired",
      "S-31 vendor-c $262,000 per server $320,000 typical Used",
      "Z-1 cloud-a $2.90 per GPU-hour, on demand – Not used: it is for GPU A",
    ])
      expect(text).toContain(row);
  });

  it("are named where the plan uses them", () => {
    expect(drawn()).toMatch(/on demand \$2\.90 quote Q-2210 of cloud-a .*list price of .*quote S-31 of vendor-c/);
  });

  it("are said in Chinese", async () => {
    await speak("zh");
    expect(drawn()).toContain("未采用：已过期");
    expect(drawn()).toContain("cloud-a 的报价 Q-2210");
  });
});
