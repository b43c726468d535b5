/** The forecast and the replay of a log cost less than one by one, and give the same to the last bit. */
import { FSRS } from "ts-fsrs";
import { describe, expect, it } from "vitest";
import { forecast, type PlannedCard, type PlanSettings, reviewsForExam } from "../../../web/src/study/exam_plan.ts";
import { learnerOf } from "../../../web/src/study/learner.ts";
import type { Review } from "../../../web/src/study/log.ts";
import type { QuestionPack } from "../../../web/src/study/pack.ts";
import { fsrsScheduler, type Grade, kDayMs, kGrades, type MemoryModel } from "../../../web/src/study/scheduler.ts";
import { finished, inSlices, type Work } from "../../../web/src/study/slices.ts";
import { kBlueprint } from "./blueprint_data.ts";
import { kNoon, review } from "./samples.ts";

/** Numbers from 0 to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state / 2 ** 32;
  };
}

/** Memory as ts-fsrs gives it, asked each time. */
function plainModel(): MemoryModel {
  const fsrs = new FSRS({ request_retention: 0.9, enable_fuzz: false, enable_short_term: true });
  return {
    recallAfter: ({ stability }, days) => fsrs.forgetting_curve(days, stability),
    reviewed: (memory, days, grade) => fsrs.next_state(memory ?? null, Math.floor(days), grade),
    daysUntil: ({ stability }, recall) => stability * fsrs.calculate_interval_modifier(recall),
  };
}

const kObjectives = 30;
const objectiveOf = (i: number) => `${1 + (i % 3)}.${i % kObjectives}`;
const weights = new Map(Array.from({ length: kObjectives }, (_, i) => [objectiveOf(i), 1 / kObjectives]));

/** Six hundred cards, the first of them never seen. */
function manyCards(unseen: number): PlannedCard[] {
  const next = numbers(12345);
  return Array.from({ length: 600 }, (_, i) => ({
    id: `c${i}`,
    objective: objectiveOf(i),
    ...(i < unseen
      ? {}
      : {
          memory: { stability: 1 + 40 * next() * next(), difficulty: 1 + 9 * next() },
          last: -Math.floor(next() * 20 * kDayMs),
        }),
  }));
}

const settings: PlanSettings = {
  now: 0,
  examAt: 60 * kDayMs,
  seconds: 1200,
  reviewSeconds: 40,
  newSeconds: 75,
  newRecall: 0.5,
};

describe("a forecast of sixty days over six hundred cards", () => {
  it("gives the days that it gave when every card was worked out for itself", () => {
    const days = forecast(fsrsScheduler(), manyCards(300), weights, settings);
    const [first, second, third, later, late, last] = [0, 1, 2, 20, 40, 59].map((day) => days[day]);
    expect(first).toEqual({ day: 0, reviews: 18, newCards: 6, seconds: 1170, recallAtExam: 0.3577807773166667 });
    expect(second).toEqual({ day: 1, reviews: 11, newCards: 10, seconds: 1190, recallAtExam: 0.36940776399999997 });
    expect(third).toEqual({ day: 2, reviews: 11, newCards: 10, seconds: 1190, recallAtExam: 0.38081874655000003 });
    expect(later).toEqual({ day: 20, reviews: 11, newCards: 10, seconds: 1190, recallAtExam: 0.5941827253333336 });
    expect(late).toEqual({ day: 40, reviews: 30, newCards: 0, seconds: 1200, recallAtExam: 0.831113629866667 });
    expect(last).toEqual({ day: 59, reviews: 30, newCards: 0, seconds: 1200, recallAtExam: 0.9635962282166667 });
  });

  it.each([0, 600])("is the same with memories as the package computes them, %i cards unseen", (unseen) => {
    const cards = manyCards(unseen);
    const sooner = { ...settings, examAt: 10 * kDayMs };
    expect(forecast(fsrsScheduler(), cards, weights, sooner)).toEqual(forecast(plainModel(), cards, weights, sooner));
  });

  it("gives cards with one memory what each of them is worth alone", () => {
    const memory = { stability: 7, difficulty: 5 };
    const cards: PlannedCard[] = [
      ...[0, 3, 5].map((i) => ({ id: `s${i}`, objective: objectiveOf(i), memory, last: -3 * kDayMs })),
      { id: "older", objective: objectiveOf(1), memory, last: -9 * kDayMs },
      ...[2, 4].map((i) => ({ id: `n${i}`, objective: objectiveOf(i) })),
    ];
    // The same cards, each with a memory of its own.
    const apart = cards.map((card) => structuredClone(card));
    expect(reviewsForExam(fsrsScheduler(), cards, weights, settings)).toEqual(
      reviewsForExam(fsrsScheduler(), apart, weights, settings),
    );
  });
});

describe("recall and a review's outcome", () => {
  it("are those of the package, bit for bit", () => {
    const [own, plain] = [fsrsScheduler(), plainModel()];
    const next = numbers(7);
    for (let i = 0; i < 2000; i += 1) {
      const memory = { stability: 0.01 + 400 * next() ** 3, difficulty: 1 + 9 * next() };
      const days = next() < 0.2 ? 0 : 300 * next();
      const grade = kGrades[i % 4] ?? 3;
      expect(own.recallAfter(memory, days)).toBe(plain.recallAfter(memory, days));
      expect(own.reviewed(memory, days, grade)).toEqual(plain.reviewed(memory, days, grade));
    }
  });
});

describe("a log that is replayed again", () => {
  const pack = {
    blueprint: kBlueprint,
    written: {},
    templates: Array.from({ length: 40 }, (_, i) => ({ id: `t.${i}`, objective: "1.2", difficulty: 2 })),
  } as unknown as QuestionPack;

  /** Answers over sixty days. */
  function manyReviews(count: number): Review[] {
    const next = numbers(3);
    return Array.from({ length: count }, (_, i) =>
      review(`r${i}`, {
        card: `t.${Math.floor(next() * 40)}`,
        time: kNoon - 60 * kDayMs + Math.floor((i * 60 * kDayMs) / count),
        grade: (1 + Math.floor(4 * next())) as Grade,
      }),
    );
  }

  const dataOf = (reviews: readonly Review[], examAt?: number) => ({
    reviews,
    exams: [],
    answers: [],
    settings: examAt === undefined ? {} : { examAt },
  });

  it("gives every card the state of its whole log, whatever came before", () => {
    const reviews = manyReviews(400);
    const changed = reviews.map((one, i) => (i === 200 ? { ...one, grade: 1 as const } : one));
    const steps = [
      dataOf(reviews.slice(0, 399)),
      dataOf(reviews),
      dataOf(reviews, kNoon + 3 * kDayMs),
      dataOf(reviews, kNoon + 30 * kDayMs),
      dataOf(changed, kNoon + 30 * kDayMs),
      dataOf(reviews.slice(1)),
      dataOf(reviews.slice(0, 300)),
    ];
    for (const data of steps) {
      const { states, scheduler } = learnerOf(pack, data, kNoon);
      expect(states.size).toBe(40);
      for (const [card, state] of states) {
        const own = data.reviews.filter((one) => one.card === card);
        expect(state).toEqual(scheduler.replay(own, own[0]?.time ?? 0));
      }
    }
  });
});

describe("work in slices", () => {
  function* counting(until: number): Work<number> {
    for (let i = 0; i < until; i += 1) yield;
    return until;
  }

  it("gives what it gives at once, in tasks of its own", async () => {
    expect(finished(counting(5))).toBe(5);
    let result: number | undefined;
    const ended = new Promise<void>((resolve) => {
      inSlices(counting(5), (value) => {
        result = value;
        resolve();
      });
    });
    expect(result).toBeUndefined();
    await ended;
    expect(result).toBe(5);
  });

  it("stops when it is not wanted any more", async () => {
    let isEnded = false;
    const stop = inSlices(counting(5), () => {
      isEnded = true;
    });
    stop();
    // What begins later and does as much has ended.
    await new Promise((resolve) => inSlices(counting(5), resolve));
    expect(isEnded).toBe(false);
  });
});
