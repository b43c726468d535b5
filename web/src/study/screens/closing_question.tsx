/** The question at the end of a lesson: a template with fresh numbers, or a written one. The answer is checked and not kept. */
import { useEffect, useRef, useState } from "preact/hooks";
import { askEngine } from "../../pages.ts";
import { Failed } from "../../views/lazy.tsx";
import type { Lesson } from "../lesson.ts";
import type { SourceEntry } from "../pack.ts";
import { type Answer, isWhole, type Question, readQuestion } from "../question.ts";
import { shownQuestion } from "../shown_question.ts";
import { lessonTexts } from "./lesson_texts.ts";
import { QuestionView } from "./question_view.tsx";

interface ClosingProps {
  closing: Lesson["closing"];
  sources: Record<string, SourceEntry>;
}

/** Every question has numbers of its own. */
const freshSeed = () => Math.floor(Math.random() * 1e9);

async function questionOf(closing: Lesson["closing"], seed: number): Promise<Question> {
  if ("written" in closing) return shownQuestion(closing.written, closing.objective, seed);
  const text = await askEngine({ kind: "question", template: closing.template, seed });
  const question = readQuestion((JSON.parse(text) as { question?: unknown }).question);
  if (question === undefined) throw new Error(`no question of ${closing.template}`);
  return question;
}

export function ClosingQuestion({ closing, sources }: ClosingProps) {
  const [seed, setSeed] = useState(freshSeed);
  const [question, setQuestion] = useState<Question>();
  const [failed, setFailed] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const load = () => {
    let isGone = false;
    setFailed(false);
    questionOf(closing, seed).then(
      (made) => isGone || setQuestion(made),
      () => isGone || setFailed(true),
    );
    return () => {
      isGone = true;
    };
  };
  useEffect(load, [closing, seed]);
  const another = () => {
    setQuestion(undefined);
    setSeed(freshSeed());
    // The button that was pressed goes with the old question.
    heading.current?.focus();
  };
  return (
    <section class="lesson-closing" aria-labelledby="lesson-closing">
      <h2 id="lesson-closing" tabIndex={-1} ref={heading}>
        {lessonTexts.closing}
      </h2>
      {failed ? <Failed again={load} /> : null}
      {question === undefined ? null : (
        <Asked key={question.id} question={question} sources={sources} another={another} />
      )}
    </section>
  );
}

interface AskedProps {
  question: Question;
  sources: Record<string, SourceEntry>;
  another: () => void;
}

function Asked({ question, sources, another }: AskedProps) {
  const [answer, setAnswer] = useState<Answer>();
  const [shown, setShown] = useState(false);
  return (
    <>
      <QuestionView question={question} answer={answer} onAnswer={setAnswer} shown={shown} sources={sources} />
      <p class="lesson-check">
        {shown ? (
          <button type="button" onClick={another}>
            {lessonTexts.another}
          </button>
        ) : (
          <button type="button" disabled={!isWhole(question, answer)} onClick={() => setShown(true)}>
            {lessonTexts.check}
          </button>
        )}
      </p>
    </>
  );
}
