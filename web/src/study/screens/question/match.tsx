/** Lines whose partners are chosen from menus. */
import { fieldId, paired, pairsOf } from "../../answering.ts";
import type { ControlProps } from "./choices.tsx";
import { questionTexts } from "./texts.ts";

export function Match({ question, answer, onAnswer }: ControlProps) {
  const id = fieldId(question);
  const pairs = pairsOf(question, answer);
  return (
    <div class="stack question-match">
      <p class="note">{questionTexts.matchNote}</p>
      {question.lefts?.map((left, i) => (
        <div key={left} class="match-line">
          <label for={`${id}-${i}`}>{left}</label>
          <select
            id={`${id}-${i}`}
            value={String(pairs[i])}
            onChange={({ currentTarget }) => onAnswer(paired(pairs, i, Number(currentTarget.value)))}
          >
            <option value="-1">{questionTexts.choosePartner}</option>
            {question.options.map((option, place) => (
              <option key={option.text} value={String(place)}>
                {option.text}
              </option>
            ))}
          </select>
        </div>
      ))}
    </div>
  );
}
