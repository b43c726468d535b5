/** Plans towards an exam: what a review is worth, the day's budget, the forecast, and learners simulated in both ways. */
import { describe, expect, it } from "vitest";
import { simulate } from "../../../web/scripts/study_simulation.ts";
import {
  forecast,
  type PlannedCard,
  type PlanSettings,
  recallAt,
  recallByDomain,
  recallGain,
  reviewsAtRetention,
  reviewsForExam,
  weightedRecall,
} from "../../../web/src/study/exam_plan.ts";
import { fsrsScheduler, kDayMs } from "../../../web/src/study/scheduler.ts";

const kModel = fsrsScheduler();
const kDays = 20;
const kSettings: PlanSettings = {
  now: 0,
  examAt: kDays * kDayMs,
  seconds: 300,
  reviewSeconds: 25,
  newSeconds: 60,
  newRecall: 0.5,
};

const known = (id: string, objective: string, stability: number, daysAgo: number): PlannedCard => ({
  id,
  objective,
  memory: { stability, difficulty: 5 },
  last: -daysAgo * kDayMs,
});
const fresh = (id: string, objective: string): PlannedCard => ({ id, objective });

describe("weightedRecall", () => {
  it("is the sum over objectives of weight x mean recall", () => {
    const cards = [known("a", "1.1", 10, 0), known("b", "1.1", 10, 10), fresh("c", "2.1")];
    const weights = new Map([
      ["1.1", 0.6],
      ["2.1", 0.4],
    ]);
    expect(weightedRecall(kModel, cards, weights, 0)).toBeCloseTo(0.6 * ((1 + 0.9) / 2), 6);
  });

  it("is told by domain as a share of what the domain counts", () => {
    const cards = [known("a", "1.1", 10, 10), known("b", "1.2", 10, 0), fresh("c", "2.1")];
    const weights = new Map([
      ["1.1", 0.15],
      ["1.2", 0.45],
      ["2.1", 0.4],
    ]);
    const domains = recallByDomain(kModel, cards, weights, 0);
    expect(domains.get("1")).toBeCloseTo((0.15 * 0.9 + 0.45) / 0.6, 6);
    expect(domains.get("2")).toBe(0);
  });
});

describe("recallGain", () => {
  it("is worked by hand for a card at 90 %", () => {
    const card = known("a", "1.1", 10, 10);
    const good = kModel.reviewed(card.memory, 10, 3);
    const again = kModel.reviewed(card.memory, 10, 1);
    const expected =
      0.9 * kModel.recallAfter(good, kDays) +
      0.1 * kModel.recallAfter(again, kDays) -
      recallAt(kModel, card, kSettings.examAt);
    expect(recallGain(kModel, card, kSettings)).toBeCloseTo(expected, 12);
    expect(expected).toBeGreaterThan(0.05);
  });

  it("is most for cards of middling stability: neither those kept anyway nor those that are lost again", () => {
    const gain = (stability: number) =>
      recallGain(kModel, known("a", "1.1", stability, stability), { ...kSettings, now: kSettings.examAt - 2 * kDayMs });
    const gains = [0.3, 8, 4000].map(gain);
    expect(gains[1]).toBeGreaterThan(gains[2] ?? 0);
    expect(gain(4000)).toBeLessThan(0.1);
  });

  it("of a card that comes again anyway is less", () => {
    const again = kSettings.examAt - 3 * kDayMs;
    for (const card of [fresh("a", "1.1"), known("b", "1.1", 3, 4)]) {
      const alone = recallGain(kModel, card, kSettings);
      const before = recallGain(kModel, card, kSettings, again);
      expect(before).toBeLessThan(alone);
      expect(before).toBeGreaterThan(0);
    }
  });
});

describe("reviewsForExam", () => {
  const cards = [
    ...Array.from({ length: 12 }, (_, i) => known(`k${i}`, i % 2 === 0 ? "1.1" : "2.1", 2 + 3 * i, 5)),
    ...Array.from({ length: 12 }, (_, i) => fresh(`n${i}`, i % 2 === 0 ? "1.1" : "2.1")),
  ];
  const weights = new Map([
    ["1.1", 0.8],
    ["2.1", 0.2],
  ]);

  it("keeps to the day's time and leaves less of it than one review takes", () => {
    for (const seconds of [0, 24, 60, 299, 1000]) {
      const used = reviewsForExam(kModel, cards, weights, { ...kSettings, seconds }).reduce(
        (sum, one) => sum + one.seconds,
        0,
      );
      expect(used).toBeLessThanOrEqual(seconds);
      expect(used).toBeGreaterThan(seconds - kSettings.reviewSeconds);
    }
  });

  it("takes the best gain per second first, each card once", () => {
    const chosen = reviewsForExam(kModel, cards, weights, { ...kSettings, seconds: 1e6 });
    const perSecond = chosen.map(({ gain, seconds }) => (gain ?? 0) / seconds);
    expect(perSecond).toEqual([...perSecond].sort((a, b) => b - a));
    expect(new Set(chosen.map(({ card }) => card.id)).size).toBe(chosen.length);
  });

  it("prefers the objective with more weight among equals", () => {
    const equals = [known("b", "2.1", 5, 5), known("a", "1.1", 5, 5)];
    const [first] = reviewsForExam(kModel, equals, weights, { ...kSettings, seconds: 25 });
    expect(first?.card.id).toBe("a");
  });

  it("adds more recall on the day of the exam than the same time at 90 %", () => {
    const settings = { ...kSettings, now: kSettings.examAt - kDayMs, seconds: 200 };
    const value = (chosen: readonly { card: PlannedCard }[]) =>
      chosen.reduce(
        (sum, { card }) => sum + (weights.get(card.objective) ?? 0) * recallGain(kModel, card, settings),
        0,
      );
    const fixed = reviewsAtRetention(kModel, cards, settings, { fill: true });
    expect(value(reviewsForExam(kModel, cards, weights, settings))).toBeGreaterThan(value(fixed));
  });
});

describe("reviewsAtRetention", () => {
  const cards = [
    fresh("n", "1.1"),
    known("kept", "1.1", 50, 1),
    known("due", "1.1", 2, 4),
    known("lost", "1.1", 1, 30),
  ];
  const ids = (settings: Partial<PlanSettings>, fixed = {}) =>
    reviewsAtRetention(kModel, cards, { ...kSettings, ...settings }, fixed).map(({ card }) => card.id);

  it("takes what is due, the most forgotten first, then new cards", () => {
    expect(ids({})).toEqual(["lost", "due", "n"]);
    expect(ids({}, { newFirst: true })).toEqual(["n", "lost", "due"]);
    expect(ids({}, { fill: true })).toEqual(["lost", "due", "n", "kept"]);
    expect(ids({}, { retention: 0.85 })).toEqual(["lost", "due", "n"]);
    expect(ids({}, { retention: 0.7 })).toEqual(["lost", "n"]);
  });

  it("fills a short day with what fits", () => expect(ids({ seconds: 55 })).toEqual(["lost", "due"]));
});

describe("forecast", () => {
  const cards = Array.from({ length: 30 }, (_, i) => fresh(`n${i}`, "1.1"));
  const days = forecast(kModel, cards, new Map([["1.1", 1]]), kSettings);

  it("has a line for every day, none over its time", () => {
    expect(days.map(({ day }) => day)).toEqual(Array.from({ length: kDays }, (_, i) => i));
    for (const { seconds, reviews, newCards } of days) {
      expect(seconds).toBeLessThanOrEqual(kSettings.seconds);
      expect(seconds).toBe(reviews * kSettings.reviewSeconds + newCards * kSettings.newSeconds);
    }
    expect(days.reduce((sum, { newCards }) => sum + newCards, 0)).toBe(30);
  });

  it("ends with more recall than it began with", () => {
    expect(days.at(-1)?.recallAtExam).toBeGreaterThan(days[0]?.recallAtExam ?? 1);
    expect(days.at(-1)?.recallAtExam).toBeGreaterThan(0.85);
    expect(days.at(-1)?.recallAtExam).toBeLessThanOrEqual(1);
  });
});

describe("simulated learners", () => {
  // The whole table, with a thousand of them: web/scripts/study_simulation.ts.
  it.each([
    { days: 30, minutesPerDay: 10, cardsPerObjective: 10 },
    { days: 30, minutesPerDay: 10, cardsPerObjective: 5 },
  ])("recall more on the day of the exam than at 90 % for the same time: %j", (scenario) => {
    const { examMode, dueFirst, newFirst } = simulate(16, scenario);
    for (const fixed of [dueFirst, newFirst]) {
      expect(Math.abs(examMode.hours / fixed.hours - 1)).toBeLessThan(0.015);
      expect(examMode.recall).toBeGreaterThan(fixed.recall);
      expect(fixed.behind).toBeGreaterThan(2 * fixed.standardError);
    }
  });

  it("are the same for the same seed", () => {
    const scenario = { days: 5, minutesPerDay: 10, cardsPerObjective: 2 };
    expect(simulate(3, scenario)).toEqual(simulate(3, scenario));
  });
});
