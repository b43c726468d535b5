/** The one card of a session: first its question, then its solution with the grades. */
import { useEffect, useRef } from "preact/hooks";
import { kConfidences } from "../../confidence.ts";
import { kMistakes } from "../../log.ts";
import { isWhole, type Question } from "../../question.ts";
import { kAgain, kGrades } from "../../scheduler.ts";
import type { Session } from "../../session.ts";
import { CardHead, CardNote, toggleBookmark } from "../question/marks.tsx";
import { QuestionView } from "../question_view.tsx";
import { isPressed, useKeys } from "../single_keys.ts";
import type { StudyTools } from "../study_data.ts";
import { Confidence, kConfidenceKeys } from "./confidence.tsx";
import { Grades, kWhyKeys, WhyWrong } from "./grades.tsx";
import { check, currentReview, draft, grade, sayConfidence, skip, tag, undo } from "./running.ts";
import { sessionTexts } from "./texts.ts";

interface CardProps {
  tools: StudyTools;
  session: Session;
  question: Question;
  say: (text: string) => void;
}

export function Card({ tools, session, question, say }: CardProps) {
  const { current } = session;
  const view = useRef<HTMLDivElement>(null);
  const isOpen = current?.review !== undefined;
  const isPlacement = session.kind === "placement";
  const answer = current?.answer ?? undefined;
  const whole = isWhole(question, answer);
  const review = currentReview(tools);

  // Reading goes on at what came out; the button that was pressed is gone.
  useEffect(() => {
    if (isOpen) view.current?.querySelector<HTMLElement>(".verdict")?.focus();
  }, [isOpen]);

  const answerIt = (known: boolean) => {
    if (known && !whole) return say(sessionTexts.notWhole);
    check(tools, known && answer !== undefined ? answer : null);
    const right = currentReview(tools)?.right;
    say(right ? sessionTexts.announceRight : known ? sessionTexts.announceWrong : sessionTexts.announceUnknown);
  };
  const takeBack = () => {
    const isDone = undo(tools);
    if (isDone) say(sessionTexts.announceUndone);
    return isDone;
  };

  useKeys((key, target) => {
    if (key === "u") return takeBack();
    if (key === "Enter" && isPressed(target)) return false;
    if (review !== undefined) {
      if (key === "b") {
        toggleBookmark({ store: tools.store, card: review.card, say });
        return true;
      }
      // As the primary button does.
      const usual = review.right || isPlacement ? review.grade : kAgain;
      const chosen = kGrades.find((one) => String(one) === key) ?? (key === "Enter" ? usual : undefined);
      const why = kMistakes.find((one) => kWhyKeys[one] === key);
      if (chosen !== undefined && (key === "Enter" || !isPlacement)) grade(tools, chosen);
      else if (why !== undefined && !review.right) tag(tools, why);
      else return false;
      return true;
    }
    const sure = kConfidences.find((one) => kConfidenceKeys[one] === key);
    if (sure !== undefined) sayConfidence(tools, current?.confidence === sure ? undefined : sure);
    else if (key === "Enter") answerIt(true);
    else if (key === "n") answerIt(false);
    else return false;
    return true;
  });

  return (
    <div ref={view}>
      {current === undefined ? null : (
        <CardHead
          store={tools.store}
          card={current.card}
          say={say}
          onSuspended={isOpen ? undefined : () => skip(tools)}
        />
      )}
      <QuestionView
        key={`${current?.card}/${current?.seed}`}
        question={question}
        answer={answer}
        onAnswer={(next) => draft(tools, next)}
        shown={isOpen}
      />
      {review === undefined ? (
        <>
          <Confidence value={current?.confidence} choose={(confidence) => sayConfidence(tools, confidence)} />
          <p class="row session-actions">
            <button type="button" class="primary" disabled={!whole} onClick={() => answerIt(true)}>
              {sessionTexts.check} <kbd>Enter</kbd>
            </button>
            <button type="button" onClick={() => answerIt(false)}>
              {sessionTexts.dontKnow} <kbd>n</kbd>
            </button>
            {session.done.length === 0 ? null : (
              <button type="button" onClick={takeBack}>
                {sessionTexts.undoGrade} <kbd>u</kbd>
              </button>
            )}
          </p>
        </>
      ) : (
        <>
          <CardNote store={tools.store} card={review.card} say={say} />
          {review.right ? null : <WhyWrong tools={tools} review={review} />}
          <Grades tools={tools} review={review} isPlacement={isPlacement} say={say} />
          <p class="row session-actions">
            <button type="button" onClick={takeBack}>
              {sessionTexts.undoAnswer} <kbd>u</kbd>
            </button>
          </p>
        </>
      )}
    </div>
  );
}
