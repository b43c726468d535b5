/** Stated confidence against results: scores worked by hand, bins, and what the learner is sure of and gets wrong. */
import { describe, expect, it } from "vitest";
import { domainOf } from "../../../web/src/study/blueprint.ts";
import {
  calibration,
  kConfidences,
  misconceptions,
  shareInterval,
  statedByDomain,
} from "../../../web/src/study/confidence.ts";
import { randomFrom } from "../random_json.ts";
import { kNoon, review } from "./samples.ts";

describe("calibration", () => {
  it("is worked by hand", () => {
    const scores = calibration([
      { confidence: 0.9, right: true },
      { confidence: 0.9, right: false },
      { confidence: 0.6, right: true },
    ]);
    expect(scores?.brier).toBeCloseTo((0.01 + 0.81 + 0.16) / 3, 12);
    expect(scores?.logLoss).toBeCloseTo(-(Math.log(0.9) + Math.log(0.1) + Math.log(0.6)) / 3, 12);
    expect(scores?.bias).toBeCloseTo(0.8 - 2 / 3, 12);
    expect(scores?.bins.map(({ confidence, answers, right }) => [confidence, answers, right])).toEqual([
      [0.6, 1, 1],
      [0.9, 2, 1],
    ]);
  });

  it("of always half is a quarter and log 2; of nothing is nothing", () => {
    const half = calibration([
      { confidence: 0.5, right: true },
      { confidence: 0.5, right: false },
    ]);
    expect(half?.brier).toBe(0.25);
    expect(half?.logLoss).toBeCloseTo(Math.LN2, 12);
    expect(calibration([])).toBeUndefined();
  });

  it("finds a calibrated learner calibrated and a boaster overconfident", () => {
    const random = randomFrom(4);
    const learner = (boast: number) =>
      calibration(
        Array.from({ length: 6000 }, (_, i) => {
          const confidence = kConfidences[i % kConfidences.length] ?? 0.5;
          return { confidence, right: random() < confidence - boast };
        }),
      );
    const honest = learner(0);
    expect(Math.abs(honest?.bias ?? 1)).toBeLessThan(0.02);
    expect(honest?.bins).toHaveLength(6);
    for (const { confidence, low, high } of honest?.bins ?? []) {
      expect(low).toBeLessThan(confidence + 0.02);
      expect(high).toBeGreaterThan(confidence - 0.02);
    }
    expect(learner(0.3)?.bias).toBeGreaterThan(0.25);
    expect(learner(0.3)?.logLoss).toBeGreaterThan(honest?.logLoss ?? 9);
  });
});

describe("shareInterval", () => {
  it("is Wilson's, within 0 and 1", () => {
    // z = 1.645: (0.8 + 0.1353 -+ 1.645 sqrt(0.016 + 0.00676)) / 1.2706 for 8 of 10.
    expect(shareInterval(8, 10).low).toBeCloseTo(0.541, 3);
    expect(shareInterval(8, 10).high).toBeCloseTo(0.9314, 3);
    expect(shareInterval(0, 0)).toEqual({ low: 0, high: 1 });
    expect(shareInterval(5, 5).high).toBeCloseTo(1, 12);
    expect(shareInterval(0, 5).low).toBeCloseTo(0, 12);
  });
});

describe("statedByDomain", () => {
  it("takes reviews with a confidence alone", () => {
    const by = statedByDomain(
      [
        review("a", { confidence: 0.7 }),
        review("b"),
        review("c", { objective: "2.10", confidence: 0.9, right: false }),
      ],
      domainOf,
    );
    expect([...by]).toEqual([
      ["1", [{ confidence: 0.7, right: true }]],
      ["2", [{ confidence: 0.9, right: false }]],
    ]);
  });
});

describe("misconceptions", () => {
  const wrong = (id: string, card: string, confidence: number, minute: number) =>
    review(id, { card, confidence, right: false, time: kNoon + minute });

  it("are what the learner was sure of and got wrong, the surest first; slips are not", () => {
    const found = misconceptions([
      wrong("a", "x", 0.9, 1),
      wrong("b", "y", 0.99, 2),
      wrong("c", "z", 0.8, 3),
      wrong("d", "x", 0.9, 4),
    ]);
    expect(found.map(({ card, times, last }) => [card, times, last - kNoon])).toEqual([
      ["y", 1, 2],
      ["x", 2, 4],
    ]);
  });

  it("end with a right answer and begin again", () => {
    const right = review("r", { card: "x", time: kNoon + 5 });
    expect(misconceptions([right, wrong("a", "x", 0.9, 1)])).toEqual([]);
    expect(misconceptions([right, wrong("a", "x", 0.9, 1), wrong("b", "x", 0.99, 9)])).toMatchObject([{ times: 1 }]);
  });
});
