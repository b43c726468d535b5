/** Everything that the plan of the home needs to know, from what is kept and the list of lessons. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { store as keepText, stored } from "../../../settings.ts";
import { kPlacementQuestions } from "../../ability.ts";
import type { StudyData } from "../../backup.ts";
import { type ExamForecast, examForecast, kForecastAnswers } from "../../exam_forecast.ts";
import { answeredCards, examKind, freshAnswers } from "../../exam_kind.ts";
import { type PastExam, pastExams } from "../../exam_marks.ts";
import { passCount } from "../../exam_result.ts";
import { examLearner } from "../../home_numbers.ts";
import { examAhead, habits, type Learner, minutesOf } from "../../learner.ts";
import type { LessonCard, LessonList } from "../../lesson.ts";
import { type Milestone, milestonesOf } from "../../milestones.ts";
import { studyFile } from "../../pack.ts";
import { calendarDays } from "../../spans.ts";
import {
  kMocks,
  lessonsInOrder,
  lessonsOfExam,
  minutesOfLessons,
  type Pace,
  type PlanWish,
  paceOf,
  questionMinutes,
  type StudyPlan,
  studyPlan,
} from "../../study_plan.ts";
import { readLessons } from "../read_marks.ts";
import { keepPlanMinutes, planKey } from "../session/plan_minutes.ts";
import { examsOf, type StudyTools } from "../study_data.ts";

/** Undefined until it is there, and where it does not come: a plan goes without lessons then. */
export function useLessons(): LessonList | undefined {
  const [list, setList] = useState<LessonList>();
  useEffect(() => {
    studyFile<LessonList>("lessons.json").then(setList, () => undefined);
  }, []);
  return list;
}

interface Foretold {
  now?: ExamForecast;
  fresh: ReturnType<typeof freshAnswers>;
}

/** Once for each state of what is kept: several views show it. */
const foretold = new WeakMap<StudyData, Foretold>();

/** The forecast from what is kept now, and the answers of which it is made. */
export function examForecastNow({ pack, store }: StudyTools): Foretold {
  const data = store.data();
  const before = foretold.get(data);
  if (before !== undefined) return before;
  const kind = examKind(pack);
  const fresh = freshAnswers(kind, data);
  const now = examForecast(pack.blueprint, kind, fresh);
  const told = { ...(now === undefined ? {} : { now }), fresh };
  foretold.set(data, told);
  return told;
}

/** Whole exams in the form of the exam that were handed in: others are not mock exams. */
export function wholeExams(tools: StudyTools): PastExam[] {
  const { questions } = tools.pack.blueprint.exam;
  const past = pastExams(examsOf(tools), (id) => tools.store.answersOf(id));
  return past.filter(({ asked, form }) => form === "exam" && asked >= questions);
}

const kToday = "study plan today";

/** The plan with the lessons of today as they stood when today was first looked at, so that what was read since can be ticked off. */
function planKeepingToday(wish: PlanWish, key: string, lessons: readonly LessonCard[]): StudyPlan {
  const plan = planOfToday(wish, key, lessons);
  keepPlanMinutes(key, questionMinutes(plan, wish.minutesPerDay)[0] ?? 0);
  return plan;
}

function planOfToday(wish: PlanWish, key: string, lessons: readonly LessonCard[]): StudyPlan {
  const [before, ...ids] = (stored(kToday) ?? "").split(" ");
  if (before === key) {
    return studyPlan({ ...wish, today: ids.flatMap((id) => lessons.find((one) => one.id === id) ?? []) });
  }
  const plan = studyPlan(wish);
  keepText(kToday, [key, ...(plan.days[0]?.lessons ?? []).map(({ id }) => id)].join(" "));
  return plan;
}

export interface Progress {
  seen: number;
  all: number;
  examAt?: number;
  daysLeft?: number;
  plan?: StudyPlan;
  /** The plan of another date and other minutes, from today; undefined until the lessons are there. */
  planOf?: (examAt: number, minutesPerDay: number) => StudyPlan;
  pace?: Pace;
  forecast?: ExamForecast;
  milestones: Milestone[];
}

/** When the plan towards the exam's date began. */
const beganAt = ({ settings, reviews }: StudyData, now: number) =>
  settings.planFrom ?? Math.min(now, reviews[0]?.time ?? now);

export function useProgress(tools: StudyTools, learner: Learner, list: LessonList | undefined, now: number): Progress {
  const { pack, store } = tools;
  const { blueprint } = pack;
  const data = store.data();
  const { now: forecast, fresh } = examForecastNow(tools);
  const read = readLessons.value;
  return useMemo(() => {
    const { settings, reviews } = data;
    const asked = examLearner(learner, examKind(pack)).planned;
    const answered = answeredCards(data);
    const seen = asked.filter(({ id }) => answered.has(id)).length;
    const past = wholeExams(tools);
    const lessons = lessonsOfExam(list?.lessons ?? [], blueprint);
    const unread = lessonsInOrder(lessons, blueprint).filter(({ id }) => !read.has(id));
    const examAt = examAhead(settings, now);
    const minutesPerDay = minutesOf(settings);
    const wish = { now, from: beganAt(data, now), minutesPerDay, unread, past };
    const planOf = (date: number, minutes: number) =>
      studyPlan({ ...wish, from: now, examAt: date, minutesPerDay: minutes });
    const key = planKey(tools, now);
    const plan =
      examAt === undefined || list === undefined ? undefined : planKeepingToday({ ...wish, examAt }, key, lessons);
    const daysLeft = examAt === undefined ? undefined : calendarDays(now, examAt);
    const mocks = plan?.mocks ?? [];
    const objectivesSeen = new Set(learner.cards.filter(({ id }) => answered.has(id)).map(({ objective }) => objective))
      .size;
    return {
      seen,
      all: asked.length,
      ...(examAt === undefined ? {} : { examAt, daysLeft }),
      ...(plan === undefined ? {} : { plan }),
      ...(list === undefined ? {} : { planOf }),
      ...(forecast === undefined ? {} : { forecast }),
      ...(plan === undefined || daysLeft === undefined
        ? {}
        : {
            pace: paceOf(
              {
                lessonMinutes: minutesOfLessons(unread),
                unseen: asked.length - seen,
                seen,
                mocks: mocks.filter(({ done }) => done === undefined).length,
                examMinutes: blueprint.exam.minutes,
                ...habits(reviews),
              },
              daysLeft,
              minutesPerDay,
            ),
          }),
      milestones: milestonesOf(
        {
          hasDate: settings.examAt !== undefined,
          answers: learner.cards.filter(({ id }) => answered.has(id)).length,
          examAnswers: fresh.concepts.length,
          objectivesSeen,
          objectives: blueprint.objectives.length,
          lessonsRead: lessons.length - unread.length,
          lessons: lessons.length,
          mocksTaken: mocks.length > 0 ? mocks.filter(({ done }) => done !== undefined).length : past.length,
          mocks: mocks.length > 0 ? mocks.length : kMocks,
          bestExam: Math.max(0, ...past.map(({ right }) => right)),
          needed: passCount(blueprint),
          chance: forecast?.chance,
        },
        kPlacementQuestions,
        kForecastAnswers,
      ),
    };
  }, [tools, pack, blueprint, data, learner, list, now, read, forecast, fresh]);
}
