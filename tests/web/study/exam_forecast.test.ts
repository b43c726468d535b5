/** The chance to pass: which answers it is made of, when it is silent, and whether it holds for simulated learners. */
import { describe, expect, it } from "vitest";
import { bandsOf, kLearnerKinds, toldLearners } from "../../../web/scripts/forecast_simulation.ts";
import { difficultyPrior } from "../../../web/src/study/ability.ts";
import { examAbility } from "../../../web/src/study/exam_ability.ts";
import { examForecast, kForecastAnswers } from "../../../web/src/study/exam_forecast.ts";
import { examKind, freshAnswers } from "../../../web/src/study/exam_kind.ts";
import type { Review } from "../../../web/src/study/log.ts";
import type { QuestionPack, WrittenCard } from "../../../web/src/study/pack.ts";
import { kDayMs } from "../../../web/src/study/scheduler.ts";
import { kBlueprint } from "./blueprint_data.ts";
import { examAnswer, examRecord, kNoon, review } from "./samples.ts";

const concept = (id: string, changes: Partial<WrittenCard> = {}): WrittenCard => ({
  id,
  difficulty: 2,
  level: "associate",
  asks: "recall",
  wrongOptions: 3,
  ...changes,
});

const kOfObjective = 10;
const pack: QuestionPack = {
  blueprint: kBlueprint,
  written: Object.fromEntries(
    kBlueprint.objectives.map(({ id }) => [
      id,
      [
        ...Array.from({ length: kOfObjective }, (_, i) => concept(`${id}-q${i}`)),
        concept(`${id}-order`, { wrongOptions: undefined }),
        concept(`${id}-deep`, { level: "professional" }),
        concept(`${id}-sum`, { asks: "calculation" }),
      ],
    ]),
  ),
  templates: [
    { id: "t.simple", objective: "2.3", difficulty: 1, level: "associate", asks: "calculation", simple: true },
    { id: "t.long", objective: "2.3", difficulty: 3, level: "professional", asks: "calculation" },
  ],
};
const kind = examKind(pack);
const kCards = Array.from({ length: kOfObjective }, (_, i) =>
  kBlueprint.objectives.map(({ id }) => `${id}-q${i}`),
).flat();

const at = (card: string, right: boolean, i: number, changes: Partial<Review> = {}) =>
  review(`${card} ${i}`, { card, objective: card.split("-")[0] ?? "", right, time: kNoon + i, ...changes });
/** The first `all` questions, of ten answers `right` right ones. */
const log = (all: number, right: number) => kCards.slice(0, all).map((card, i) => at(card, (i * 7) % 10 < right, i));
const sums = (right: number, all: number) =>
  kBlueprint.objectives.slice(0, all).map(({ id }, i) => at(`${id}-sum`, i < right, 1000 + i));
const forecast = (reviews: readonly Review[]) =>
  examForecast(kBlueprint, kind, freshAnswers(kind, { reviews, exams: [], answers: [] }));

describe("the exam's kind", () => {
  it("is written questions of its level with options; sums stand apart", () => {
    expect(kind.concepts.size).toBe(kBlueprint.objectives.length * kOfObjective);
    expect([...kind.sums.keys()].filter((id) => !id.endsWith("-sum"))).toEqual(["t.simple"]);
    expect(kind.sums.size).toBe(kBlueprint.objectives.length + 1);
  });
});

describe("answers that count", () => {
  it("are the first at each question, and none at other kinds", () => {
    const reviews = [
      at("1.1-q0", false, 0),
      at("1.1-q0", true, 5),
      at("1.1-deep", true, 6),
      at("1.1-order", true, 7),
      at("t.long", true, 8),
      at("t.simple", true, 9),
    ];
    const { concepts, sums: calculated } = freshAnswers(kind, {
      reviews: [...reviews].reverse(),
      exams: [],
      answers: [],
    });
    expect(concepts.map(({ card, right }) => [card.id, right])).toEqual([["1.1-q0", false]]);
    expect(calculated.map(({ card }) => card.id)).toEqual(["t.simple"]);
  });

  it("are those of exams that were handed in, right and wrong alike, without what was left open", () => {
    const question = (id: string) => ({
      id,
      objective: "1.1",
      kind: "choice",
      difficulty: 2,
      prompt: "?",
      options: [
        { text: "a", right: false },
        { text: "b", right: true },
      ],
      answer: { options: [1] },
      solution: [],
    });
    const questions = ["1.1-q0", "1.1-q1", "1.1-q2"].map(question);
    const answers = [
      examAnswer("e", 0, { answer: [1] }),
      examAnswer("e", 1, { answer: [0] }),
      examAnswer("e", 2, { answer: null }),
    ];
    const exams = [examRecord("e", { questions, submittedAt: kNoon + kDayMs })];
    // What was missed goes into the log too: it must not count twice, nor alone.
    const reviews = [at("1.1-q1", false, 1, { exam: "e" })];
    const fresh = freshAnswers(kind, { reviews, exams, answers }).concepts;
    expect(fresh.map(({ card, right }) => [card.id, right])).toEqual([
      ["1.1-q0", true],
      ["1.1-q1", false],
    ]);
    const open = freshAnswers(kind, { reviews, exams: [examRecord("e", { questions })], answers });
    expect(open.concepts).toEqual([]);
  });
});

describe("the chance to pass", () => {
  it("is silent at 39 answers, and there at 40", () => {
    expect(forecast(log(kForecastAnswers - 1, 8))).toBeUndefined();
    expect(forecast([...log(kForecastAnswers - 1, 8), ...sums(5, 20)])).toBeUndefined();
    expect(forecast(log(kForecastAnswers, 8))?.questions).toBe(50);
  });

  it("is above 90 % with 90 % on concepts and 40 % on sums", () => {
    for (const all of [40, 100, 200]) {
      const now = forecast([...log(all, 9), ...sums(4, 10)]);
      expect(now?.chance ?? 0).toBeGreaterThan(0.9);
    }
  });

  it("grows with what is right at first sight, and repeats do not change it", () => {
    const chances = [5, 6, 7, 8, 9].map((right) => forecast(log(100, right))?.chance ?? Number.NaN);
    expect(chances).toEqual([...chances].sort((a, b) => a - b));
    expect(chances[0]).toBeLessThan(0.05);
    const repeats = log(100, 10).map((one) => ({ ...one, id: `again ${one.id}`, time: one.time + kDayMs }));
    expect(forecast([...log(100, 5), ...repeats])).toEqual(forecast(log(100, 5)));
  });

  it("lies in its interval, which narrows", () => {
    const [few, many] = [forecast(log(40, 8)), forecast(log(200, 8))];
    for (const one of [few, many]) {
      if (one === undefined) throw new Error("no forecast");
      expect(one.chanceLow).toBeLessThan(one.chance);
      expect(one.chanceHigh).toBeGreaterThan(one.chance);
      expect(one.low).toBeLessThan(one.expected);
      expect(one.high).toBeGreaterThan(one.expected);
    }
    expect((many?.high ?? 50) - (many?.low ?? 0)).toBeLessThan((few?.high ?? 0) - (few?.low ?? 50));
  });
});

describe("ability", () => {
  it("of an objective moves with its neighbours, most of all in its domain", () => {
    const item = { difficulty: difficultyPrior({ level: 2 }), right: true };
    const { objectives, mean } = examAbility(
      kBlueprint,
      Array.from({ length: 8 }, () => ({ ...item, objective: "1.2" })),
    );
    const of = (id: string) => mean[objectives.indexOf(id)] ?? 0;
    expect(of("1.2")).toBeGreaterThan(of("1.5"));
    expect(of("1.5")).toBeGreaterThan(of("3.1"));
    expect(of("3.1")).toBeGreaterThan(0.6);
  });
});

describe("simulated learners", () => {
  it.each(kLearnerKinds)("$name: of those told 80 to 90 %, 75 to 95 % pass", (learners) => {
    const band = bandsOf(toldLearners(learners, 1000))[8];
    expect(band?.learners).toBeGreaterThan(30);
    expect(band?.passed).toBeGreaterThan(0.75);
    expect(band?.passed).toBeLessThan(0.95);
  });

  it("who repeat would all be told more than they can, if every answer counted", () => {
    const repeaters = kLearnerKinds.filter(({ repeats }) => repeats > 0);
    for (const kindOf of repeaters) {
      const top = bandsOf(toldLearners(kindOf, 200, "all answers"))[9];
      expect(top?.passed).toBeLessThan(0.75);
    }
  });
});
