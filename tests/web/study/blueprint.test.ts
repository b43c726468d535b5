/** The blueprint of the exam: weights of objectives and how many questions each domain gets. */
import { describe, expect, it } from "vitest";
import { domainOf, objectiveWeights, questionsByDomain } from "../../../web/src/study/blueprint.ts";
import { kBlueprint } from "./blueprint_data.ts";

describe("the blueprint", () => {
  it("has 22 objectives in three domains whose weights make 1", () => {
    expect(kBlueprint.objectives).toHaveLength(22);
    expect(kBlueprint.domains.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
    const known = new Set(kBlueprint.domains.map(({ id }) => id));
    expect(kBlueprint.objectives.filter(({ id }) => !known.has(domainOf(id)))).toEqual([]);
    expect(domainOf("2.10")).toBe("2");
  });

  it("spreads a domain's weight over the objectives that have cards", () => {
    const all = objectiveWeights(
      kBlueprint,
      kBlueprint.objectives.map(({ id }) => id),
    );
    expect(all.get("1.1")).toBeCloseTo(0.38 / 8, 12);
    expect(all.get("2.10")).toBeCloseTo(0.4 / 10, 12);
    expect([...all.values()].reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
    expect([...objectiveWeights(kBlueprint, ["3.1", "3.2"])]).toEqual([
      ["3.1", 0.11],
      ["3.2", 0.11],
    ]);
  });

  it.each([
    [50, [19, 20, 11]],
    [10, [4, 4, 2]],
    [20, [8, 8, 4]],
    [1, [0, 1, 0]],
    [0, [0, 0, 0]],
  ])("gives %d questions as %j", (count, by) => expect([...questionsByDomain(kBlueprint, count).values()]).toEqual(by));
});
