/** A number with its unit. */
import { useId, useState } from "preact/hooks";
import { phrase, traceText } from "../../../format.ts";
import { fill } from "../../../messages.ts";
import { typedNumber } from "../../answering.ts";
import type { ControlProps } from "./choices.tsx";
import { questionTexts } from "./texts.ts";

export function NumberAnswer({ question, answer, onAnswer }: ControlProps) {
  const id = useId();
  const { unit = "" } = question.answer;
  const shownUnit = unit === "1" ? "" : unit;
  const [typed, setTyped] = useState(typeof answer === "number" ? String(answer) : "");
  const isFaulty = typed.trim() !== "" && answer === undefined;
  const note = isFaulty
    ? questionTexts.numberFault
    : typeof answer === "number"
      ? fill(questionTexts.numberReads, { value: phrase(traceText(answer, unit)) })
      : "";
  return (
    <div class="question-number">
      <label for={id}>
        {shownUnit === "" ? questionTexts.number : fill(questionTexts.numberIn, { unit: shownUnit })}
      </label>
      <span class="number-line">
        <input
          id={id}
          type="text"
          inputMode="decimal"
          autocomplete="off"
          value={typed}
          aria-invalid={isFaulty}
          aria-describedby={`${id}-note`}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            onAnswer(typedNumber(currentTarget.value));
          }}
        />
        <span>{shownUnit}</span>
      </span>
      <p id={`${id}-note`} class={isFaulty ? "fault" : "note"}>
        {note}
      </p>
    </div>
  );
}
