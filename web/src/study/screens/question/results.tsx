/** What was right and what was chosen, option by option, with the reason for each. Signs and words, not colours alone, say which is which. */
import { figureText } from "../../../format.ts";
import { fill } from "../../../messages.ts";
import { letterOf, ordinalOf, pairsOf } from "../../answering.ts";
import { type Answer, isRight, isWhole, type Question } from "../../question.ts";
import { answerAmount, typedAmount } from "./amounts.ts";
import { questionTexts } from "./texts.ts";

interface ResultProps {
  question: Question;
  answer: Answer | undefined;
}

/** "Right", "Wrong" or "Not answered". */
export function Verdict({ question, answer }: ResultProps) {
  const isGiven = isWhole(question, answer);
  const right = isRight(question, answer);
  return (
    <h2 class={right ? "verdict good" : "verdict bad"} tabIndex={-1}>
      <span aria-hidden="true">{right ? "✓" : isGiven ? "✗" : "–"}</span>{" "}
      {right ? questionTexts.right : isGiven ? questionTexts.wrong : questionTexts.noAnswer}
    </h2>
  );
}

export function Results(props: ResultProps) {
  switch (props.question.kind) {
    case "order":
      return <OrderResult {...props} />;
    case "match":
      return <MatchResult {...props} />;
    case "numeric":
      return <NumberResult {...props} />;
    default:
      return <OptionResults {...props} />;
  }
}

function OptionResults({ question, answer }: ResultProps) {
  return (
    <ol class="stack option-results">
      {question.options.map(({ text, right = false, why }, place) => {
        const yours = Array.isArray(answer) && answer.includes(place);
        const mark = right
          ? yours
            ? `${questionTexts.markRight}, ${questionTexts.markYours}`
            : answer === undefined
              ? questionTexts.markRight
              : questionTexts.markMissed
          : yours
            ? questionTexts.markWrong
            : "";
        return (
          <li key={letterOf(place)} class={right ? "good" : yours ? "bad" : undefined}>
            <p>
              <kbd>{letterOf(place)}</kbd> <span class="option-text">{text}</span>{" "}
              {mark === "" ? null : (
                <span class="label mark-word">
                  <span aria-hidden="true">{right ? "✓" : "✗"}</span> {mark}
                </span>
              )}
            </p>
            {why === undefined || why === "" ? null : <p class="why">{why}</p>}
          </li>
        );
      })}
    </ol>
  );
}

function OrderResult({ question, answer }: ResultProps) {
  const right = question.answer.options ?? [];
  const own = Array.isArray(answer) ? (answer as readonly number[]) : [];
  return (
    <>
      <h3>{questionTexts.rightOrder}</h3>
      <ol class="stack option-results">
        {right.map((option, i) => {
          const isSame = own[i] === option;
          return (
            <li key={option} class={isSame ? "good" : "bad"}>
              <p>
                <b>{i + 1}</b> <span class="option-text">{question.options[option]?.text}</span>{" "}
                {own.length === 0 ? null : (
                  <span class="label mark-word">
                    <span aria-hidden="true">{isSame ? "✓" : "✗"}</span>{" "}
                    {fill(questionTexts.yourPlace, { place: ordinalOf(own, option) })}
                  </span>
                )}
              </p>
              <p class="why">{question.options[option]?.why}</p>
            </li>
          );
        })}
      </ol>
    </>
  );
}

function MatchResult({ question, answer }: ResultProps) {
  const pairs = pairsOf(question, answer);
  return (
    <ul class="stack option-results">
      {question.lefts?.map((left, i) => {
        const partner = question.answer.options?.[i] ?? -1;
        const isSame = pairs[i] === partner;
        const yours = question.options[pairs[i] ?? -1]?.text;
        return (
          <li key={left} class={isSame ? "good" : "bad"}>
            <p>
              <b>{left}</b>: <span class="option-text">{question.options[partner]?.text}</span>{" "}
              <span class="label mark-word">
                <span aria-hidden="true">{isSame ? "✓" : "✗"}</span>{" "}
                {isSame ? questionTexts.markRight : `${questionTexts.yourAnswer}: ${yours ?? questionTexts.noAnswer}`}
              </span>
            </p>
            <p class="why">{question.options[partner]?.why}</p>
          </li>
        );
      })}
    </ul>
  );
}

/** A tolerance is a share; the text says it in percent. */
const shareText = (tolerance: number) => figureText("fraction", tolerance).value;

function NumberResult({ question, answer }: ResultProps) {
  const { number, unit, tolerance = 0 } = question.answer;
  const textOf = (value: number) => answerAmount(value, unit);
  return (
    <dl class="quantities">
      <div>
        <dt>{questionTexts.rightAnswer}</dt>
        <dd>{number === undefined ? "" : textOf(number)}</dd>
      </div>
      <div>
        <dt>{questionTexts.yourAnswer}</dt>
        <dd>{typeof answer === "number" ? typedAmount(answer, unit) : questionTexts.noAnswer}</dd>
      </div>
      {tolerance === 0 ? null : (
        <div>
          <dt>{questionTexts.tolerance}</dt>
          <dd>{shareText(tolerance)}</dd>
        </div>
      )}
    </dl>
  );
}
