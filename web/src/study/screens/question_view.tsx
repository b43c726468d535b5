/** A question with its controls; once the solution is shown, what was right and why. */
import { chosen, placeOfKey } from "../answering.ts";
import { type Answer, isRight, type Question, type QuestionKind } from "../question.ts";
import { languageOf } from "../translations.ts";
import { AfterAnswer } from "./question/after.tsx";
import { Choices, type ChoicesProps } from "./question/choices.tsx";
import { Match } from "./question/match.tsx";
import { NumberAnswer } from "./question/number.tsx";
import { Order } from "./question/order.tsx";
import { Picture } from "./question/picture.tsx";
import { Results, Verdict } from "./question/results.tsx";
import { Solution } from "./question/solution.tsx";
import { questionTexts } from "./question/texts.ts";
import { ReadLink } from "./read_link.tsx";
import { useKeys } from "./single_keys.ts";
import { TranslationNote } from "./translation_note.tsx";
import "./question/question.css";

export interface QuestionViewProps {
  question: Question;
  answer: Answer | undefined;
  /** Undefined takes an answer back: a number that is none, for one. */
  onAnswer: (answer: Answer | undefined) => void;
  struck?: readonly number[];
  onStrike?: (place: number) => void;
  /** The solution is open. */
  shown: boolean;
  /** Where the way to the lesson is outside. */
  unlinked?: boolean;
}

export function QuestionView(props: QuestionViewProps) {
  const { question, answer, shown, unlinked = false } = props;
  const right = isRight(question, answer);
  return (
    <article class="stack question" aria-label={questionTexts.question} lang={languageOf(question.prompt)}>
      {question.picture === undefined ? null : (
        <Picture key={question.picture} id={question.picture} hidden={shown ? undefined : question.hidden} />
      )}
      <p class="question-prompt">{question.prompt}</p>
      <TranslationNote text={question.prompt} />
      {question.drawing === undefined ? null : <Drawn text={question.drawing} />}
      {shown ? (
        <>
          <Verdict question={question} answer={answer} />
          {right || unlinked ? null : <ReadLink question={question} loud />}
          <Results question={question} answer={answer} />
          <Solution question={question} />
          {right ? <ReadLink question={question} loud={false} /> : null}
          <AfterAnswer question={question} answer={answer} />
        </>
      ) : (
        <Controls {...props} />
      )}
    </article>
  );
}

/** A command's output, a topology, a roofline. */
function Drawn({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus
    <section class="question-drawing" tabIndex={0} aria-label={questionTexts.drawing}>
      <pre>{text}</pre>
    </section>
  );
}

const kLettered: readonly QuestionKind[] = ["choice", "choose-two", "read-drawing"];

function Controls({ question, answer, onAnswer, struck = [], onStrike }: QuestionViewProps) {
  useKeys((key) => {
    const place = kLettered.includes(question.kind) ? placeOfKey(question, key) : undefined;
    if (place === undefined) return false;
    onAnswer(chosen(question, answer, place));
    return true;
  });
  const own: ChoicesProps = { question, answer, onAnswer, struck, onStrike };
  switch (question.kind) {
    case "order":
      return <Order key={question.id} {...own} />;
    case "match":
      return <Match key={question.id} {...own} />;
    case "numeric":
      return <NumberAnswer key={question.id} {...own} />;
    default:
      return <Choices key={question.id} {...own} />;
  }
}
