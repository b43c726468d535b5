/** The first visit: what this is, how it works, how long it takes, and two doors. */
import { useEffect } from "preact/hooks";
import { language } from "../../../language.ts";
import { fill } from "../../../messages.ts";
import { kPlacementQuestions, placementItem } from "../../ability.ts";
import { kForecastAnswers } from "../../exam_forecast.ts";
import { cardsOf, habits, minutesOf } from "../../learner.ts";
import { aboutExam } from "../../pack.ts";
import { kMocks, minutesLeftOf, minutesOfQuestions, wholeHours } from "../../study_plan.ts";
import { studyAddress } from "../addresses.ts";
import { askQuestion } from "../ask_question.ts";
import { KeepingNotice } from "../keeping_notice.tsx";
import { StudyCard } from "../opening.tsx";
import { leaveFinished } from "../session/running.ts";
import type { StudyTools } from "../study_data.ts";
import { planTexts } from "./plan_texts.ts";
import { studyHomeTexts } from "./texts.ts";

/** Asks the first question of the ten while the page is read: what it needs is there when it is opened. */
function useFirstQuestionSoon({ pack }: StudyTools): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      const concepts = cardsOf(pack).filter(({ part }) => part === "concept");
      const first = placementItem(pack.blueprint, concepts, []);
      if (first !== undefined) void askQuestion(pack, first.id, 1).catch(() => undefined);
      void import("../session.tsx").catch(() => undefined);
    });
    return () => clearTimeout(timer);
  }, [pack]);
}

export function FirstVisit({ tools }: { tools: StudyTools }) {
  const { pack, store } = tools;
  useFirstQuestionSoon(tools);
  const about = aboutExam(pack.blueprint.exam.id);
  const texts = planTexts.first;
  const { reviewSeconds, newSeconds } = habits([]);
  const minutes = minutesLeftOf({
    lessonMinutes: about.lessonMinutes,
    unseen: about.examQuestions,
    seen: 0,
    mocks: kMocks,
    examMinutes: pack.blueprint.exam.minutes,
    newSeconds,
    reviewSeconds,
  });
  return (
    <StudyCard kind="card study-first" title={fill(texts.title, { exam: about.exam })}>
      <KeepingNotice store={store} />
      <p>{fill(texts.what, { name: about.name, lessons: about.lessons, questions: about.examQuestions })}</p>
      <p class="row session-actions first-doors">
        <a class="button primary" href={studyAddress("session", "placement")} onClick={leaveFinished}>
          {studyHomeTexts.placement}
        </a>
        <a class="button" href={studyAddress("lessons", about.firstLesson.id)}>
          {fill(texts.lesson, { minutes: about.firstLesson.minutes })}
        </a>
      </p>
      <div class="first-columns">
        <div>
          <h2>{texts.howTitle}</h2>
          <ol class="first-steps">
            {texts.how.map((step) => (
              <li key={step}>{fill(step, { count: kForecastAnswers })}</li>
            ))}
          </ol>
        </div>
        <div>
          <h2>{texts.timeTitle}</h2>
          <p>
            {fill(texts.time, {
              ten: minutesOfQuestions(kPlacementQuestions, newSeconds),
              hours: wholeHours(minutes),
              lessonHours: wholeHours(about.lessonMinutes),
            })}
          </p>
          <p>{texts.private}</p>
          {language.value === "en" ? null : <p>{studyHomeTexts.englishOnly}</p>}
        </div>
      </div>
      <p class="note">
        {texts.skip}{" "}
        <a href={studyAddress("session")} onClick={leaveFinished}>
          {fill(studyHomeTexts.skipPlacement, { minutes: minutesOf(store.data().settings) })}
        </a>
      </p>
    </StudyCard>
  );
}
