/** When cards come back: the published values of FSRS-6, its vectors as ts-fsrs and fsrs-rs test them, and the cap of the exam. */
import { describe, expect, it } from "vitest";
import {
  type CardState,
  dueByDay,
  fsrsScheduler,
  type Grade,
  kAgain,
  kDayMs,
  kEasy,
  kGood,
  kGrades,
  kHard,
  type Memory,
  suggestedGrade,
} from "../../../web/src/study/scheduler.ts";

const kStart = Date.UTC(2022, 11, 29, 12, 30);
const scheduler = fsrsScheduler();
const memory = (stability: number): Memory => ({ stability, difficulty: 5 });

describe("FSRS-6 curve", () => {
  it.each([
    [0, 1],
    [0.5, 0.9403],
    [1, 0.9],
    [2, 0.8459],
    [5, 0.7605],
    [10, 0.6928],
    [30, 0.5906],
  ])("recall after %d stabilities is %d", (times, recall) => {
    for (const stability of [0.3, 1, 12, 400]) {
      expect(scheduler.recallAfter(memory(stability), times * stability)).toBeCloseTo(recall, 4);
    }
  });

  it.each([
    [0.95, 0.403],
    [0.9, 1],
    [0.85, 1.906],
    [0.8, 3.316],
  ])("recall falls to %d after %d stabilities", (recall, times) => {
    expect(scheduler.daysUntil(memory(1), recall)).toBeCloseTo(times, 3);
    expect(scheduler.recallAfter(memory(7), scheduler.daysUntil(memory(7), recall))).toBeCloseTo(recall, 6);
  });
});

describe("published vectors", () => {
  it("gives the memory after six reviews that fsrs-rs and ts-fsrs test", () => {
    const grades: Grade[] = [kAgain, kGood, kGood, kGood, kGood, kGood];
    const days = [0, 0, 1, 3, 8, 21];
    const after = (shortSteps: boolean) => {
      const model = fsrsScheduler({ shortSteps });
      return grades.reduce<Memory | undefined>(
        (state, grade, i) => model.reviewed(state, days[i] ?? 0, grade),
        undefined,
      );
    };
    expect(after(true)?.stability).toBeCloseTo(53.62691, 4);
    expect(after(true)?.difficulty).toBeCloseTo(6.3574867, 4);
    expect(after(false)?.stability).toBeCloseTo(53.335106, 4);
    expect(after(false)?.difficulty).toBeCloseTo(6.3574867, 4);
  });

  it("gives the same through cards, dates and a log", () => {
    const grades: Grade[] = [kAgain, kGood, kGood, kGood, kGood, kGood];
    let time = kStart;
    const reviews = grades.map((grade, i) => {
      time += ([0, 0, 1, 3, 8, 21][i] ?? 0) * kDayMs;
      return { time, grade };
    });
    expect(scheduler.replay(reviews, kStart).memory?.stability).toBeCloseTo(53.62691, 4);
  });

  it("gives the first states of the four grades", () => {
    const first = kGrades.map((grade) => scheduler.reviewed(undefined, 0, grade));
    expect(first.map(({ stability }) => stability)).toEqual([0.212, 1.2931, 2.3065, 8.2956]);
    expect(first.map(({ difficulty }) => difficulty)).toEqual([6.4133, 5.11217071, 2.11810397, 1]);
  });

  it("gives the intervals of thirteen reviews on their days", () => {
    const grades: Grade[] = [3, 3, 3, 3, 3, 3, 1, 1, 3, 3, 3, 3, 3];
    let card = scheduler.newCard(kStart);
    let time = kStart;
    const intervals = grades.map((grade) => {
      card = scheduler.grade(card, grade, time);
      const days = Math.floor((card.due - time) / kDayMs);
      time = card.due;
      return days;
    });
    expect(intervals).toEqual([0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21]);
  });
});

describe("a card", () => {
  const reviewed = (grades: readonly Grade[], from: CardState = scheduler.newCard(kStart)) =>
    grades.reduce((card, grade) => scheduler.grade(card, grade, card.due), from);

  it("is plain data that comes back from JSON", () => {
    const card = reviewed([kGood, kGood, kAgain]);
    const back = JSON.parse(JSON.stringify(card)) as CardState;
    expect(scheduler.grade(back, kGood, card.due)).toEqual(scheduler.grade(card, kGood, card.due));
  });

  it("shows four dates before a grade is chosen, each the one that the grade gives", () => {
    const card = reviewed([kGood, kGood, kGood]);
    const shown = scheduler.preview(card, card.due);
    for (const grade of kGrades) expect(shown[grade]).toEqual(scheduler.grade(card, grade, card.due));
    const dues = kGrades.map((grade) => shown[grade].due);
    expect(dues).toEqual([...dues].sort((a, b) => a - b));
    expect(new Set(dues).size).toBe(4);
  });

  it("is recomputed from its log in any order, to the last bit", () => {
    let card = scheduler.newCard(kStart);
    const log: { time: number; grade: Grade }[] = [];
    for (const grade of [3, 1, 3, 4, 2, 3, 1, 3] as const) {
      log.push({ time: card.due, grade });
      card = scheduler.grade(card, grade, card.due);
    }
    expect(scheduler.replay([...log].reverse(), kStart)).toEqual(card);
  });

  it("is recalled less and less, and not at all before it was seen", () => {
    const card = reviewed([kGood, kGood]);
    const last = card.last ?? 0;
    expect(scheduler.recall(scheduler.newCard(kStart), kStart + kDayMs)).toBe(0);
    expect(scheduler.recall(card, last)).toBe(1);
    expect(scheduler.recall(card, last + 0.25 * kDayMs)).toBeGreaterThan(scheduler.recall(card, last + 0.5 * kDayMs));
    expect(scheduler.recall(card, last + (card.memory?.stability ?? 0) * kDayMs)).toBeCloseTo(0.9, 6);
    expect(scheduler.recall(card, last - kDayMs)).toBe(1);
  });

  it("survives a clock that was set back", () => {
    const card = reviewed([kGood, kGood]);
    expect(scheduler.grade(card, kGood, (card.last ?? 0) - 5 * kDayMs).last).toBe(card.last);
  });

  it("comes back sooner at a higher retention", () => {
    const due = (retention: number) => {
      const own = fsrsScheduler({ retention });
      const card = [kGood, kGood, kGood].reduce((now, grade) => own.grade(now, grade, now.due), own.newCard(kStart));
      return own.grade(card, kGood, card.due).due - card.due;
    };
    expect(due(0.95)).toBeLessThan(due(0.9));
    expect(due(0.9)).toBeLessThan(due(0.8));
  });
});

describe("the cap of the exam", () => {
  const examAt = kStart + 40 * kDayMs;
  const own = fsrsScheduler({ examAt });
  const known: CardState = {
    phase: "review",
    due: kStart,
    memory: { stability: 60, difficulty: 3 },
    last: kStart - 60 * kDayMs,
    step: 0,
    reviews: 5,
    lapses: 0,
  };

  it("puts no review after the day before the exam", () => {
    const free = scheduler.preview(known, kStart);
    const capped = own.preview(known, kStart);
    for (const grade of kGrades) {
      expect(capped[grade].due).toBe(Math.min(free[grade].due, examAt - kDayMs));
      expect(capped[grade].memory).toEqual(free[grade].memory);
    }
    expect(free[kGood].due).toBeGreaterThan(examAt);
  });

  it("leaves what comes earlier where it is, and ends with the exam", () => {
    expect(own.grade(own.newCard(kStart), kGood, kStart)).toEqual(
      scheduler.grade(scheduler.newCard(kStart), kGood, kStart),
    );
    expect(own.grade(known, kEasy, examAt - kDayMs / 2).due).toBe(examAt);
    expect(own.grade(known, kEasy, examAt + kDayMs)).toEqual(scheduler.grade(known, kEasy, examAt + kDayMs));
  });
});

describe("dueByDay", () => {
  it("counts what is overdue today and leaves out what is beyond", () => {
    const at = (days: number): CardState => ({ ...scheduler.newCard(kStart), due: kStart + days * kDayMs });
    expect(dueByDay([at(-4), at(0.2), at(1), at(2.9), at(3)], kStart, 3)).toEqual([2, 1, 1]);
  });
});

describe("suggestedGrade", () => {
  it.each([
    [{ right: false, seconds: 5, confidence: 0.99 }, kAgain],
    [{ right: true, seconds: 200, confidence: 0.99 }, kHard],
    [{ right: true, seconds: 30, confidence: 0.5 }, kHard],
    [{ right: true, seconds: 10, confidence: 0.9 }, kEasy],
    [{ right: true, seconds: 10 }, kGood],
    [{ right: true, seconds: 60, confidence: 0.9 }, kGood],
  ] as const)("of %j is %d", (answer, grade) => expect(suggestedGrade(answer, 72)).toBe(grade));
});
