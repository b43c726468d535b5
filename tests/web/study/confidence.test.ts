/** Stated confidence against results: scores worked by hand, and bins. */
import { describe, expect, it } from "vitest";
import { calibration, kConfidences, shareInterval } from "../../../web/src/study/confidence.ts";
import { randomFrom } from "../random_json.ts";

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
