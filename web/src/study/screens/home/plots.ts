/** Where the marks of the home's drawings stand. */
import { scaleLinear } from "d3-scale";
import type { Calibration } from "../../confidence.ts";
import type { DayLoad } from "../../exam_plan.ts";
import { minutesOfDay } from "../../home_numbers.ts";

export const kLoadHeight = 140;
const kLoadFoot = 24;
const kLoadLeft = 40;

/** Bars of the minutes of each day. */
export function loadBars(days: readonly DayLoad[], width: number) {
  const x = scaleLinear([0, Math.max(1, days.length)], [kLoadLeft, width - 4]);
  const most = Math.max(10, ...days.map(minutesOfDay));
  const y = scaleLinear([0, most], [kLoadHeight - kLoadFoot, 8]).nice(3);
  // Every so many days a word fits below.
  const every = Math.max(1, Math.ceil(days.length / (width < 600 ? 3 : 8)));
  return {
    ticks: y.ticks(3),
    y,
    left: kLoadLeft,
    right: width - 4,
    bars: days.map((day, i) => {
      const top = y(minutesOfDay(day));
      const wide = x(i + 1) - x(i);
      return {
        day: day.day,
        isNamed: i % every === 0 && x(i) < width - 90,
        x: x(i) + wide * 0.1,
        top,
        width: wide * 0.8,
        height: y(0) - top,
      };
    }),
    foot: kLoadHeight - 6,
  };
}

export const kSureHeight = 260;
const kSureLeft = 52;
const kSureFoot = 40;

/** Points of the reliability plot, with their intervals, and the line on which stated and right are the same. */
export function sureMarks({ bins }: Calibration, width: number) {
  const x = scaleLinear([0.45, 1.02], [kSureLeft, width - 12]);
  const y = scaleLinear([0, 1], [kSureHeight - kSureFoot, 12]);
  return {
    x,
    y,
    left: kSureLeft,
    right: width - 12,
    foot: kSureHeight - kSureFoot,
    names: kSureHeight - kSureFoot + 18,
    line: { x1: x(0.5), y1: y(0.5), x2: x(1), y2: y(1) },
    points: bins.map(({ confidence, answers, right, low, high }) => ({
      key: confidence,
      at: x(confidence),
      up: y(right / answers),
      low: y(low),
      high: y(high),
      share: right / answers,
    })),
  };
}
