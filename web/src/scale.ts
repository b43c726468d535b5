/** Places of numbers along an axis of a drawing. */
import { ticks } from "d3-array";

/** Where a number stands; `ticks` are round numbers of the axis, about so many. */
export interface Scale {
  (value: number): number;
  ticks(count: number): number[];
}

export interface ScaleBothWays extends Scale {
  invert(place: number): number;
}

type Ends = readonly [number, number];

/** From `a` to `b` as `share` goes from 0 to 1. */
function between([a, b]: Ends, share: number): number {
  return a * (1 - share) + b * share;
}

/** Where the ends of an axis are one number, everything stands in its middle. */
function shareOf([from, to]: Ends, value: number): number {
  return to === from ? 0.5 : (value - from) / (to - from);
}

export function scaleLinear(domain: Ends, range: Ends): Scale {
  const place = (value: number) => between(range, shareOf(domain, value));
  return Object.assign(place, { ticks: (count: number) => ticks(domain[0], domain[1], count) });
}

/** All of the one-digit numbers of every power of ten between the ends; where those are few, round numbers in equal steps. */
function logTicks([from, to]: Ends, count: number): number[] {
  const [first, last] = [Math.floor(Math.log10(from)), Math.ceil(Math.log10(to))];
  const powers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  if (Math.log10(to) - Math.log10(from) >= count)
    return ticks(Math.log10(from), Math.log10(to), count).map((power) => 10 ** power);
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const all = powers.flatMap((power) =>
    digits.map((digit) => (power < 0 ? digit / 10 ** -power : digit * 10 ** power)),
  );
  const inside = all.filter((tick) => tick >= from && tick <= to);
  return inside.length * 2 < count ? ticks(from, to, count) : inside;
}

/** Equal steps stand for equal factors. With `clamp` nothing stands beyond the ends. Ends are above zero, the first is the lower. */
export function scaleLog(domain: Ends, range: Ends, { clamp = false } = {}): ScaleBothWays {
  const logs: Ends = [Math.log(domain[0]), Math.log(domain[1])];
  const limited = (share: number) => (clamp ? Math.max(0, Math.min(1, share)) : share);
  const place = (value: number) => between(range, limited(shareOf(logs, Math.log(value))));
  return Object.assign(place, {
    ticks: (count: number) => logTicks(domain, count),
    invert: (at: number) => Math.exp(between(logs, limited(shareOf(range, at)))),
  });
}
