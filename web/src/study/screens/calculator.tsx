/** A small calculator: inputs that drive a request of the engine, and values of its answer. Lessons and labs show it. */
import { useEffect, useId, useState } from "preact/hooks";
import type { RequestError } from "../../contract.ts";
import { type JsonObject, numberAt, withValue } from "../../json.ts";
import { fill, messages } from "../../messages.ts";
import { usePage } from "../../page.ts";
import { translated } from "../../translation.ts";
import type { SliderScale } from "../sliders.ts";
import { calculatorTexts } from "./calculator_texts.ts";
import { type Shown, shownText } from "./shown_value.ts";
import { useEngine } from "./use_engine.ts";
import { ValueSlider } from "./value_slider.tsx";
import "./calculator.css";
import { Failed } from "../../views/lazy.tsx";

export interface CalculatorInput extends SliderScale {
  /** Place in the request. */
  pointer: string;
  label: string;
  unit?: string;
}

export interface CalculatorProps {
  request: JsonObject;
  inputs: readonly CalculatorInput[];
  /** Places in the answer. */
  shows: readonly Shown[];
  title: string;
}

/** How long the inputs must rest before the new values are read out. */
const kSettleMs = 800;

/** Where nothing is said of it, a quantity is counted in whole numbers if its ends and its start are whole. */
export function sliderOf({ integer, ...input }: SliderScale, start: number): SliderScale {
  return { ...input, integer: integer ?? [input.min, input.max, start].every(Number.isInteger) };
}

/** Another request begins anew. */
export function Calculator(props: CalculatorProps) {
  return <Driven key={JSON.stringify(props.request)} {...props} />;
}

function Driven({ request, inputs, shows, title }: CalculatorProps) {
  const id = useId();
  const { state } = usePage();
  const [changed, setChanged] = useState<JsonObject>();
  const now = changed ?? request;
  const { answer, errors, failed, busy, again } = useEngine(now);
  const results = shows.map((shown) => ({
    shown,
    text: answer === undefined ? undefined : shownText(state, answer, shown),
  }));
  const spoken = results.map(({ shown, text }) => `${shown.label}: ${text ?? calculatorTexts.absent}`).join("; ");
  const start = (pointer: string) => numberAt(request, pointer);
  return (
    <section class="calculator" aria-labelledby={id} aria-busy={busy}>
      <h3 id={id}>{title}</h3>
      <div class="calculator-inputs">
        {inputs.map((input) => (
          <ValueSlider
            key={input.pointer}
            id={`${id}${input.pointer}`}
            label={input.label}
            unit={input.unit}
            slider={sliderOf(input, start(input.pointer) ?? input.min)}
            value={numberAt(now, input.pointer) ?? input.min}
            onValue={(value) => setChanged(withValue(now, input.pointer, value) as JsonObject)}
          />
        ))}
      </div>
      <Complaints errors={errors} />
      {failed ? <Failed text={calculatorTexts.failed} again={again} /> : null}
      <dl class={errors.length > 0 || failed ? "calculator-results old" : "calculator-results"}>
        {results.map(({ shown, text }) => (
          <div key={shown.pointer}>
            <dt class="note">{shown.label}</dt>
            <dd class={isSentence(text) ? "sentence" : undefined}>
              {text ?? (answer === undefined ? "…" : calculatorTexts.absent)}
            </dd>
          </div>
        ))}
      </dl>
      <div class="row calculator-foot">
        <button type="button" class="small" disabled={changed === undefined} onClick={() => setChanged(undefined)}>
          {calculatorTexts.reset}
        </button>
        <span class="note">{busy ? calculatorTexts.asking : ""}</span>
      </div>
      <Settled text={changed === undefined || busy || errors.length > 0 ? "" : spoken} />
    </section>
  );
}

const isSentence = (text: string | undefined) => text !== undefined && text.length > 40;

/** What the engine has against a request, in its own words. */
export function Complaints({ errors }: { errors: readonly RequestError[] }) {
  if (errors.length === 0) return null;
  return (
    <div class="fault" role="status">
      <p>{calculatorTexts.refused}</p>
      {errors.map(({ path, message, hint }) => (
        <p key={path + message}>
          {path === "" ? null : <code>{path}</code>} {translated(message)}{" "}
          {hint === undefined ? null : fill(messages.hint, { hint: translated(hint) })}
        </p>
      ))}
    </div>
  );
}

/** Reads a text out once it has rested. */
function Settled({ text }: { text: string }) {
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(text), kSettleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p class="hidden" role="status">
      {spoken}
    </p>
  );
}
