/** Results by domain and the chance to pass: the published figures, and how it follows the learner's own answers. */
import { describe, expect, it } from "vitest";
import { passChance, passCount, passCurve, passEstimate, resultByDomain } from "../../../web/src/study/exam_result.ts";
import { kBlueprint } from "./blueprint_data.ts";

const answered = (right: number, asked: number, objective: string) =>
  Array.from({ length: asked }, (_, i) => ({ objective, right: i < right }));
const evenly = (share: number, asked: number) =>
  kBlueprint.domains.map(({ id }) => ({ domain: id, right: share * asked, asked }));

describe("passChance", () => {
  it("asks for 35 of 50, a mark that is not published", () => {
    expect(passCount(kBlueprint)).toBe(35);
    expect(kBlueprint.exam.questions).toBe(50);
    expect(kBlueprint.exam.pass_mark.standing).toMatch(/not published/);
  });

  it.each([
    [0.65, 0.28, 2],
    [0.7, 0.57, 2],
    [0.75, 0.84, 2],
    [0.8, 0.97, 2],
    [0.85, 0.998, 3],
  ])("at a mastery of %d is %d", (mastery, chance, digits) => {
    expect(passChance(kBlueprint, mastery)).toBeCloseTo(chance, digits);
  });

  it("runs from 0 to 1 along its curve", () => {
    const curve = passCurve(kBlueprint);
    expect(curve[0]).toEqual({ mastery: 0, chance: 0 });
    expect(curve.at(-1)?.chance).toBeCloseTo(1, 12);
    const chances = curve.map(({ chance }) => chance);
    expect(chances).toEqual([...chances].sort((a, b) => a - b));
  });
});

describe("resultByDomain", () => {
  it("counts right answers of each domain, also of one that was not asked", () => {
    const marked = [...answered(3, 4, "1.1"), ...answered(1, 2, "1.8"), ...answered(2, 2, "2.10")];
    expect(resultByDomain(kBlueprint, marked).map(({ domain, right, asked }) => [domain, right, asked])).toEqual([
      ["1", 4, 6],
      ["2", 2, 2],
      ["3", 0, 0],
    ]);
    const [first, , none] = resultByDomain(kBlueprint, marked);
    expect(first?.low).toBeLessThan(4 / 6);
    expect(first?.high).toBeGreaterThan(4 / 6);
    expect([none?.low, none?.high]).toEqual([0, 1]);
  });
});

describe("passEstimate", () => {
  it("comes to the curve when much is known", () => {
    for (const mastery of [0.65, 0.8]) {
      const estimate = passEstimate(kBlueprint, evenly(mastery, 1e6));
      expect(estimate.chance).toBeCloseTo(passChance(kBlueprint, mastery), 3);
      expect(estimate.expected).toBeCloseTo(50 * mastery, 3);
    }
  });

  it("knows little before the first answer", () => {
    const none = passEstimate(kBlueprint, []);
    expect(none.expected).toBeCloseTo(25, 9);
    expect(none.chance).toBeGreaterThan(0.05);
    expect(none.chance).toBeLessThan(0.2);
    expect(none.high - none.low).toBeGreaterThan(25);
    expect([none.needed, none.questions]).toEqual([35, 50]);
  });

  it("is surer the more answers there are", () => {
    const width = (asked: number) => {
      const { low, high } = passEstimate(kBlueprint, evenly(0.8, asked));
      return high - low;
    };
    expect(width(10)).toBeGreaterThan(width(50));
    expect(width(50)).toBeGreaterThan(width(5000));
    const chance = (asked: number) => passEstimate(kBlueprint, evenly(0.8, asked)).chance;
    expect(chance(10)).toBeLessThan(chance(50));
    expect(chance(50)).toBeLessThan(chance(5000));
  });

  it("holds the weights: a domain counts as the exam has it", () => {
    const weak = (domain: string) =>
      passEstimate(
        kBlueprint,
        kBlueprint.domains.map(({ id }) => ({ domain: id, right: id === domain ? 10 : 36, asked: 40 })),
      ).expected;
    expect(weak("2")).toBeLessThan(weak("1"));
    expect(weak("1")).toBeLessThan(weak("3"));
  });

  it("is worked by hand for one domain of one question", () => {
    const small = {
      ...kBlueprint,
      exam: { ...kBlueprint.exam, questions: 1 },
      domains: [{ id: "1", name: "One", weight: 1 }],
    };
    // A uniform prior after 3 of 4: the next is right with (3 + 1) / (4 + 2).
    expect(passEstimate(small, [{ domain: "1", right: 3, asked: 4 }]).chance).toBeCloseTo(4 / 6, 12);
  });
});
