/** The plan until the exam as a list: today first, then the days of this week, then weeks. */
import { fill } from "../../../messages.ts";
import { Disclosure } from "../../../views/fold.tsx";
import type { DayLoad } from "../../exam_plan.ts";
import { minutesOfDay } from "../../home_numbers.ts";
import { type Learner, minutesOf } from "../../learner.ts";
import type { LessonCard } from "../../lesson.ts";
import { answerTimes, lastDays } from "../../study_days.ts";
import {
  isNear,
  type Mock,
  minutesOfLessons,
  type PlanDay,
  type PlanWeek,
  questionsOfDays,
  weeksOf,
} from "../../study_plan.ts";
import { studyAddress } from "../addresses.ts";
import { readLessons } from "../read_marks.ts";
import { leaveFinished } from "../session/running.ts";
import { dayText } from "../span_text.ts";
import type { StudyTools } from "../study_data.ts";
import { useForecast } from "./forecast.ts";
import { planTexts } from "./plan_texts.ts";
import type { Progress } from "./progress.ts";

const minutesText = (minutes: number) => fill(planTexts.plan.minutes, { minutes });

interface WeekPlanProps {
  tools: StudyTools;
  learner: Learner;
  progress: Progress;
}

export function WeekPlan({ tools, learner, progress }: WeekPlanProps) {
  const { settings } = tools.store.data();
  const { plan, examAt } = progress;
  const { plan: texts } = planTexts;
  return (
    <section class="card study-part" aria-labelledby="weeks-title">
      <h2 id="weeks-title">{texts.title}</h2>
      {plan === undefined || examAt === undefined ? (
        <p>{settings.examAt === undefined ? texts.ask : examAt === undefined ? texts.over : texts.cardsSoon}</p>
      ) : (
        <Weeks tools={tools} learner={learner} plan={plan} examAt={examAt} />
      )}
    </section>
  );
}

/** Where the week is nearly over, the next one is open. */
const kFewDays = 3;

interface WeeksProps {
  tools: StudyTools;
  learner: Learner;
  plan: NonNullable<Progress["plan"]>;
  examAt: number;
}

function Weeks({ tools, learner, plan, examAt }: WeeksProps) {
  const { plan: texts } = planTexts;
  const data = tools.store.data();
  const minutes = minutesOf(data.settings);
  const answersToday = lastDays(answerTimes(data), Date.now(), 1)[0]?.answers ?? 0;
  const loads = useForecast(tools, learner, examAt, minutes, plan) ?? [];
  const [week, ...later] = weeksOf(plan.days);
  const [today, ...rest] = week?.days ?? [];
  const { exam } = tools.pack.blueprint;
  const loadOf = ({ day }: PlanDay) => loads[day];
  return (
    <>
      {isNear(plan.days.length) ? <NearNote mocks={plan.mocks} /> : null}
      {today === undefined ? null : (
        <div class="plan-today">
          <h3>{texts.today}</h3>
          <DayTasks day={today} load={loadOf(today)} exam={exam} hasAnswers={answersToday > 0} />
        </div>
      )}
      {rest.length === 0 ? null : (
        <>
          <h3>{texts.thisWeek}</h3>
          <ol class="plan-days">
            {rest.map((day) => (
              <DayLine key={day.day} day={day} load={loadOf(day)} exam={exam} />
            ))}
          </ol>
        </>
      )}
      {later.map((one, i) => (
        <WeekLine key={one.time} week={one} loads={loads} exam={exam} isOpen={i === 0 && rest.length < kFewDays} />
      ))}
      <p class="plan-exam">
        <b>{texts.exam}</b> {dayText(examAt)}
      </p>
      <Mocks mocks={plan.mocks} exam={exam} />
      {plan.leftOut.length === 0 ? null : (
        <Disclosure summary={texts.leftOutTitle}>
          {() => (
            <>
              <p class="note">
                {fill(texts.leftOut, {
                  count: plan.leftOut.length,
                  minutes: minutesOfLessons(plan.leftOut),
                  perDay: minutes,
                })}
              </p>
              <LessonLines lessons={plan.leftOut} />
            </>
          )}
        </Disclosure>
      )}
      <p class="note">{texts.note}</p>
    </>
  );
}

/** In the last days the result of a mock exam says what to read. */
function NearNote({ mocks }: { mocks: readonly Mock[] }) {
  const { plan: texts } = planTexts;
  const last = mocks.findLast(({ done }) => done !== undefined)?.done;
  if (last === undefined || mocks.some(({ done }) => done === undefined)) return <p>{texts.near}</p>;
  return (
    <p>
      {texts.nearDone} <a href={studyAddress("exam", last.id)}>{texts.nearResult}</a>
    </p>
  );
}

type ExamFacts = StudyTools["pack"]["blueprint"]["exam"];

interface DayProps {
  day: PlanDay;
  load: DayLoad | undefined;
  exam: ExamFacts;
}

/** Days that a mock exam or lessons fill have none. */
const hasQuestions = ({ mock, lessons }: PlanDay, load: DayLoad | undefined) =>
  mock === undefined && (load === undefined || load.seconds > 0 || lessons.length === 0);

/** What one day asks: each a way to it. */
function DayTasks({ day, load, exam, hasAnswers = false }: DayProps & { hasAnswers?: boolean }) {
  const { plan: texts } = planTexts;
  // The time for questions is used up.
  const isDone = hasAnswers && day.mock === undefined && load?.seconds === 0;
  return (
    <ul class="plan-tasks">
      {day.mock === undefined ? null : (
        <li>
          <MockLink mock={day.mock} exam={exam} />
        </li>
      )}
      {day.lessons.map((lesson) => (
        <LessonLine key={lesson.id} lesson={lesson} />
      ))}
      {hasQuestions(day, load) || isDone ? (
        <li>
          <a href={studyAddress("session")} onClick={leaveFinished}>
            {texts.questions}
          </a>{" "}
          {isDone ? <span class="note">✓ {texts.done}</span> : <CardsNote load={load} />}
        </li>
      ) : null}
    </ul>
  );
}

function CardsNote({ load }: { load: DayLoad | undefined }) {
  const { plan: texts } = planTexts;
  return (
    <span class="note">
      {load === undefined
        ? texts.cardsSoon
        : `${fill(texts.cards, { reviews: load.reviews, fresh: load.newCards })} · ${minutesText(minutesOfDay(load))}`}
    </span>
  );
}

function LessonLine({ lesson: { id, number, title, minutes } }: { lesson: LessonCard }) {
  const isRead = readLessons.value.has(id);
  return (
    <li>
      <span class="plan-kind">{fill(planTexts.plan.lesson, { number })}</span>{" "}
      <a href={studyAddress("lessons", id)} lang="en">
        {title}
      </a>{" "}
      <span class="note">{isRead ? `✓ ${planTexts.plan.done}` : minutesText(minutes)}</span>
    </li>
  );
}

const LessonLines = ({ lessons }: { lessons: readonly LessonCard[] }) => (
  <ul class="plan-tasks">
    {lessons.map((lesson) => (
      <LessonLine key={lesson.id} lesson={lesson} />
    ))}
  </ul>
);

function MockLink({ mock: { number, isLate }, exam }: { mock: Mock; exam: ExamFacts }) {
  const { plan: texts } = planTexts;
  return (
    <>
      <a href={studyAddress("exam")}>
        <b>{fill(texts.mock, { number })}</b>
      </a>{" "}
      <span class="note">
        {fill(texts.mockNote, { questions: exam.questions, minutes: exam.minutes })}
        {isLate ? ` · ${texts.mockLate}` : ""}
      </span>
    </>
  );
}

/** A day in one line. */
function DayLine({ day, load, exam }: DayProps) {
  return (
    <li>
      <span class="plan-date">{dayText(day.time)}</span>
      <DayTasks day={day} load={load} exam={exam} />
    </li>
  );
}

interface WeekProps {
  isOpen: boolean;
  week: PlanWeek;
  loads: readonly DayLoad[];
  exam: ExamFacts;
}

/** A week in one line; its days when it is opened. */
function WeekLine({ week: { time, days }, loads, exam, isOpen }: WeekProps) {
  const { plan: texts } = planTexts;
  const mocks = days.flatMap(({ mock, time: at }) => (mock === undefined ? [] : [{ ...mock, at }]));
  const lessons = days.flatMap((day) => day.lessons).length;
  const sum = [
    fill(lessons === 1 ? texts.weekSumOne : texts.weekSum, {
      lessons,
      questions: questionsOfDays(days, loads),
    }),
    ...mocks.map(({ number, at }) => `${fill(texts.mock, { number })} ${dayText(at)}`),
  ];
  return (
    <div class="plan-week">
      <Disclosure open={isOpen} summary={`${fill(texts.week, { day: dayText(time) })}: ${sum.join(" · ")}`}>
        {() => (
          <ol class="plan-days">
            {days.map((day) => (
              <DayLine key={day.day} day={day} load={loads[day.day]} exam={exam} />
            ))}
          </ol>
        )}
      </Disclosure>
    </div>
  );
}

function Mocks({ mocks, exam }: { mocks: readonly Mock[]; exam: ExamFacts }) {
  const { plan: texts } = planTexts;
  return (
    <>
      <h3>{texts.mocksTitle}</h3>
      <ul class="plan-tasks plan-mocks">
        {mocks.map((mock) => (
          <li key={mock.number}>
            {mock.done === undefined ? (
              <>
                <MockLink mock={mock} exam={exam} /> <span class="note">· {dayText(mock.time)}</span>
              </>
            ) : (
              <>
                ✓ <a href={studyAddress("exam", mock.done.id)}>{fill(texts.mock, { number: mock.number })}</a>{" "}
                <span class="note">
                  {fill(texts.mockDone, {
                    day: dayText(mock.done.at),
                    right: mock.done.right,
                    asked: mock.done.asked,
                  })}
                </span>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
