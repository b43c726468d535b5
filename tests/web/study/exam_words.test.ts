/** What an exam's screens say and take: keys, the time left, shares, and where its drawings begin. */
import { describe, expect, it } from "vitest";
import { curveFrom, kSafe, masteryFor, passChance } from "../../../web/src/study/exam_result.ts";
import { anchorAt, frameOf } from "../../../web/src/study/screens/exam/frame.ts";
import { examKey, type FocusAt } from "../../../web/src/study/screens/exam/keys.ts";
import { announcementText, leftText } from "../../../web/src/study/screens/exam/left.ts";
import { chanceText, shareText } from "../../../web/src/study/screens/exam/percent.ts";
import { kBlueprint } from "./blueprint_data.ts";

const kHeld = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
const kNowhere: FocusAt = { typed: false, oneLine: false, arrows: false };
const press = (key: string, held: Partial<typeof kHeld> = {}, at: Partial<FocusAt> = {}) =>
  examKey({ key, ...kHeld, ...held }, { ...kNowhere, ...at });

describe("keys of an exam", () => {
  it("are letters and arrows", () => {
    expect(["n", "p", "f", "t", "ArrowRight", "ArrowLeft"].map((key) => press(key))).toEqual([
      "next",
      "previous",
      "flag",
      "time",
      "next",
      "previous",
    ]);
    // Those that choose are the question's own.
    expect(["a", "e", "x", "Tab", " ", "Enter", "ArrowDown"].map((key) => press(key))).toEqual(
      Array(7).fill(undefined),
    );
  });

  it("strike an option out with Shift", () => {
    expect(["A", "c", "E"].map((key) => press(key, { shiftKey: true }))).toEqual([
      { strike: 0 },
      { strike: 2 },
      { strike: 4 },
    ]);
    expect(["F", "N", "Tab", "1"].map((key) => press(key, { shiftKey: true }))).toEqual(Array(4).fill(undefined));
  });

  it("leave alone what is typed, what moves an option, and what the browser does", () => {
    expect(["n", "ArrowRight"].map((key) => press(key, {}, { typed: true }))).toEqual([undefined, undefined]);
    expect(press("ArrowRight", {}, { arrows: true })).toBeUndefined();
    expect(press("n", {}, { arrows: true })).toBe("next");
    expect(press("Enter", {}, { typed: true, oneLine: true })).toBe("next");
    for (const held of ["ctrlKey", "metaKey", "altKey"]) expect(press("f", { [held]: true })).toBeUndefined();
  });
});

describe("the time left", () => {
  it("is told in minutes, at the end in seconds", () => {
    expect([3600, 3569, 600.2, 61, 59.9, 59, 3.2, 0].map(leftText)).toEqual([
      "60 minutes left",
      "59 minutes left",
      "10 minutes left",
      "1 minute left",
      "1 minute left",
      "59 seconds left",
      "4 seconds left",
      "0 seconds left",
    ]);
  });

  it("is announced at its marks and when asked for", () => {
    const at = (kind: "half" | "remaining" | "over" | "asked", remainingSeconds: number, stands = false) =>
      announcementText({ kind, remainingSeconds }, stands);
    expect(at("half", 1800)).toBe("Half of the time has passed: 30 minutes left.");
    expect(at("remaining", 60)).toBe("1 minute left");
    expect(at("asked", 900)).toBe("15 minutes left");
    expect(at("asked", 900, true)).toBe("The clock is stopped: 15 minutes left.");
    expect(at("over", 0)).toBe("Time is up.");
  });
});

describe("shares", () => {
  it("are whole per cents, and a chance is never called certain", () => {
    expect([0, 0.125, 1].map(shareText)).toEqual(["0 %", "13 %", "100 %"]);
    expect([0, 1e-12, 0.5, 0.999, 1].map(chanceText)).toEqual([
      "0 %",
      "less than 1 %",
      "50 %",
      "more than 99 %",
      "100 %",
    ]);
  });
});

describe("the curve of the chance to pass", () => {
  it("is drawn from below what the learner may know, at least its upper half", () => {
    const points = Array.from({ length: 101 }, (_, i) => ({ mastery: i / 100 }));
    expect(curveFrom(points, 0.9)[0]?.mastery).toBe(0.5);
    expect(curveFrom(points, 0.32)[0]?.mastery).toBe(0.2);
    expect(curveFrom(points, 0.01)[0]?.mastery).toBe(0);
  });

  it("names the least mastery that passes nine times of ten", () => {
    const mastery = masteryFor(kBlueprint, kSafe);
    expect(passChance(kBlueprint, mastery)).toBeGreaterThanOrEqual(0.9);
    expect(passChance(kBlueprint, mastery - 0.01)).toBeLessThan(0.9);
    expect(masteryFor(kBlueprint, 2)).toBe(1);
  });

  it("writes beside a mark where there is room", () => {
    const frame = frameOf(1000, 300);
    expect(anchorAt(frame, 100).anchor).toBe("start");
    expect(anchorAt(frame, 950).anchor).toBe("end");
  });
});
