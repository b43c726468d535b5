/** What the study home shows, and questions as notes for Anki. */
import { describe, expect, it } from "vitest";
import { noteOf } from "../../../web/src/study/anki.ts";
import { forecast } from "../../../web/src/study/exam_plan.ts";
import {
  abilityRange,
  biasWord,
  calibrationOf,
  loadSummary,
  readyDomains,
  readyObjectives,
  readyTotal,
  rememberedOf,
  statedAndRight,
  wantsBackup,
} from "../../../web/src/study/home_numbers.ts";
import { type Learner, learnerOf } from "../../../web/src/study/learner.ts";
import type { Question } from "../../../web/src/study/question.ts";
import { kDayMs } from "../../../web/src/study/scheduler.ts";
import { timeOfDate } from "../../../web/src/study/spans.ts";
import { questionsOfDays, studyPlan } from "../../../web/src/study/study_plan.ts";
import { kBlueprint } from "./blueprint_data.ts";
import { kNoon, review } from "./samples.ts";

const pack = {
  blueprint: kBlueprint,
  written: {},
  templates: kBlueprint.objectives.map(({ id }) => ({
    id: `t.${id}`,
    objective: id,
    difficulty: 2,
    level: "associate" as const,
    asks: "calculation" as const,
  })),
};
const answered = (objective: string, i = 0, changes = {}) =>
  review(`${objective} ${i}`, { card: `t.${objective}`, objective, time: kNoon + i, ...changes });
const learner = (reviews: ReturnType<typeof answered>[], now = kNoon): Learner =>
  learnerOf(pack, { reviews, exams: [], answers: [], settings: {} }, now);

describe("readiness", () => {
  it("is nothing before the first card, and follows weight and recall after it", () => {
    expect(readyTotal(learner([]), kNoon)).toBe(0);
    const third = kBlueprint.objectives.filter(({ id }) => id.startsWith("3."));
    const now = learner(third.map(({ id }, i) => answered(id, i)));
    expect(readyTotal(now, kNoon + 10)).toBe(0.22);
    expect(rememberedOf(now)).toEqual({ cards: 4, needed: 11, isTold: false });
    expect(rememberedOf(learner(kBlueprint.objectives.slice(0, 11).map(({ id }, i) => answered(id, i)))).isTold).toBe(
      true,
    );
    const seen = new Set(third.map(({ id }) => `t.${id}`));
    const rows = readyDomains(now, kBlueprint, seen, kNoon + 10, kNoon + 60 * kDayMs);
    expect(rows.map(({ id, now: share, seen, cards }) => ({ id, share, seen, cards }))).toEqual([
      { id: "1", share: 0, seen: 0, cards: 8 },
      { id: "2", share: 0, seen: 0, cards: 10 },
      { id: "3", share: 1, seen: 4, cards: 4 },
    ]);
    expect(rows[2]?.onTheDay ?? 1).toBeLessThan(0.9);
    expect(readyDomains(now, kBlueprint, seen, kNoon)[2]).not.toHaveProperty("onTheDay");
    expect(readyObjectives(now, kBlueprint, seen, kNoon + 10).find(({ id }) => id === "3.2")).toMatchObject({
      now: 1,
      seen: 1,
      cards: 1,
    });
  });
});

describe("ability", () => {
  it("is a chance with its interval, and nothing before an answer", () => {
    expect(abilityRange(undefined)).toBeUndefined();
    expect(abilityRange({ mean: 0, deviation: 0.5 })).toEqual({ middle: 0.5, low: 0.31, high: 0.69 });
    const after = abilityRange(learner([answered("1.2"), answered("1.8", 1)]).abilities.get("1"));
    expect(after?.middle ?? 0).toBeGreaterThan(0.6);
  });
});

describe("confidence", () => {
  const stated = (confidence: number, right: boolean, i: number) => answered("1.2", i, { confidence, right });

  it("says whether the learner is too sure", () => {
    const over = calibrationOf([0, 1, 2, 3].map((i) => stated(0.9, i < 1, i)));
    expect(over && biasWord(over)).toBe("over");
    expect(over && statedAndRight(over)).toEqual({ stated: 0.9, right: 0.25 });
    const fair = calibrationOf([0, 1, 2, 3, 4].map((i) => stated(0.8, i < 4, i)));
    expect(fair && biasWord(fair)).toBe("fair");
    const under = calibrationOf([0, 1, 2, 3].map((i) => stated(0.5, true, i)));
    expect(under && biasWord(under)).toBe("under");
    expect(calibrationOf([answered("1.2")])).toBeUndefined();
  });
});

describe("the forecast", () => {
  const settings = {
    now: kNoon,
    examAt: kNoon + 10 * kDayMs,
    seconds: 600,
    reviewSeconds: 30,
    newSeconds: 60,
    newRecall: 0.5,
  };

  it("has every day, and is summed up", () => {
    const { scheduler, planned, weights } = learner([]);
    const all = forecast(scheduler, planned, weights, settings);
    expect(all).toHaveLength(10);
    const summary = loadSummary(all);
    expect(summary?.newCards).toBe(planned.length);
    expect(summary?.most).toBeLessThanOrEqual(10);
    expect(summary?.recallAtExam ?? 0).toBeGreaterThan(0.85);
    expect(loadSummary([])).toBeUndefined();
  });

  it("has the days of the plan: none on the day of the exam, at whatever hour it is looked at", () => {
    const { scheduler, planned, weights } = learner([]);
    const examAt = timeOfDate("2026-03-20") ?? 0;
    for (const hour of [0, 8, 12, 23]) {
      const now = new Date(2026, 2, 10, hour, 30).getTime();
      const plan = studyPlan({ now, from: now, examAt, minutesPerDay: 10, unread: [], past: [] });
      const days = forecast(scheduler, planned, weights, { ...settings, now, examAt });
      expect(days.map(({ day }) => day)).toEqual(plan.days.map(({ day }) => day));
      expect(questionsOfDays(plan.days, days)).toBe(days.reduce((sum, one) => sum + one.reviews + one.newCards, 0));
      expect(days).toHaveLength(10);
    }
    const morning = new Date(2026, 2, 20, 7).getTime();
    expect(forecast(scheduler, planned, weights, { ...settings, now: morning, examAt })).toHaveLength(1);
    expect(forecast(scheduler, planned, weights, { ...settings, now: examAt, examAt })).toEqual([]);
  });
});

describe("the hint to make a backup", () => {
  const log = [answered("1.1")];

  it("comes a week after the first review, the last file or the last hint, and not without news", () => {
    expect(wantsBackup([], undefined, undefined, kNoon)).toBe(false);
    expect(wantsBackup(log, undefined, undefined, kNoon + 6 * kDayMs)).toBe(false);
    expect(wantsBackup(log, undefined, undefined, kNoon + 8 * kDayMs)).toBe(true);
    expect(wantsBackup(log, undefined, kNoon + 5 * kDayMs, kNoon + 8 * kDayMs)).toBe(false);
    expect(wantsBackup(log, kNoon + kDayMs, undefined, kNoon + 30 * kDayMs)).toBe(false);
    const later = [...log, answered("1.2", 3 * kDayMs)];
    expect(wantsBackup(later, kNoon + kDayMs, undefined, kNoon + 30 * kDayMs)).toBe(true);
  });
});

describe("a note for Anki", () => {
  const base: Question = {
    id: "t.kv-cache/1",
    template: "t.kv-cache",
    objective: "1.2",
    kind: "choice",
    difficulty: 2,
    prompt: "How much?",
    options: [
      { text: "1 GB", why: "Keys alone." },
      { text: "2 GB", right: true, why: "Keys and values." },
    ],
    answer: { options: [1] },
    solution: [{ text: "Two of them." }],
    source: "docs/method/serving_memory.md",
  };

  it("asks on the front and has answer, solution, reasons and sources on the back", () => {
    const { id, front, back, tags } = noteOf(base, "nca-aiio");
    expect({ id, front, tags }).toEqual({
      id: "t.kv-cache",
      front: "How much?\n\na) 1 GB\nb) 2 GB",
      tags: ["nca-aiio", "objective-1.2"],
    });
    expect(back).toBe(
      "2 GB\n\nTwo of them.\n\n1 GB: Keys alone.\n2 GB: Keys and values.\n\nSources: docs/method/serving_memory.md",
    );
  });

  it("names the unit of a number and both sides of a match", () => {
    const numeric = noteOf({ ...base, kind: "numeric", options: [], answer: { number: 2.5, unit: "GB" } }, "nca-aiio");
    expect(numeric.front).toBe("How much?\n\n(in GB)");
    expect(numeric.back.startsWith("2.5 GB\n")).toBe(true);
    const match = noteOf({ ...base, kind: "match", lefts: ["x", "y"], answer: { options: [1, 0] } }, "nca-aiio");
    expect(match.front).toContain("x\ny\n\na) 1 GB");
    expect(match.back.startsWith("x: 2 GB; y: 1 GB\n")).toBe(true);
  });
});
