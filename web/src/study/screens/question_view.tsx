/** A question with its controls; once the solution is shown, what was right and why. */
import { useEffect, useRef } from "preact/hooks";
import { chosen, placeOfKey } from "../answering.ts";
import type { SourceEntry } from "../pack.ts";
import type { Answer, Question, QuestionKind } from "../question.ts";
import { AfterAnswer } from "./question/after.tsx";
import { Choices, type ChoicesProps } from "./question/choices.tsx";
import { Match } from "./question/match.tsx";
import { NumberAnswer } from "./question/number.tsx";
import { Order } from "./question/order.tsx";
import { Results, Verdict } from "./question/results.tsx";
import { Solution } from "./question/solution.tsx";
import { questionTexts } from "./question/texts.ts";
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
  sources?: Record<string, SourceEntry>;
}

export function QuestionView(props: QuestionViewProps) {
  const { question, answer, shown, sources = {} } = props;
  return (
    <article class="question" aria-label={questionTexts.question} lang="en">
      <p class="question-prompt">{question.prompt}</p>
      {question.drawing === undefined ? null : <Drawn text={question.drawing} />}
      {shown ? (
        <>
          <Verdict question={question} answer={answer} />
          <Results question={question} answer={answer} />
          <Solution question={question} sources={sources} />
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

/** Keys that are typed into a field or chosen in a menu are not ours. */
export const isTypedInto = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches("[type=text], [type=search], [type=number], [type=date], select, textarea");

const kLettered: readonly QuestionKind[] = ["choice", "choose-two", "read-drawing"];

function Controls({ question, answer, onAnswer, struck = [], onStrike }: QuestionViewProps) {
  const now = useRef({ question, answer, onAnswer });
  now.current = { question, answer, onAnswer };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { question, answer, onAnswer } = now.current;
      const isPlain = !(event.ctrlKey || event.metaKey || event.altKey) && !isTypedInto(event.target);
      if (!isPlain || !kLettered.includes(question.kind)) return;
      const place = placeOfKey(question, event.key);
      if (place !== undefined) onAnswer(chosen(question, answer, place));
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
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
