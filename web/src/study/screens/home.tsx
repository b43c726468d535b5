/** The home of the study tool: where the learner stands, what a day takes, and one button that goes on. */

import { useMemo, useRef, useState } from "preact/hooks";
import { language } from "../../language.ts";
import { fill } from "../../messages.ts";
import { store as keepText, stored } from "../../settings.ts";
import { Failed } from "../../views/lazy.tsx";
import { wantsBackup } from "../home_numbers.ts";
import { type Learner, learnerOf, minutesOf } from "../learner.ts";
import { kUsualRetention } from "../scheduler.ts";
import { dueForecast } from "../session_result.ts";
import { calendarDays } from "../spans.ts";
import { nextPart } from "../study_plan.ts";
import { type StudyScreenProps, studyAddress } from "./addresses.ts";
import { Ability } from "./home/ability.tsx";
import { FirstVisit } from "./home/first_visit.tsx";
import { DaysRow, PaceLine, progressText } from "./home/hero.tsx";
import { Milestones } from "./home/milestones.tsx";
import { Pass } from "./home/pass.tsx";
import { ExamPlan } from "./home/plan.tsx";
import { planTexts } from "./home/plan_texts.ts";
import { type Progress, useLessons, useProgress } from "./home/progress.ts";
import { Ready } from "./home/ready.tsx";
import { Sure } from "./home/sure.tsx";
import { studyHomeTexts } from "./home/texts.ts";
import { Traps } from "./home/traps.tsx";
import { WeekPlan } from "./home/week_plan.tsx";
import { KeepingNotice } from "./keeping_notice.tsx";
import { Opening, StudyCard } from "./opening.tsx";
import { readLessons } from "./read_marks.ts";
import { RunningExam } from "./running_exam.tsx";
import { percentText } from "./session/confidence.tsx";
import { nextMinutes } from "./session/plan_minutes.ts";
import { hasOpenSession, leaveFinished } from "./session/running.ts";
import { fromNowText, longDayText } from "./span_text.ts";
import { type StudyTools, useStudy } from "./study_data.ts";
import "./session/session.css";
import "./home/home.css";

export function Home(_: StudyScreenProps) {
  const { study, failed, again } = useStudy();
  if (failed) return <Failed again={again} />;
  if (study === undefined) return <Opening />;
  return <Opened tools={study} />;
}

function Opened({ tools }: { tools: StudyTools }) {
  const { store, pack } = tools;
  const now = useRef(Date.now()).current;
  const data = store.data();
  const learner = useMemo(() => learnerOf(pack, data, now), [pack, data, now]);
  const progress = useProgress(tools, learner, useLessons(), now);
  const isFirst = data.reviews.length === 0 && data.exams.length === 0 && data.settings.examAt === undefined;
  const own = { tools, learner, now, progress };
  // The form of the plan keeps its place, so that what is typed and the focus stay when the first visit is over.
  return (
    <>
      {isFirst ? <FirstVisit tools={tools} /> : <Standing {...own} />}
      {isFirst ? null : <WeekPlan {...own} />}
      <ExamPlan {...own} />
      {isFirst ? null : <Milestones milestones={progress.milestones} />}
      {isFirst ? null : <Statistics {...own} />}
    </>
  );
}

interface HomeProps {
  tools: StudyTools;
  learner: Learner;
  now: number;
  progress: Progress;
}

function Statistics({ tools, learner, now }: HomeProps) {
  return (
    <>
      <Pass tools={tools} />
      <Ready tools={tools} learner={learner} now={now} />
      <section class="card study-part" aria-labelledby="ability-title">
        <h2 id="ability-title">{studyHomeTexts.abilityTitle}</h2>
        <Ability tools={tools} />
      </section>
      <Sure tools={tools} />
      <Traps tools={tools} />
    </>
  );
}

/** Message once, where the page speaks another language than the questions. */
const EnglishOnly = () => (language.value === "en" ? null : <p class="note">{studyHomeTexts.englishOnly}</p>);

/** Opens what the plan has for today and is not done yet; undefined where that is questions. */
function nextLink({ plan }: Progress, kind: string) {
  const [today] = plan?.days ?? [];
  const part = today && nextPart(today, readLessons.value);
  if (part === undefined) return undefined;
  const [href, text, values] =
    "minutes" in part
      ? [studyAddress("lessons", part.id), planTexts.plan.nextLesson, { number: part.number, minutes: part.minutes }]
      : [studyAddress("exam"), planTexts.plan.nextMock, { number: part.number }];
  return (
    <a class={kind} href={href}>
      {fill(text, values)}
    </a>
  );
}

function Standing({ tools, learner, now, progress }: HomeProps) {
  const { reviews, settings } = tools.store.data();
  const { examAt } = progress;
  const due = dueForecast(learner, now, 1)[0]?.cards ?? 0;
  const isOpen = hasOpenSession();
  const next = nextLink(progress, isOpen ? "button" : "button primary");
  return (
    <StudyCard kind="card study-first" title={progressText(progress)}>
      <KeepingNotice store={tools.store} />
      <RunningExam store={tools.store} />
      <p>
        {examAt === undefined
          ? settings.examAt === undefined
            ? fill(studyHomeTexts.noDate, { share: percentText(settings.retention ?? kUsualRetention) })
            : studyHomeTexts.dateOver
          : fill(studyHomeTexts.daysLeft, {
              when: fromNowText(calendarDays(now, examAt), "day"),
              date: longDayText(examAt),
            })}
        {examAt === undefined ? ` ${fill(studyHomeTexts.dueNow, { count: due })}` : ""}
      </p>
      <PaceLine progress={progress} minutes={minutesOf(settings)} />
      <EnglishOnly />
      <p class="row session-actions">
        {isOpen ? null : next}
        <a
          class={isOpen || next === undefined ? "button primary" : "button"}
          href={studyAddress("session")}
          onClick={leaveFinished}
        >
          {isOpen
            ? studyHomeTexts.goOn
            : fill(studyHomeTexts.start, { minutes: nextMinutes(tools, learner, Date.now()) })}
        </a>
        {isOpen ? next : null}
        {reviews.length > 0 ? null : (
          <a class="button" href={studyAddress("session", "placement")} onClick={leaveFinished}>
            {studyHomeTexts.placement}
          </a>
        )}
      </p>
      <DaysRow tools={tools} now={now} />
      <p class="note">{planTexts.hero.seenNote}</p>
      <BackupHint tools={tools} now={now} />
    </StudyCard>
  );
}

const kLater = "study backup later";

function BackupHint({ tools, now }: { tools: StudyTools; now: number }) {
  const [isLater, setLater] = useState(false);
  const { reviews, settings } = tools.store.data();
  const laterAt = Number(stored(kLater) ?? "0");
  if (isLater || !wantsBackup(reviews, settings.backupAt, laterAt, now)) return null;
  const later = () => {
    keepText(kLater, String(now));
    setLater(true);
  };
  return (
    <p class="notice">
      {studyHomeTexts.backupHint} <a href={studyAddress("backup")}>{studyHomeTexts.backupMake}</a>{" "}
      <button type="button" class="small" onClick={later}>
        {studyHomeTexts.backupLater}
      </button>
    </p>
  );
}
