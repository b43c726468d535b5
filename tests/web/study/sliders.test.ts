/** Values of sliders: exact ends, whole where counted, a next value in both directions. */
import { describe, expect, it } from "vitest";
import { faultOf, placeOf, placesOf, type SliderScale, stepped, valueAtPlace } from "../../../web/src/study/sliders.ts";

const kStages: SliderScale = { min: 0, max: 3, integer: true };
const kTokens: SliderScale = { min: 128, max: 65_536, scale: "log", integer: true };
const kShare: SliderScale = { min: 0, max: 0.5 };
const kFew: SliderScale = { min: 1, max: 16, scale: "log", integer: true };
const kStepped: SliderScale = { min: 0, max: 60, step: 5 };
const kAll = [kStages, kTokens, kShare, kFew, kStepped];

const values = (slider: SliderScale) =>
  Array.from({ length: placesOf(slider) + 1 }, (_, place) => valueAtPlace(slider, place));

describe("a slider", () => {
  it.each(kAll)("reaches both ends and never falls: %o", (slider) => {
    const all = values(slider);
    expect(all[0]).toBe(slider.min);
    expect(all.at(-1)).toBe(slider.max);
    expect(all.every((value, i) => i === 0 || value >= (all[i - 1] ?? 0))).toBe(true);
    if (slider.integer) expect(all.every(Number.isInteger)).toBe(true);
  });

  it("counts one by one, in steps, or by even ratios", () => {
    expect(values(kStages)).toEqual([0, 1, 2, 3]);
    expect(values(kStepped).slice(0, 4)).toEqual([0, 5, 10, 15]);
    expect(valueAtPlace(kTokens, placesOf(kTokens) / 2)).toBe(2900);
    expect(valueAtPlace(kShare, placesOf(kShare) / 2)).toBe(0.25);
  });

  it("finds the place of a value, and the nearer end beyond the ends", () => {
    for (const slider of kAll) {
      expect(placeOf(slider, slider.min)).toBe(0);
      expect(placeOf(slider, slider.max)).toBeCloseTo(placesOf(slider), 9);
      expect(placeOf(slider, slider.max * 2)).toBeCloseTo(placesOf(slider), 9);
    }
    expect(placeOf(kTokens, 2896.31)).toBeCloseTo(100, 3);
  });

  it.each(kAll)("steps through values up and down again without standing still: %o", (slider) => {
    const up = [slider.min];
    while ((up.at(-1) ?? 0) < slider.max && up.length < 1000) up.push(stepped(slider, up.at(-1) ?? 0, 1));
    expect(up.every((value, i) => i === 0 || value > (up[i - 1] ?? 0))).toBe(true);
    expect(up).toEqual([...new Set(values(slider))]);
    const down = [slider.max];
    while ((down.at(-1) ?? 0) > slider.min && down.length < 1000) down.push(stepped(slider, down.at(-1) ?? 0, -1));
    expect(down.reverse()).toEqual(up);
  });

  it("steps from a typed value to the next one of the scale", () => {
    expect(stepped(kStepped, 12, 1)).toBe(15);
    expect(stepped(kStepped, 12, -1)).toBe(10);
    expect(stepped(kTokens, 1024, 1)).toBeGreaterThan(1024);
    expect(stepped(kTokens, 1024, -1)).toBeLessThan(1024);
  });

  it("says why a number cannot be taken", () => {
    expect(faultOf(kStages, 2)).toBeUndefined();
    expect(faultOf(kStages, 2.5)).toBe("whole");
    expect(faultOf(kStages, 4)).toBe("range");
    expect(faultOf(kShare, Number.NaN)).toBe("range");
    expect(faultOf(kShare, 0.123)).toBeUndefined();
  });
});
