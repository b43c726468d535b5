/** The plan until the exam: days of mock exams, lessons by weight, pace, milestones, and days studied. */
import { describe, expect, it } from "vitest";
import { domainOf } from "../../../web/src/study/blueprint.ts";
import type { PastExam } from "../../../web/src/study/exam_marks.ts";
import type { LessonCard } from "../../../web/src/study/lesson.ts";
import { milestonesOf } from "../../../web/src/study/milestones.ts";
import { kDayMs } from "../../../web/src/study/scheduler.ts";
import { answerTimes, daysStudied, lastDays, streakOf } from "../../../web/src/study/study_days.ts";
import {
  isBehind,
  lessonsInOrder,
  lessonsOfExam,
  minutesOfLessons,
  mockDays,
  mocksOf,
  nextPart,
  paceOf,
  questionMinutes,
  studyPlan,
  weeksOf,
} from "../../../web/src/study/study_plan.ts";
import { kBlueprint } from "./blueprint_data.ts";
import { examAnswer, kNoon, review } from "./samples.ts";

const lesson = (number: number, objective: string, minutes = 7): LessonCard => ({
  id: `l${number}`,
  number,
  title: `Lesson ${number}`,
  objectives: [objective],
  minutes,
});
const kWhole = { ...lesson(0, "1.1", 5), objectives: ["1.1", "2.1", "3.1"] };
const kLessons = [
  kWhole,
  ...Array.from({ length: 12 }, (_, i) => lesson(i + 1, "1.2")),
  ...Array.from({ length: 12 }, (_, i) => lesson(i + 13, "2.7")),
  ...Array.from({ length: 6 }, (_, i) => lesson(i + 25, "3.1")),
];

describe("mock exams", () => {
  it("come about halfway, at four fifths and two days before the end; fewer of them in a short plan", () => {
    expect(mockDays(30)).toEqual([15, 24, 28]);
    expect(mockDays(7)).toEqual([3, 4, 5]);
    expect(mockDays(4)).toEqual([0, 2]);
    expect(mockDays(3)).toEqual([0]);
    expect(mockDays(1)).toEqual([0]);
    for (let days = 1; days < 200; days += 1) {
      const all = mockDays(days);
      expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
      expect(all.at(-1)).toBeLessThan(days);
      expect(all[0]).toBeGreaterThanOrEqual(0);
      if (days >= 7) expect(all).toHaveLength(3);
    }
  });

  it("keep their days, are ticked off in order, and come late where they were missed", () => {
    const examAt = kNoon + 30 * kDayMs;
    const taken: PastExam = {
      id: "e",
      seed: 1,
      form: "exam",
      byDomain: new Map(),
      at: kNoon + 16 * kDayMs,
      right: 36,
      asked: 50,
      share: 0.72,
      low: 0.6,
      high: 0.8,
    };
    const before: PastExam = { ...taken, id: "old", at: kNoon - kDayMs };
    const at = (day: number, past: PastExam[]) => mocksOf(kNoon, examAt, past, kNoon + day * kDayMs);
    expect(at(0, [before]).map(({ day, done }) => [day, done])).toEqual([
      [15, undefined],
      [24, undefined],
      [28, undefined],
    ]);
    expect(at(20, [before, taken])[0]).toMatchObject({ number: 1, done: taken, isLate: false });
    expect(at(20, [before, taken])[1]?.day).toBe(4);
    const late = at(26, []);
    expect(late.map(({ day, isLate }) => [day, isLate])).toEqual([
      [0, true],
      [1, true],
      [2, false],
    ]);
  });
});

describe("lessons", () => {
  it("come by the weights of the domains, each in the order of the course", () => {
    const order = lessonsInOrder(
      [...kLessons].reverse().sort((a, b) => a.number - b.number),
      kBlueprint,
    );
    expect(order).toHaveLength(kLessons.length);
    expect(order[0]).toBe(kWhole);
    for (const { id, weight } of kBlueprint.domains) {
      const own = order.slice(1, 16).filter(({ objectives }) => domainOf(objectives[0] ?? "") === id);
      expect(Math.abs(own.length - 15 * weight)).toBeLessThanOrEqual(1);
      const numbers = own.map(({ number }) => number);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
  });

  it("of other exams are none of this one", () => {
    const other = lesson(40, "N2.1");
    const both = { ...lesson(41, "N2.1"), objectives: ["N2.1", "2.7"] };
    const own = lessonsOfExam([...kLessons, other, both], kBlueprint);
    expect(own).toEqual([...kLessons, both]);
    expect(new Set(lessonsInOrder(own, kBlueprint))).toEqual(new Set(own));
  });

  const wish = { now: kNoon, from: kNoon, minutesPerDay: 30, past: [] };

  it("are spread over the first three quarters of the days", () => {
    const { days, leftOut } = studyPlan({ ...wish, examAt: kNoon + 30 * kDayMs, unread: kLessons });
    expect(days).toHaveLength(30);
    expect(leftOut).toEqual([]);
    expect(days.flatMap(({ lessons }) => lessons)).toEqual(kLessons);
    expect(days.slice(23).flatMap(({ lessons }) => lessons)).toEqual([]);
    for (const { lessons } of days.slice(0, 22)) expect(minutesOfLessons(lessons)).toBeLessThanOrEqual(20);
    expect(days.filter(({ mock }) => mock !== undefined).map(({ day }) => day)).toEqual([15, 24, 28]);
    expect(days[15]?.lessons).toEqual([]);
    const taken = studyPlan({ ...wish, examAt: kNoon + 30 * kDayMs, unread: lessonsInOrder(kLessons, kBlueprint) });
    expect(taken.days.flatMap(({ lessons }) => lessons)).toEqual(kLessons);
  });

  it("and questions never take more than the minutes of a day", () => {
    for (const minutesPerDay of [10, 20, 35]) {
      for (const count of [2, 5, 21, 60]) {
        const plan = studyPlan({ ...wish, minutesPerDay, examAt: kNoon + count * kDayMs, unread: kLessons });
        const questions = questionMinutes(plan, minutesPerDay);
        for (const { day, lessons, mock } of plan.days) {
          const own = minutesOfLessons(lessons);
          if (mock === undefined) expect(own + (questions[day] ?? 0)).toBe(minutesPerDay);
          else expect(questions[day]).toBe(0);
        }
        const all = [...plan.days.flatMap(({ lessons }) => lessons), ...plan.leftOut];
        expect(new Set(all)).toEqual(new Set(kLessons));
        expect(all).toHaveLength(kLessons.length);
      }
    }
  });

  it("of the last days begin with the arithmetic of the exam and a mock exam, not with the map of the course", () => {
    const last = { ...lesson(34, "2.1", 9), id: "exam-arithmetic" };
    for (const count of [1, 2, 3]) {
      const unread = lessonsInOrder([...kLessons, last], kBlueprint);
      const { days, leftOut } = studyPlan({ ...wish, examAt: kNoon + count * kDayMs, unread });
      expect(days[0]?.lessons).toEqual([last]);
      expect(days[0]?.mock).toMatchObject({ number: 1, isLate: false });
      expect(leftOut.at(-1)).toBe(kWhole);
    }
  });

  it("of a plan of one to three days are those that fit; others are named", () => {
    for (const count of [0, 1, 2, 3]) {
      const plan = studyPlan({ ...wish, examAt: kNoon + count * kDayMs + 1000, unread: kLessons });
      expect(plan.days).toHaveLength(Math.max(1, count));
      expect(plan.mocks).toHaveLength(1);
      const planned = plan.days.flatMap(({ lessons }) => lessons);
      expect(planned.length).toBeGreaterThan(0);
      expect(minutesOfLessons(planned)).toBeLessThanOrEqual(0.6 * 30 * Math.max(1, count));
      expect(new Set([...planned, ...plan.leftOut])).toEqual(new Set(kLessons));
    }
  });

  it("of today stay in the list when they are read", () => {
    const examAt = kNoon + 10 * kDayMs;
    const first = studyPlan({ ...wish, examAt, unread: kLessons });
    const today = first.days[0]?.lessons ?? [];
    const read = new Set(today.map(({ id }) => id));
    const shown = studyPlan({ ...wish, examAt, today, unread: kLessons.filter(({ id }) => !read.has(id)) });
    expect(shown.days[0]?.lessons).toEqual(today);
    expect(
      shown.days
        .slice(1)
        .flatMap(({ lessons }) => lessons)
        .some(({ id }) => read.has(id)),
    ).toBe(false);
    // What is not of today comes on the days after it, and nothing is lost.
    const others = [...shown.days.slice(1).flatMap(({ lessons }) => lessons), ...shown.leftOut];
    expect(new Set(others)).toEqual(new Set(kLessons.filter(({ id }) => !read.has(id))));
    expect(shown.days[1]?.lessons.length).toBeGreaterThan(0);
  });

  it("leave time for questions, and all of it where none is to be read", () => {
    const long = studyPlan({ ...wish, examAt: kNoon + 21 * kDayMs, unread: kLessons });
    const sum = questionMinutes(long, 30).reduce((all, one) => all + one, 0);
    expect(sum).toBeGreaterThanOrEqual(0.4 * 30 * 18);
    const none = studyPlan({ ...wish, examAt: kNoon + 2 * kDayMs, unread: [] });
    expect(questionMinutes(none, 30)).toEqual([0, 30]);
  });
});

describe("weeks", () => {
  it("begin on Mondays, the first one today", () => {
    const { days } = studyPlan({
      now: kNoon,
      from: kNoon,
      examAt: kNoon + 16 * kDayMs,
      minutesPerDay: 20,
      unread: [],
      past: [],
    });
    const weeks = weeksOf(days);
    // Day 0 is Sunday, 22 November 2026.
    expect(weeks.map((week) => week.days.length)).toEqual([1, 7, 7, 1]);
    expect(weeks.flatMap((week) => week.days)).toEqual(days);
  });
});

describe("the pace", () => {
  const work = {
    lessonMinutes: 100,
    unseen: 100,
    seen: 60,
    mocks: 2,
    examMinutes: 60,
    newSeconds: 60,
    reviewSeconds: 30,
  };

  it("compares all that is left with the time", () => {
    // 100 + 150 + 30 minutes, on the days without a mock exam.
    expect(paceOf(work, 12, 28)).toEqual({ needed: 280, perDay: 28, standing: "good", share: 1 });
    expect(paceOf(work, 12, 24).standing).toBe("tight");
    expect(paceOf(work, 12, 14)).toMatchObject({ standing: "short", share: 0.5, perDay: 28 });
    expect(paceOf(work, 0, 20).perDay).toBe(280);
  });
});

describe("results", () => {
  it("speak against passing below an even chance, and say nothing before there is a forecast", () => {
    expect([undefined, { chance: 0.004 }, { chance: 0.5 }].map(isBehind)).toEqual([false, true, false]);
  });
});

describe("the next part of a day", () => {
  const [first, second] = kLessons as [LessonCard, LessonCard];
  const day = { day: 0, time: kNoon, lessons: [first, second] };

  it("is its mock exam, then the lesson that is to be read, then questions", () => {
    const mock = { number: 1, time: kNoon, day: 0, isLate: false };
    expect(nextPart({ ...day, mock }, new Set())).toBe(mock);
    expect(nextPart(day, new Set([first.id]))).toBe(second);
    expect(nextPart(day, new Set([first.id, second.id]))).toBeUndefined();
  });
});

describe("milestones", () => {
  it("are reached by numbers", () => {
    const all = milestonesOf(
      {
        hasDate: true,
        answers: 12,
        examAnswers: 39,
        objectivesSeen: 22,
        objectives: 22,
        lessonsRead: 0,
        lessons: 0,
        mocksTaken: 1,
        mocks: 3,
        bestExam: 36,
        needed: 35,
        chance: 0.5,
      },
      10,
      40,
    );
    expect(all.filter(({ isDone }) => isDone).map(({ id }) => id)).toEqual(["date", "placement", "objectives", "mark"]);
    expect(all.find(({ id }) => id === "forecast")).toMatchObject({ have: 39, need: 40 });
  });
});

describe("days studied", () => {
  const times = [0, 0, 1, 2, 4].map((age) => kNoon - age * kDayMs);

  it("make a streak, which stands until the day is over", () => {
    expect(streakOf(times, kNoon)).toBe(3);
    expect(streakOf(times.slice(2), kNoon)).toBe(2);
    expect(streakOf([kNoon - 2 * kDayMs], kNoon)).toBe(0);
    expect(daysStudied(times, kNoon)).toBe(4);
  });

  it("are counted by the calendar, the oldest first", () => {
    const days = lastDays(times, kNoon, 14);
    expect(days.map(({ answers }) => answers)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 2]);
    expect(days.at(-1)).toMatchObject({ level: 1, time: kNoon });
  });

  it("know answers in exams, once", () => {
    const reviews = [review("a", { time: 1 }), review("b", { time: 2, exam: "e" })];
    const answers = [examAnswer("e", 0, { time: 2 }), examAnswer("e", 1, { time: 3, answer: null })];
    expect(answerTimes({ reviews, answers })).toEqual([1, 2]);
  });
});
