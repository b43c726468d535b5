/** Options to choose from: one of them (radio buttons), or two (check boxes). Their letters are keys. */
import { fill } from "../../../messages.ts";
import { chosen, fieldId, letterOf } from "../../answering.ts";
import type { Answer, Question } from "../../question.ts";
import { questionTexts } from "./texts.ts";

export interface ControlProps {
  question: Question;
  answer: Answer | undefined;
  onAnswer: (answer: Answer | undefined) => void;
}

export interface ChoicesProps extends ControlProps {
  struck: readonly number[];
  onStrike?: (place: number) => void;
}

const isChosen = (answer: Answer | undefined, place: number) => Array.isArray(answer) && answer.includes(place);

export function Choices({ question, answer, onAnswer, struck, onStrike }: ChoicesProps) {
  const name = fieldId(question);
  const isTwo = question.kind === "choose-two";
  const count = Array.isArray(answer) ? answer.length : 0;
  return (
    <fieldset class="stack question-options">
      <legend class={isTwo ? "note" : "hidden"}>
        {/* The prompt itself says how many. */}
        {isTwo ? fill(questionTexts.chooseTwoLeft, { count }) : questionTexts.options}
      </legend>
      {question.options.map((option, place) => {
        const letter = letterOf(place);
        const isStruck = struck.includes(place);
        return (
          <div key={letter} class={isStruck ? "question-option struck" : "question-option"}>
            <label>
              <input
                type={isTwo ? "checkbox" : "radio"}
                name={name}
                checked={isChosen(answer, place)}
                onChange={() => onAnswer(chosen(question, answer, place))}
              />
              <kbd>{letter}</kbd>
              <span class="option-text">{option.text}</span>
              {isStruck ? <span class="note"> ({questionTexts.struck})</span> : null}
            </label>
            {onStrike === undefined ? null : (
              <button
                type="button"
                class="small"
                aria-pressed={isStruck}
                aria-label={fill(questionTexts.strikeWhich, { letter })}
                onClick={() => onStrike(place)}
              >
                {questionTexts.strike}
              </button>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
