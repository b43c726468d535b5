/**
 * The question at the end of a lesson: a template with fresh numbers, or a written one; then others of the lesson's objective that it teaches. The
 * answer is checked and not kept.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { askEngine } from "../../pages.ts";
import { Failed } from "../../views/lazy.tsx";
import { afterOneMore, closingAt, closingOrder } from "../closings.ts";
import type { Lesson } from "../lesson.ts";
import { loadQuestions, type QuestionPack } from "../pack.ts";
import { type Answer, isWhole, type Question, readQuestion } from "../question.ts";
import { shownQuestion } from "../shown_question.ts";
import { askQuestion } from "./ask_question.ts";
import { lessonTexts } from "./lesson_texts.ts";
import { QuestionView } from "./question_view.tsx";

/** Every question has numbers of its own. */
const freshSeed = () => Math.floor(Math.random() * 1e9);

async function closingQuestion({ closing }: Lesson, seed: number): Promise<Question> {
  if ("written" in closing) return shownQuestion(closing.written, closing.objective, seed);
  const text = await askEngine({ kind: "question", template: closing.template, seed });
  const question = readQuestion((JSON.parse(text) as { question?: unknown }).question);
  if (question === undefined) throw new Error(`no question of ${closing.template}`);
  return question;
}

/** The questions of the exam that a lesson is for. */
async function packOf({ objectives: [first = ""] }: Lesson): Promise<QuestionPack> {
  for (const { id } of __STUDY_EXAMS__) {
    const pack = await loadQuestions(id);
    if (first in pack.written) return pack;
  }
  return loadQuestions(undefined);
}

async function furtherQuestion(lesson: Lesson, id: string, seed: number): Promise<Question> {
  const pack = await packOf(lesson);
  const question = await askQuestion(pack, id, seed);
  if (question === undefined) throw new Error(`no question ${id}`);
  return question;
}

export function ClosingQuestion({ lesson }: { lesson: Lesson }) {
  const [order] = useState(() => closingOrder(lesson.further ?? [], freshSeed()));
  const [asked, setAsked] = useState(() => ({ count: 0, seed: freshSeed() }));
  const [made, setMade] = useState<Question>();
  const [failed, setFailed] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const load = () => {
    let isGone = false;
    setFailed(false);
    const further = closingAt(order, asked.count);
    const making =
      further === undefined ? closingQuestion(lesson, asked.seed) : furtherQuestion(lesson, further, asked.seed);
    making.then(
      (one) => isGone || setMade(one),
      () => isGone || setFailed(true),
    );
    return () => {
      isGone = true;
    };
  };
  useEffect(load, [asked]);
  const another = () => {
    setMade(undefined);
    setAsked({ count: afterOneMore(asked.count), seed: freshSeed() });
    // The button that was pressed goes with the old question.
    heading.current?.focus();
  };
  return (
    <section class="lesson-closing" aria-labelledby="lesson-closing">
      <h2 id="lesson-closing" tabIndex={-1} ref={heading}>
        {lessonTexts.closing}
      </h2>
      {failed ? <Failed again={load} /> : null}
      {made === undefined ? null : (
        <Asked
          key={`${asked.count}/${made.id}`}
          question={made}
          another={another}
          more={order.length > 0 ? lessonTexts.further : lessonTexts.another}
        />
      )}
    </section>
  );
}

interface AskedProps {
  question: Question;
  another: () => void;
  /** What the button to the next question says. */
  more: string;
}

function Asked({ question, another, more }: AskedProps) {
  const [answer, setAnswer] = useState<Answer>();
  const [shown, setShown] = useState(false);
  return (
    <>
      <QuestionView question={question} answer={answer} onAnswer={setAnswer} shown={shown} />
      <p class="lesson-check">
        {shown ? (
          <button type="button" onClick={another}>
            {more}
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
