/** A quiz of one's own choice: what it may ask, how many questions fit, and its start. The address keeps the choices. */
import { useMemo, useState } from "preact/hooks";
import { fill, messages } from "../../messages.ts";
import { Failed } from "../../views/lazy.tsx";
import {
  askedCount,
  countField,
  countText,
  fieldsOf,
  fittingCards,
  isCount,
  kQuizFields,
  type QuizCard,
  type QuizWish,
  quizCards,
  quizHistory,
  wishOf,
} from "../quiz.ts";
import { useAddressQuery } from "./address_query.ts";
import { studyAddress } from "./addresses.ts";
import { KeepingNotice } from "./keeping_notice.tsx";
import { StudyCard } from "./opening.tsx";
import { Choices } from "./quiz/choices.tsx";
import { PastQuizzes } from "./quiz/past.tsx";
import { startExamQuiz, startStudyQuiz } from "./quiz/start.ts";
import { quizTexts } from "./quiz/texts.ts";
import { type StudyTools, useStudy } from "./study_data.ts";
import { studyTexts } from "./texts.ts";
import "./quiz/quiz.css";

export function Quiz() {
  const { study, failed, again } = useStudy();
  return (
    <StudyCard kind="card quiz" title={studyTexts.screens.quiz}>
      {study !== undefined ? (
        <QuizForm study={study} />
      ) : failed ? (
        <Failed again={again} />
      ) : (
        <p class="note opening">{messages.loadingScreen}</p>
      )}
    </StudyCard>
  );
}

type Making = "ready" | "making" | "failed";

function QuizForm({ study }: { study: StudyTools }) {
  const { pack, store } = study;
  const { blueprint } = pack;
  const [fields, changeFields] = useAddressQuery(kQuizFields);
  const [state, setState] = useState<Making>("ready");
  const data = store.data();
  const cards = useMemo(() => quizCards(pack), [pack]);
  const history = useMemo(() => quizHistory(data), [data]);
  const wish = wishOf(blueprint, fields);
  const fitting = fittingCards(cards, wish, history);
  const isBlocked = wish.mode === "exam" && store.openExam() !== undefined;
  const canStart = fitting.length > 0 && isCount(wish.count) && !isBlocked && state !== "making";
  const start = async () => {
    setState("making");
    const begin = wish.mode === "study" ? startStudyQuiz : startExamQuiz;
    const isBegun = await begin(study, wish, fitting).catch(() => false);
    if (!isBegun) setState("failed");
  };
  return (
    <>
      <p class="quiz-lead">{quizTexts.lead}</p>
      <KeepingNotice store={store} />
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (canStart) void start();
        }}
      >
        <Choices
          blueprint={blueprint}
          wish={wish}
          countText={countText(fields)}
          change={(next) => changeFields(fieldsOf(blueprint, { ...wish, ...next }))}
          changeCount={(text) => changeFields({ n: countField(text) })}
        />
        <Fitting fitting={fitting} wish={wish} />
        {isBlocked ? (
          <p class="notice">
            {quizTexts.openExam} <a href={studyAddress("exam")}>{quizTexts.goOn}</a>
          </p>
        ) : null}
        {state === "failed" ? <Failed text={quizTexts.failed} again={() => void start()} /> : null}
        <p class="row quiz-actions">
          <button type="submit" class="primary" disabled={!canStart}>
            {quizTexts.start}
          </button>
          <a class="button" href={studyAddress("quiz")}>
            {quizTexts.reset}
          </a>
          <span class="note" role="status">
            {state === "making" ? quizTexts.making : ""}
          </span>
        </p>
      </form>
      <PastQuizzes study={study} />
    </>
  );
}

const kNone = {
  all: "none",
  missed: "noneMissed",
  new: "noneNew",
  bookmarked: "noneBookmarked",
} as const;

/** How many questions fit, said as it changes. */
function Fitting({ fitting, wish }: { fitting: readonly QuizCard[]; wish: QuizWish }) {
  const count = askedCount(fitting.length, wish);
  const text =
    fitting.length === 0
      ? quizTexts[kNone[wish.only]]
      : fitting.length === 1
        ? quizTexts.fitsOne
        : !isCount(wish.count)
          ? ""
          : fill(fitting.length < wish.count ? quizTexts.fitsFewer : quizTexts.fits, {
              fitting: fitting.length,
              count,
            });
  return (
    <p class={fitting.length === 0 ? "quiz-fits notice" : "quiz-fits"} role="status">
      {text}
    </p>
  );
}
