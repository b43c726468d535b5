import { describe, expect, it } from "vitest";
import { scaleLinear, scaleLog } from "../../web/src/scale.ts";

describe("scaleLinear", () => {
  const x = scaleLinear([0, 80], [10, 90]);
  it("places numbers in proportion, also beyond its ends", () => {
    expect([0, 20, 80, 100].map(x)).toEqual([10, 30, 90, 110]);
  });
  it("has round ticks", () => {
    expect(x.ticks(5)).toEqual([0, 20, 40, 60, 80]);
    expect(scaleLinear([0, 141], [0, 100]).ticks(5)).toEqual([0, 20, 40, 60, 80, 100, 120, 140]);
  });
  it("places everything in the middle where its ends are one number", () => {
    expect(scaleLinear([7, 7], [0, 100])(7)).toBe(50);
  });
});

describe("scaleLog", () => {
  it("gives equal steps to equal factors, also downwards", () => {
    const y = scaleLog([0.1, 1000], [400, 0]);
    for (const [value, place] of [
      [0.1, 400],
      [1, 300],
      [10, 200],
      [1000, 0],
    ] as const)
      expect(y(value)).toBeCloseTo(place, 9);
    for (const place of [400, 123, 0]) expect(y(y.invert(place))).toBeCloseTo(place, 9);
  });
  it("stays within its ends where it is told to", () => {
    const y = scaleLog([1, 100], [0, 200], { clamp: true });
    expect([0.1, 1e6].map(y)).toEqual([0, 200]);
    expect(y.invert(-5)).toBe(1);
    expect(y.invert(900)).toBeCloseTo(100, 9);
  });
  it("has the digits of each power of ten as ticks, or round steps where those are few", () => {
    expect(scaleLog([0.5, 40], [0, 1]).ticks(20)).toEqual([
      0.5, 0.6, 0.7, 0.8, 0.9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30, 40,
    ]);
    expect(scaleLog([20, 40], [0, 1]).ticks(20)).toEqual(Array.from({ length: 21 }, (_, i) => 20 + i));
  });
});
