/** A recall card of a session: its front, then its back with the grades. */
import { useEffect, useRef } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { schedulerOf } from "../../learner.ts";
import type { RecallText } from "../../recall.ts";
import { type Grade, kGood, kGrades } from "../../scheduler.ts";
import type { Session } from "../../session.ts";
import { gradeSpans } from "../../session_result.ts";
import { studyAddress } from "../addresses.ts";
import { cardTexts } from "../cards/texts.ts";
import { CardHead } from "../question/marks.tsx";
import { isPressed, useKeys } from "../single_keys.ts";
import { spanText } from "../span_text.ts";
import type { StudyTools } from "../study_data.ts";
import { GradeButtons } from "./grades.tsx";
import { currentReview, gradeRecall, skip, turn, undo } from "./running.ts";
import { lessonTitle } from "./terms.ts";
import { sessionTexts } from "./texts.ts";

interface RecallProps {
  tools: StudyTools;
  session: Session;
  shown: RecallText;
  say: (text: string) => void;
}

/** When the card would come back after each grade. */
function useSpans({ store }: StudyTools, { card, objective }: RecallText, review: ReturnType<typeof currentReview>) {
  const { reviews, settings } = store.data();
  const time = useRef(Date.now()).current;
  const asIf = { id: "", card, question: card, objective, time, grade: kGood, right: true, answer: null, seconds: 0 };
  const own = review ?? asIf;
  return gradeSpans(schedulerOf(settings, own.time), reviews, own);
}

export function RecallCard({ tools, session, shown, say }: RecallProps) {
  const isTurned = session.current?.turned === true;
  const review = currentReview(tools);
  const spans = useSpans(tools, shown, review);
  const back = useRef<HTMLHeadingElement>(null);
  // Reading goes on at the answer; the button that was pressed is gone.
  useEffect(() => {
    if (isTurned) back.current?.focus();
  }, [isTurned]);
  const show = () => {
    turn(tools);
    say(fill(cardTexts.announceTurned, { back: shown.back }));
  };
  const choose = (one: Grade) => {
    say(fill(sessionTexts.announceGraded, { grade: sessionTexts.grades[one], interval: spanText(spans[one]) }));
    gradeRecall(tools, one);
  };
  const takeBack = () => {
    const isDone = undo(tools);
    if (isDone) say(sessionTexts.announceUndone);
    return isDone;
  };
  useKeys((key, target) => {
    if (key === "u") return takeBack();
    const isOn = key === "Enter" || key === " ";
    if (isOn && isPressed(target)) return false;
    const chosen = kGrades.find((one) => String(one) === key) ?? (isOn ? (review?.grade ?? kGood) : undefined);
    if (isTurned && chosen !== undefined) choose(chosen);
    else if (!isTurned && isOn) show();
    else return false;
    return true;
  });
  return (
    <div>
      <CardHead store={tools.store} card={shown.card} say={say} onSuspended={() => skip(tools)} />
      <article class="stack recall">
        <h2 class="kicker">{cardTexts.asks[shown.asks]}</h2>
        <Side asks={shown.asks} text={shown.front} />
        {isTurned ? <Back shown={shown} focus={back} /> : null}
      </article>
      {isTurned ? <GradeButtons spans={spans} suggested={review?.grade ?? kGood} choose={choose} /> : null}
      <p class="row session-actions">
        {isTurned ? null : (
          <button type="button" class="primary" onClick={show}>
            {cardTexts.showAnswer} <kbd>Enter</kbd>
          </button>
        )}
        {isTurned || session.done.length > 0 ? (
          <button type="button" onClick={takeBack}>
            {isTurned ? cardTexts.hideAnswer : sessionTexts.undoGrade} <kbd>u</kbd>
          </button>
        ) : null}
      </p>
    </div>
  );
}

/** Lines of an own card stay as they were written. */
function Side({ asks, text }: { asks: RecallText["asks"]; text: string }) {
  const isOwn = asks === "own";
  return (
    <p class={isOwn ? "question-prompt own-text" : "question-prompt"} lang={isOwn ? undefined : "en"}>
      {text}
    </p>
  );
}

interface BackProps {
  shown: RecallText;
  focus: { current: HTMLHeadingElement | null };
}

function Back({ shown: { asks, back, expands, lesson }, focus }: BackProps) {
  return (
    <section class="recall-back" aria-labelledby="recall-answer">
      <h2 id="recall-answer" class="kicker" tabIndex={-1} ref={focus}>
        {cardTexts.answer}
      </h2>
      {expands === undefined ? null : (
        <p class="note" lang="en">
          {expands}
        </p>
      )}
      <Side asks={asks} text={back} />
      {lesson === undefined ? null : (
        <p class="note">
          {cardTexts.lesson}{" "}
          <a href={studyAddress("lessons", lesson)} lang="en">
            {lessonTitle(lesson)}
          </a>
        </p>
      )}
    </section>
  );
}
