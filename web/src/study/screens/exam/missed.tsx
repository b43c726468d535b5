/** Questions that were missed: each whole with its solution, a reason to tag it with, and the way to the reviews. */
import { useEffect, useRef, useState } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { Disclosure } from "../../../views/fold.tsx";
import { type MarkedPlace, missedReview, reviewId, tagged } from "../../exam_marks.ts";
import type { ExamRecord } from "../../exam_record.ts";
import { blankAnswer } from "../../exam_run.ts";
import { kMistakes, type Mistake } from "../../log.ts";
import { cardOf } from "../../question.ts";
import { QuestionMarks } from "../question/marks.tsx";
import { QuestionView } from "../question_view.tsx";
import { ReadLink } from "../read_link.tsx";
import type { StudyTools } from "../study_data.ts";
import { resultTexts } from "./result_texts.ts";

interface MissedProps {
  exam: ExamRecord;
  marked: readonly MarkedPlace[];
  study: StudyTools;
}

export function Missed({ exam, marked, study: { store, pack } }: MissedProps) {
  const missed = marked.filter(({ right }) => !right);
  const isAdded = (place: number) => store.data().reviews.some(({ id }) => id === reviewId(exam.id, place));
  const tag = async (one: MarkedPlace, mistake: Mistake | undefined) => {
    const given = one.given ?? blankAnswer(exam.id, one.place, exam.submittedAt ?? exam.clock.seenAt);
    const answer = tagged(given, mistake);
    // What is in the reviews already takes the reason along.
    await Promise.all([
      store.saveAnswer(answer),
      ...(isAdded(one.place) ? [store.addReview(missedReview(exam, { ...one, given: answer }))] : []),
    ]);
  };
  if (missed.length === 0)
    return (
      <section class="exam-part">
        <h2>{resultTexts.nothingMissed}</h2>
      </section>
    );
  const count = (mistake?: Mistake) => missed.filter(({ given }) => given?.mistake === mistake).length;
  return (
    <section class="exam-part">
      <h2>{fill(resultTexts.missedTitle, { count: missed.length })}</h2>
      <p class="note">{resultTexts.missedNote}</p>
      <ul class="row note exam-tags">
        {kMistakes.map((mistake) => (
          <li key={mistake}>
            <b>{resultTexts.mistakes[mistake]}</b> {resultTexts.mistakeNotes[mistake]}
          </li>
        ))}
      </ul>
      <AddMissed
        exam={exam}
        missed={missed.filter(({ answer }) => answer !== undefined)}
        isAdded={isAdded}
        study={{ store, pack }}
      />
      <p class="note" role="status">
        {fill(resultTexts.tagged, {
          knowledge: count("knowledge"),
          reasoning: count("reasoning"),
          misread: count("misread"),
          open: count(),
        })}
      </p>
      <ol class="exam-missed">
        {missed.map((one) => (
          <li key={one.place}>
            <h3 class="row">
              {fill(resultTexts.missedPlace, { place: one.name })} <span class="note">{one.objective}</span>
              {one.answer === undefined ? <span class="badge">{resultTexts.notAnswered}</span> : null}
            </h3>
            <p class="exam-prompt" lang="en">
              {one.question.prompt}
            </p>
            <Reason one={one} onTag={(mistake) => void tag(one, mistake)} />
            <ReadLink question={one.question} loud />
            <Solved one={one} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Solved({ one: { question, answer } }: { one: MarkedPlace }) {
  return (
    <Disclosure summary={resultTexts.solution}>
      {() => (
        <>
          <QuestionView question={question} answer={answer} onAnswer={() => undefined} shown unlinked />
          <QuestionMarks card={cardOf(question)} />
        </>
      )}
    </Disclosure>
  );
}

/** Three reasons; pressing the chosen one takes it back. */
function Reason({ one, onTag }: { one: MarkedPlace; onTag: (mistake: Mistake | undefined) => void }) {
  const now = one.given?.mistake;
  return (
    <fieldset class="row exam-reasons">
      <legend class="hidden">{fill(resultTexts.why, { place: one.name })}</legend>
      {kMistakes.map((mistake) => (
        <button
          key={mistake}
          type="button"
          class="small"
          aria-pressed={now === mistake}
          onClick={() => onTag(now === mistake ? undefined : mistake)}
        >
          {now === mistake ? "✓ " : ""}
          {resultTexts.mistakes[mistake]}
        </button>
      ))}
    </fieldset>
  );
}

interface AddProps {
  exam: ExamRecord;
  missed: readonly MarkedPlace[];
  isAdded: (place: number) => boolean;
  study: StudyTools;
}

/** One press adds all that were answered; another takes them back. What was left open says nothing of what is known. */
function AddMissed({ exam, missed, isAdded, study: { store } }: AddProps) {
  const [said, setSaid] = useState("");
  const line = useRef<HTMLParagraphElement>(null);
  // The button that was pressed is gone; the focus stays in its line.
  useEffect(() => {
    if (said !== "") line.current?.querySelector<HTMLElement>("button.exam-main, [tabindex]")?.focus();
  }, [said]);
  const left = missed.filter(({ place }) => !isAdded(place));
  if (missed.length === 0) return null;
  const add = async () => {
    await Promise.all(left.map((one) => store.addReview(missedReview(exam, one))));
    setSaid(fill(resultTexts.addedNow, { count: left.length }));
  };
  const takeBack = async () => {
    await Promise.all(missed.map(({ place }) => store.removeReview(reviewId(exam.id, place))));
    setSaid(resultTexts.takenBack);
  };
  return (
    <p class="row exam-actions" ref={line}>
      {left.length > 0 ? (
        <button type="button" class="primary" onClick={() => void add()}>
          {fill(resultTexts.add, { count: left.length })}
        </button>
      ) : (
        <>
          <span tabIndex={-1}>✓ {resultTexts.added}</span>
          <button type="button" onClick={() => void takeBack()}>
            {resultTexts.takeBack}
          </button>
        </>
      )}
      <span class="hidden" role="status">
        {said}
      </span>
    </p>
  );
}

/** What was right can be looked at, too: a guess is worth a second look. */
export function RightOnes({ marked }: { marked: readonly MarkedPlace[] }) {
  const right = marked.filter((one) => one.right);
  if (right.length === 0) return null;
  return (
    <details class="exam-part exam-right">
      <summary>
        <h2>{fill(resultTexts.rightTitle, { count: right.length })}</h2>
      </summary>
      <ol class="exam-missed">
        {right.map((one) => (
          <li key={one.place}>
            <h3 class="row">
              {fill(resultTexts.missedPlace, { place: one.name })} <span class="note">{one.objective}</span>
            </h3>
            <p class="exam-prompt" lang="en">
              {one.question.prompt}
            </p>
            <Solved one={one} />
          </li>
        ))}
      </ol>
    </details>
  );
}
