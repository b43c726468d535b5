/** The exam's clock: silent but for its marks, with pauses, and the same after a reload. */
import { describe, expect, it } from "vitest";
import {
  ask,
  type ClockState,
  elapsedSeconds,
  isOver,
  look,
  pause,
  remainingSeconds,
  resume,
  startClock,
} from "../../../web/src/study/exam_clock.ts";

const kHour = 3600;
/** Looks every `step` seconds and lists what was said. */
function heard(clock: ClockState, from: number, to: number, step = 1): string[] {
  const said: string[] = [];
  let now = clock;
  for (let second = from; second <= to; second += step) {
    const seen = look(now, second * 1000);
    now = seen.clock;
    if (seen.announcement !== undefined)
      said.push(`${second} ${seen.announcement.kind} ${seen.announcement.remainingSeconds}`);
  }
  return said;
}

describe("announcements", () => {
  it("come at half time, 10 minutes, 1 minute and the end, each once", () => {
    expect(heard(startClock(kHour, 0), 0, 4000)).toEqual([
      "1800 half 1800",
      "3000 remaining 600",
      "3540 remaining 60",
      "3600 over 0",
    ]);
  });

  it("leave out marks that a short exam does not have", () => {
    expect(heard(startClock(720, 0), 0, 800)).toEqual(["360 half 360", "660 remaining 60", "720 over 0"]);
    expect(heard(startClock(60, 0), 0, 70)).toEqual(["30 half 30", "60 over 0"]);
    expect(heard(startClock(1200, 0), 0, 700)).toEqual(["600 half 600"]);
  });

  it("come on demand at any time and change nothing", () => {
    const clock = startClock(kHour, 0);
    expect(ask(clock, 100_000)).toEqual({ kind: "asked", remainingSeconds: 3500 });
    expect(look(clock, 100_000).announcement).toBeUndefined();
  });

  it("after a long absence are the latest alone", () => {
    expect(heard(startClock(kHour, 0), 3100, 3700, 100)).toEqual(["3100 remaining 500", "3600 over 0"]);
  });
});

describe("a pause", () => {
  it("stops the time and its marks", () => {
    const stopped = pause(startClock(kHour, 0), 1_000_000);
    expect(elapsedSeconds(stopped, 9_000_000)).toBe(1000);
    expect(look(stopped, 9_000_000).announcement).toBeUndefined();
    const going = resume(stopped, 9_000_000);
    expect(elapsedSeconds(going, 9_500_000)).toBe(1500);
    const twice = resume(pause(going, 9_500_000), 9_600_000);
    expect(remainingSeconds(twice, 9_700_000)).toBe(2000);
  });

  it("is not in a strict exam, nor after the end, nor within another", () => {
    const strict = startClock(kHour, 0, true);
    expect(pause(strict, 1000)).toBe(strict);
    const over = startClock(60, 0);
    expect(pause(over, 61_000)).toBe(over);
    const stopped = pause(startClock(kHour, 0), 1000);
    expect(pause(stopped, 2000)).toBe(stopped);
    expect(resume(over, 2000)).toEqual(over);
  });
});

describe("a reload", () => {
  it("changes nothing, running or paused", () => {
    const { clock } = look(startClock(kHour, 0), 1_900_000);
    const back = JSON.parse(JSON.stringify(clock)) as ClockState;
    expect(heard(back, 1901, 3700)).toEqual(["3000 remaining 600", "3540 remaining 60", "3600 over 0"]);
    const stopped = JSON.parse(JSON.stringify(pause(clock, 2_000_000))) as ClockState;
    expect(remainingSeconds(stopped, 8_000_000)).toBe(1600);
  });

  it("lets time pass while the page is closed", () => {
    const back = JSON.parse(JSON.stringify(startClock(kHour, 0))) as ClockState;
    expect(isOver(back, 3_599_000)).toBe(false);
    expect(isOver(back, 7_000_000)).toBe(true);
    expect(elapsedSeconds(back, 7_000_000)).toBe(3600);
  });
});

describe("a system clock that was set back", () => {
  it("gives no time back", () => {
    const { clock } = look(startClock(kHour, 0), 2_000_000);
    expect(elapsedSeconds(clock, 500_000)).toBe(2000);
    expect(elapsedSeconds(resume(pause(clock, 400_000), 300_000), 2_100_000)).toBe(2100);
  });
});
