/** Values of a slider: which there are between its ends, on a linear or a logarithmic scale, whole where the quantity is counted. */

export interface SliderScale {
  min: number;
  max: number;
  /** Linear where nothing is said. */
  scale?: "linear" | "log";
  /** Width of a step; of a linear scale alone. */
  step?: number;
  /** Only whole numbers. */
  integer?: boolean;
}

/** Places of a slider that nothing else divides. */
const kPlaces = 200;
/** Digits of a value that a slider gives, so that it gives 4,100 rather than 4,097.31. */
const kDigits = 2;

const isLog = ({ scale, min }: SliderScale) => scale === "log" && min > 0;

/** How many steps lie between the ends. */
export function placesOf(slider: SliderScale): number {
  const range = slider.max - slider.min;
  if (isLog(slider)) return kPlaces;
  if (slider.step !== undefined && slider.step > 0) return Math.max(1, Math.round(range / slider.step));
  return slider.integer === true && range <= kPlaces ? Math.max(1, Math.round(range)) : kPlaces / 2;
}

/** Where a value stands, from 0 to `placesOf`; beyond the ends it stands at the nearer one. */
export function placeOf(slider: SliderScale, value: number): number {
  const { min, max } = slider;
  const inside = Math.min(max, Math.max(min, value));
  const share = isLog(slider) ? Math.log(inside / min) / Math.log(max / min) : (inside - min) / (max - min);
  return share * placesOf(slider);
}

/** The place that a slider is drawn at. */
export const nearestPlace = (slider: SliderScale, value: number) => Math.round(placeOf(slider, value));

/** `value` with few digits, whole where it has to be, and never beyond an end. */
function tidy({ min, max, integer }: SliderScale, value: number, digits: number): number {
  const short = Number(value.toPrecision(digits));
  return Math.min(max, Math.max(min, integer === true ? Math.round(short) : short));
}

/** The value at a place. The ends are exact. */
export function valueAtPlace(slider: SliderScale, place: number): number {
  const { min, max } = slider;
  const share = place / placesOf(slider);
  if (share <= 0) return min;
  if (share >= 1) return max;
  return isLog(slider)
    ? tidy(slider, min * (max / min) ** share, kDigits)
    : tidy(slider, min + share * (max - min), 12);
}

/** The next value up (1) or down (-1) from `value`; the end where there is none. */
export function stepped(slider: SliderScale, value: number, way: 1 | -1): number {
  const last = placesOf(slider);
  const from = placeOf(slider, value);
  // Neighbouring places of a fine scale may hold the same tidy value.
  for (let place = way === 1 ? Math.floor(from) : Math.ceil(from); place >= 0 && place <= last; place += way) {
    const next = valueAtPlace(slider, place);
    if (way === 1 ? next > value : next < value) return next;
  }
  return way === 1 ? slider.max : slider.min;
}

/** Why a typed number cannot be taken; undefined where it can. */
export function faultOf({ min, max, integer }: SliderScale, value: number): "range" | "whole" | undefined {
  if (!(value >= min && value <= max)) return "range";
  return integer === true && !Number.isInteger(value) ? "whole" : undefined;
}
