/** Numbers of the 24 hours as bars: each is a slider, for the pointer, for touch and for the arrow keys. */
import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import { fieldText } from "../format.ts";
import { fill } from "../messages.ts";
import { trafficTexts } from "./traffic_texts.ts";

/** The top of the scale, where no hour is above it. */
const kTop = 10;

interface HourBarsProps {
  hours: readonly number[];
  change: (hours: number[]) => void;
}

export function HourBars({ hours, change }: HourBarsProps) {
  const top = max([...hours, kTop]) ?? kTop;
  const height = scaleLinear([0, top], [0, 100]);
  const set = (at: number, value: number) => change(hours.map((hour, i) => (i === at ? value : hour)));
  return (
    <fieldset class="hour-bars">
      <legend>{trafficTexts.hours}</legend>
      {hours.map((hour, i) => (
        <label key={i} class="hour-bar">
          <span class="hour-track">
            <svg width="100%" height="100%" aria-hidden="true">
              <rect class="track" width="100%" height="100%" />
              <rect class="part-0 fill" width="100%" height="100%" y={`${100 - height(hour)}%`} />
            </svg>
            <input
              type="range"
              min="0"
              max={top}
              step="0.5"
              value={hour}
              aria-label={fill(trafficTexts.hourOfDay, { hour: i })}
              aria-valuetext={fieldText(hour)}
              onInput={({ currentTarget }) => set(i, Number(currentTarget.value))}
            />
          </span>
          <span aria-hidden="true">{i}</span>
        </label>
      ))}
    </fieldset>
  );
}
