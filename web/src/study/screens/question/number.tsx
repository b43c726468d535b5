/** A number with its unit. */
import { useState } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { fieldId, typedNumber } from "../../answering.ts";
import { shownUnit, typedAmount } from "./amounts.ts";
import type { ControlProps } from "./choices.tsx";
import { questionTexts } from "./texts.ts";

export function NumberAnswer({ question, answer, onAnswer }: ControlProps) {
  const id = fieldId(question);
  const unit = shownUnit(question.answer.unit);
  const [typed, setTyped] = useState(typeof answer === "number" ? String(answer) : "");
  const isFaulty = typed.trim() !== "" && answer === undefined;
  const note = isFaulty
    ? questionTexts.numberFault
    : typeof answer === "number"
      ? fill(questionTexts.numberReads, { value: typedAmount(answer, unit) })
      : "";
  return (
    <div class="question-number">
      <label class="label" for={id}>
        {unit === "" ? questionTexts.number : fill(questionTexts.numberIn, { unit })}
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
        <span>{unit}</span>
      </span>
      <p id={`${id}-note`} class={isFaulty ? "fault" : "note"}>
        {note}
      </p>
    </div>
  );
}
