/** A model that is trained once costs what its run costs; a year has no other run. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { PlanAnswer } from "../../web/src/contract.ts";
import { type Json, withValue } from "../../web/src/json.ts";
import { areasOf, stateOf } from "./drawn_areas.tsx";
import { loaded } from "./loaded.ts";

const answerOf = (name: string): PlanAnswer =>
  JSON.parse(readFileSync(new URL(`../golden/answers/${name}.json`, import.meta.url), "utf8"));

/** The labels of the plan's tiles, and the numbers under them. */
function tilesOf(answer: PlanAnswer): string {
  const { plan = "" } = areasOf(stateOf({ models: [], gpus: [] }, {}, answer), ["plan"]);
  return plan
    .slice(plan.indexOf('<dl class="tiles">'), plan.indexOf("</dl>"))
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
}

describe("the tile of the cost", () => {
  beforeAll(async () => {
    vi.stubGlobal("location", { origin: "", pathname: "/", hash: "" });
    await loaded();
  });

  it("of a run that is rented once is that of the run", () => {
    const answer = answerOf("plan_pretraining_8b");
    expect(answer.plans?.[0]?.way).toBe("rent-on-demand");
    expect(tilesOf(answer)).toMatch(/Cost of the run \$112,000 typical/);
    expect(tilesOf(answer)).not.toContain("Cost per year");
  });

  it("of two runs a year, of what is bought, and of a service is that of a year", () => {
    const twice = (place: string, value: Json) =>
      withValue(answerOf("plan_pretraining_8b") as unknown as Json, place, value) as unknown as PlanAnswer;
    const others = [
      twice("/plans/0/estimates/0/run/rent_usd", 55_885.9),
      twice("/plans/0/way", "own"),
      answerOf("plan_chat"),
      answerOf("plan_contract_two_workloads"),
    ];
    for (const other of others) {
      expect(tilesOf(other)).toContain("Cost per year");
      expect(tilesOf(other)).not.toContain("Cost of the run");
    }
  });
});
