/** Labs: the error of a prediction, what it earns, and what stays in the log. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { labPack, readSources } from "../../../web/scripts/study_pack.ts";
import {
  errorOf,
  gradeOfError,
  isClose,
  type Lab,
  labAfter,
  labReview,
  missOf,
  predictionsOf,
  secondsBetween,
} from "../../../web/src/study/labs.ts";
import { faultsOf } from "../../../web/src/study/log.ts";
import { errorText } from "../../../web/src/study/screens/labs/error_text.ts";
import { kNoon } from "./samples.ts";

const core = fileURLToPath(new URL("../../../core/", import.meta.url));
const lab: Lab = {
  id: "weights",
  title: "Weights",
  objective: "2.1",
  minutes: 3,
  setting: "A model of 7 billion parameters in 16 bits.",
  question: "How many GB do its weights take?",
  request: { kind: "rule_of_thumb", parameters: 7e9, bits_per_weight: 16, overhead: 0 },
  answer_pointer: "/rules/0/memory_gb",
  unit: "GB",
  slider: { min: 1, max: 100, scale: "log", start: 5 },
  hints: [],
  reveal: "Two bytes each.",
  explore: { inputs: [], shows: [] },
  sources: ["a"],
};
const other: Lab = { ...lab, id: "states" };

describe("the error of a prediction", () => {
  it("is a share of what the engine says, below 0 where it was too low", () => {
    expect(errorOf(15.4, 14)).toBeCloseTo(0.1, 12);
    expect(errorOf(7, 14)).toBe(-0.5);
    expect(errorOf(-5, -10)).toBe(0.5);
    expect([errorOf(0, 0), errorOf(1, 0), errorOf(-1, 0)]).toEqual([0, Infinity, -Infinity]);
  });

  it("counts as right within 10 %, the limit included", () => {
    expect([15.4, 12.6, 14].map((one) => isClose(errorOf(one, 14)))).toEqual([true, true, true]);
    expect([15.41, 12.59].map((one) => isClose(errorOf(one, 14)))).toEqual([false, false]);
  });

  it("earns a grade", () => {
    expect([0, 0.02, -0.021, 0.1, 0.11, Infinity].map(gradeOfError)).toEqual([4, 4, 3, 3, 1, 1]);
  });

  it("is told in per cent, and as a factor from two on", () => {
    expect(missOf(14, 14)).toEqual({ way: "none" });
    expect(missOf(56, 14)).toEqual({ way: "high", factor: 4 });
    expect(missOf(7, 14)).toEqual({ way: "low", factor: 2 });
    expect(missOf(20, 14)).toEqual({ way: "high" });
    expect(missOf(1, 0)).toEqual({ way: "high" });
    expect(
      [
        [14, 14],
        [14.2, 14],
        [20, 14],
        [8, 14],
        [56, 14],
        [1.4, 14],
      ].map(([a = 0, b = 0]) => errorText(a, b)),
    ).toEqual([
      "exactly right",
      "1.4 % too high",
      "43 % too high",
      "43 % too low",
      "too high by a factor of 4",
      "too low by a factor of 10",
    ]);
  });
});

describe("a prediction", () => {
  it("stays in the log as a review of the lab's card", () => {
    const review = labReview(lab, 20, 14, 41, kNoon);
    expect(faultsOf(review)).toEqual([]);
    expect(review).toMatchObject({
      card: "lab.weights",
      objective: "2.1",
      answer: 20,
      right: false,
      grade: 1,
      seconds: 41,
    });
    const later = labReview(lab, 14.1, 14, 5, kNoon + 1000);
    expect(later).toMatchObject({ right: true, grade: 4 });
    const log = [later, labReview(other, 1, 1, 1, kNoon), review];
    expect(predictionsOf(log, "weights").map(({ id }) => id)).toEqual([review.id, later.id]);
  });

  it("takes the time until it is revealed", () => {
    expect(secondsBetween(1000, 42_000)).toBe(41);
    expect(secondsBetween(1000, 0)).toBe(0);
  });
});

describe("the file of the labs", () => {
  const pack = labPack({ data: `${core}study/data`, sources: readSources(core) });

  it("has every lab, each starting within its slider", () => {
    expect(pack.labs.length).toBeGreaterThan(10);
    expect(new Set(pack.labs.map(({ id }) => id)).size).toBe(pack.labs.length);
    const outside = pack.labs.filter(({ slider: { min, max, start } }) => !(min < max && start >= min && start <= max));
    expect(outside.map(({ id }) => id)).toEqual([]);
  });

  it("names its sources, and each lab has one after it but the last", () => {
    expect(Object.keys(pack.sources)).toEqual([...new Set(pack.labs.flatMap(({ sources }) => sources))].sort());
    expect(pack.labs.map((one) => labAfter(pack, one)?.id)).toEqual([
      ...pack.labs.slice(1).map(({ id }) => id),
      undefined,
    ]);
  });
});
