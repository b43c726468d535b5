/**
 * What to do on each day until the exam: lessons that are still to read, in the order of the course, and three mock exams. Questions
 * come from `exam_plan.ts`. Plain data; nothing is kept but the day on which the plan began, so that mock exams keep their dates.
 */
import { type Blueprint, domainOf } from "./blueprint.ts";
import type { PastExam } from "./exam_marks.ts";
import type { LessonCard } from "./lesson.ts";
import { calendarDays, daysUntilExam, timeOfDay } from "./spans.ts";

/** Of a plan of a week or more. */
export const kMocks = 3;

/** Up to so many days there is time for a mock exam and what it shows to be missing, and for little else. */
const kNearDays = 3;
export const isNear = (days: number) => days <= kNearDays;

/** Days after the start on which mock exams are taken, of a plan of so many days: about halfway, at four fifths, and two days before the end. */
export function mockDays(days: number): number[] {
  if (isNear(days)) return [0];
  const last = days - 2;
  if (days < 7) return [Math.max(0, last - 2), last];
  const second = Math.min(Math.floor(0.8 * days), last - 1);
  return [Math.min(Math.floor(days / 2), second - 1), second, last];
}

export interface Mock {
  /** From 1. */
  number: number;
  time: number;
  /** Days from today; an exam that was not taken on its day comes today, or on the next free day. */
  day: number;
  isLate: boolean;
  done?: PastExam;
}

/** Mock exams with what has been taken since the plan began, in their order. */
export function mocksOf(from: number, examAt: number, past: readonly PastExam[], now: number): Mock[] {
  const taken = past.filter(({ at }) => calendarDays(from, at) >= 0);
  const age = calendarDays(from, now);
  let free = 0;
  return mockDays(calendarDays(from, examAt)).map((offset, i) => {
    const done = taken[i];
    if (done !== undefined)
      return { number: i + 1, time: done.at, day: calendarDays(now, done.at), isLate: false, done };
    const day = Math.max(offset - age, free);
    free = day + 1;
    return { number: i + 1, time: timeOfDay(now, day), day, isLate: offset < age };
  });
}

/** Lessons that an exam needs: those with an objective of its blueprint. */
export function lessonsOfExam(lessons: readonly LessonCard[], { objectives }: Blueprint): LessonCard[] {
  const own = new Set(objectives.map(({ id }) => id));
  return lessons.filter((one) => one.objectives.some((id) => own.has(id)));
}

/** The first of its objectives that the exam has: a lesson may be made for two exams. */
const domainIn = ({ objectives }: LessonCard, blueprint: Blueprint) =>
  objectives.map(domainOf).find((domain) => blueprint.domains.some(({ id }) => id === domain));

/** Lessons about the whole exam have objectives of all its domains. */
function isWhole({ objectives }: LessonCard, { domains }: Blueprint): boolean {
  const met = new Set(objectives.map(domainOf));
  return domains.every(({ id }) => met.has(id));
}

/** The lesson on the arithmetic and the traps of the exam: what one reads last. */
const kLastLesson = "exam-arithmetic";

/** Shortly before the exam that lesson comes first, and the map of the course, which helps to begin, last. */
export function lessonsShortBefore(inOrder: readonly LessonCard[]): LessonCard[] {
  const rank = ({ id, number }: LessonCard) => (id === kLastLesson ? 0 : number === 0 ? 2 : 1);
  return [...inOrder].sort((a, b) => rank(a) - rank(b));
}

/**
 * Lessons so that stopping anywhere leaves a fair share: the map of the course first, then domains in turns by weight and minutes read, each in the
 * order of the course; other lessons about the whole exam last. A plan takes as many of them as fit, and has those read in the order of the course.
 */
export function lessonsInOrder(lessons: readonly LessonCard[], blueprint: Blueprint): LessonCard[] {
  const whole = lessons.filter((one) => isWhole(one, blueprint));
  const waiting = blueprint.domains.map(({ id, weight }) => ({
    weight,
    minutes: 0,
    own: lessons.filter((one) => !isWhole(one, blueprint) && domainIn(one, blueprint) === id),
  }));
  const order = whole.filter(({ number }) => number === 0);
  for (;;) {
    const open = waiting.filter(({ own }) => own.length > 0);
    const due = (one: (typeof open)[number]) => (one.minutes + (one.own[0]?.minutes ?? 0)) / one.weight;
    const next = [...open].sort((a, b) => due(a) - due(b))[0];
    const lesson = next?.own.shift();
    if (next === undefined || lesson === undefined) break;
    next.minutes += lesson.minutes;
    order.push(lesson);
  }
  return [...order, ...whole.filter(({ number }) => number !== 0)];
}

export const minutesOfLessons = (lessons: readonly LessonCard[]) =>
  lessons.reduce((sum, { minutes }) => sum + minutes, 0);

/** Lessons take this share of the days but for those of a mock exam, the rest is for repeating, and at most this share of their time. */
const kLessonDays = 0.75;
const kLessonTime = 0.6;

export interface PlanDay {
  /** 0 is today. */
  day: number;
  time: number;
  lessons: LessonCard[];
  mock?: Mock;
}

export interface StudyPlan {
  days: PlanDay[];
  mocks: Mock[];
  /** Lessons that do not fit into the time, the most useful first. */
  leftOut: LessonCard[];
}

export interface PlanWish {
  now: number;
  /** When the plan began. */
  from: number;
  examAt: number;
  minutesPerDay: number;
  /** Still to read, the most useful first. */
  unread: readonly LessonCard[];
  /** Of a day that has begun: its lessons as they stood then. Those read since stay in its list, and no others come after them. */
  today?: readonly LessonCard[];
  past: readonly PastExam[];
}

/** As many lessons as fit, at least one. */
function fitting(lessons: readonly LessonCard[], minutes: number): LessonCard[] {
  let sum = 0;
  const end = lessons.findIndex((one, i) => {
    sum += one.minutes;
    return i > 0 && sum > minutes;
  });
  return end === -1 ? [...lessons] : lessons.slice(0, end);
}

/**
 * Lessons on the days in which they are read, evenly; no day gets more than its minutes, but for a lesson that is longer than a day. What finds no
 * day comes back.
 */
function spread(lessons: readonly LessonCard[], days: readonly PlanDay[], minutesPerDay: number): LessonCard[] {
  const total = minutesOfLessons(lessons);
  const roomOn = ({ lessons: own, mock }: PlanDay) => (mock === undefined ? minutesPerDay - minutesOfLessons(own) : 0);
  const left: LessonCard[] = [];
  let before = 0;
  let at = 0;
  for (const lesson of lessons) {
    at = Math.max(at, Math.min(days.length - 1, Math.floor((before / total) * days.length)));
    const fits = (day: PlanDay) => day.lessons.length === 0 || lesson.minutes <= roomOn(day);
    while (at < days.length && !fits(days[at] as PlanDay)) at += 1;
    const day = days[at];
    if (day === undefined) left.push(lesson);
    else day.lessons.push(lesson);
    before += lesson.minutes;
  }
  return left;
}

export function studyPlan({ now, from, examAt, minutesPerDay, unread, today, past }: PlanWish): StudyPlan {
  const count = daysUntilExam(now, examAt);
  const mocks = mocksOf(from, examAt, past, now);
  const days = Array.from({ length: count }, (_, day): PlanDay => {
    const mock = mocks.find((one) => one.done === undefined && one.day === day);
    return {
      day,
      time: timeOfDay(now, day),
      lessons: day === 0 ? [...(today ?? [])] : [],
      ...(mock === undefined ? {} : { mock }),
    };
  });
  const near = isNear(count);
  const early = days.slice(0, Math.max(1, Math.ceil(kLessonDays * count)));
  const free = early.filter(({ mock }) => mock === undefined);
  const reading = (near ? days : free.length === 0 ? early : free).filter(({ day }) => today === undefined || day > 0);
  const open = unread.filter((one) => today?.includes(one) !== true);
  const useful = near ? lessonsShortBefore(open) : open;
  const chosen = fitting(useful, kLessonTime * minutesPerDay * reading.length);
  const inCourse = near ? chosen : [...chosen].sort((a, b) => a.number - b.number);
  const left = new Set([...spread(inCourse, reading, minutesPerDay), ...useful.slice(chosen.length)]);
  return { days, mocks, leftOut: useful.filter((one) => left.has(one)) };
}

export interface PlanWeek {
  /** The day of its first day in the plan. */
  time: number;
  days: PlanDay[];
}

const isMonday = (time: number) => new Date(time).getDay() === 1;

/** Days by weeks that begin on Mondays; the first one begins today. */
export function weeksOf(days: readonly PlanDay[]): PlanWeek[] {
  const weeks: PlanWeek[] = [];
  for (const day of days) {
    const now = weeks.at(-1);
    if (now === undefined || isMonday(day.time)) weeks.push({ time: day.time, days: [day] });
    else now.days.push(day);
  }
  return weeks;
}

/** Minutes of each day that are left for questions beside its lessons. A mock exam has questions enough. */
export const questionMinutes = ({ days }: StudyPlan, minutesPerDay: number): number[] =>
  days.map(({ lessons, mock }) => (mock === undefined ? Math.max(0, minutesPerDay - minutesOfLessons(lessons)) : 0));

/** Questions of some days, as their loads say. */
export const questionsOfDays = (
  days: readonly PlanDay[],
  loads: readonly { reviews: number; newCards: number }[],
): number => days.reduce((sum, { day }) => sum + (loads[day]?.reviews ?? 0) + (loads[day]?.newCards ?? 0), 0);

/** What is to be done next of a day: its mock exam, the first lesson that is not read yet, or questions. */
export const nextPart = ({ mock, lessons }: PlanDay, read: ReadonlySet<string>): Mock | LessonCard | undefined =>
  mock ?? lessons.find(({ id }) => !read.has(id));

export interface Pace {
  /** Minutes of everything that is still to do, and per day. */
  needed: number;
  perDay: number;
  standing: "good" | "tight" | "short";
  /** Share that fits into the time. */
  share: number;
}

/** Up to this much more than fits, a little more each day mends it. */
const kTight = 1.3;

export interface WorkLeft {
  lessonMinutes: number;
  unseen: number;
  seen: number;
  mocks: number;
  examMinutes: number;
  newSeconds: number;
  reviewSeconds: number;
}

/** Minutes of what is left: lessons, mock exams, every question of the exam's kind once and one repetition of each. */
export const minutesLeftOf = (work: WorkLeft) =>
  work.lessonMinutes +
  work.mocks * work.examMinutes +
  (work.unseen * (work.newSeconds + work.reviewSeconds) + work.seen * work.reviewSeconds) / 60;

/** The days of mock exams are taken by these, as in the plan. */
export function paceOf(work: WorkLeft, days: number, minutesPerDay: number): Pace {
  const needed = minutesLeftOf({ ...work, mocks: 0 });
  const count = Math.max(1, days - work.mocks);
  const share = Math.min(1, (count * minutesPerDay) / Math.max(1, needed));
  const standing = share >= 1 ? "good" : share * kTight >= 1 ? "tight" : "short";
  return { needed, perDay: Math.ceil(needed / count), standing, share };
}

/** Below it, results speak against passing whatever the time suffices for. */
const kEvenChance = 0.5;
export const isBehind = (forecast: { chance: number } | undefined) =>
  forecast !== undefined && forecast.chance < kEvenChance;

/** Shown in whole minutes. */
export const minutesOfQuestions = (count: number, seconds: number) => Math.ceil((count * seconds) / 60);

/** Shown in whole hours, at least one. */
export const wholeHours = (minutes: number) => Math.max(1, Math.round(minutes / 60));
