/** A number to choose: a slider, a box for typing and two buttons. Nothing needs dragging. */
import { useEffect, useState } from "preact/hooks";
import { fieldText, numberText } from "../../format.ts";
import { fill } from "../../messages.ts";
import { faultOf, nearestPlace, placesOf, type SliderScale, stepped, valueAtPlace } from "../sliders.ts";
import { calculatorTexts } from "./calculator_texts.ts";

interface ValueSliderProps {
  id: string;
  label: string;
  unit?: string;
  slider: SliderScale;
  value: number;
  disabled?: boolean;
  onValue: (value: number) => void;
  /** Whether what stands in the box cannot be taken; the value is then still the last good one. */
  onFault?: (isFaulty: boolean) => void;
}

const faultIn = (slider: SliderScale, text: string) => (text.trim() === "" ? "range" : faultOf(slider, Number(text)));

export function ValueSlider({ id, label, unit, slider, value, disabled = false, onValue, onFault }: ValueSliderProps) {
  const [typed, setTyped] = useState(fieldText(value));
  // What is typed stays as it stands while it is the value; "1." is 1 on its way to 1.5.
  useEffect(() => {
    if (Number(typed) !== value) setTyped(fieldText(value));
  }, [value]);
  const fault = faultIn(slider, typed);
  const type = (text: string) => {
    setTyped(text);
    onFault?.(faultIn(slider, text) !== undefined);
    if (faultIn(slider, text) === undefined) onValue(Number(text));
  };
  const move = (next: number) => {
    setTyped(fieldText(next));
    onFault?.(false);
    onValue(next);
  };
  const say = fault === "range" ? calculatorTexts.outOfRange : calculatorTexts.notWhole;
  return (
    <div class="value-slider">
      <label class="label" for={id}>
        {label}
        {unit === undefined ? null : <span class="unit"> ({unit})</span>}
      </label>
      <div class="value-slider-row">
        <input
          type="range"
          min="0"
          max={placesOf(slider)}
          step="1"
          disabled={disabled}
          aria-label={fill(calculatorTexts.slider, { label })}
          aria-valuetext={unit === undefined ? numberText(value) : `${numberText(value)} ${unit}`}
          value={nearestPlace(slider, value)}
          onInput={({ currentTarget }) => move(valueAtPlace(slider, Number(currentTarget.value)))}
        />
        <button
          type="button"
          class="icon"
          aria-label={fill(calculatorTexts.less, { label })}
          disabled={disabled || value <= slider.min}
          onClick={() => move(stepped(slider, value, -1))}
        >
          −
        </button>
        <input
          id={id}
          type="number"
          step="any"
          disabled={disabled}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-fault`}
          value={typed}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
        <button
          type="button"
          class="icon"
          aria-label={fill(calculatorTexts.more, { label })}
          disabled={disabled || value >= slider.max}
          onClick={() => move(stepped(slider, value, 1))}
        >
          +
        </button>
      </div>
      <p class="fault" id={`${id}-fault`}>
        {fault === undefined ? "" : fill(say, { min: numberText(slider.min), max: numberText(slider.max) })}
      </p>
    </div>
  );
}
