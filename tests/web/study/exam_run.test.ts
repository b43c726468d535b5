/** An exam while it is taken: everything written at once, nothing lost by a reload, time counted where it was spent. */
import { describe, expect, it } from "vitest";
import type { ExamAnswer, ExamRecord } from "../../../web/src/study/exam_record.ts";
import { ExamRun, endOf, examOf, kSeedRange, limitOf, newSeed, placeStates } from "../../../web/src/study/exam_run.ts";
import { kNoon } from "./samples.ts";

const question = (id: string, kind: string, more: object = {}) => ({
  id,
  kind,
  objective: "1.1",
  difficulty: 2,
  prompt: id,
  options: ["a", "b", "c", "d"].map((text) => ({ text })),
  answer: { options: [1] },
  solution: [],
  ...more,
});
const kQuestions = [
  question("one", "choice"),
  question("two", "choose-two"),
  question("three", "match", { lefts: ["x", "y"] }),
  question("four", "numeric", { options: [], answer: { number: 42 } }),
];

/** A browser whose clock is set, and which keeps what is written. */
function browser(strict = false) {
  const kept = { exams: new Map<string, ExamRecord>(), answers: new Map<number, ExamAnswer>() };
  const time = { now: kNoon };
  const keeper = {
    saveExam: async (exam: ExamRecord) => void kept.exams.set(exam.id, structuredClone(exam)),
    saveAnswer: async (answer: ExamAnswer) => void kept.answers.set(answer.place, structuredClone(answer)),
  };
  const exam = examOf("e1", "nca-aiio", kQuestions, { seed: 7, limitSeconds: 3600, strict }, kNoon);
  if (exam === undefined) throw new Error("the sample is no exam");
  kept.exams.set("e1", exam);
  const open = () => new ExamRun(keeper, kept.exams.get("e1") ?? exam, [...kept.answers.values()], () => time.now);
  const pass = (seconds: number) => {
    time.now += seconds * 1000;
  };
  return { kept, open, pass, time };
}

describe("an exam that is taken", () => {
  it("is none where a question cannot be read", () => {
    const wish = { seed: 1, limitSeconds: 60, strict: false };
    expect(examOf("e", "x", [...kQuestions, { id: "five" }], wish, 0)).toBeUndefined();
    expect(examOf("e", "x", [], wish, 0)).toBeUndefined();
    expect(examOf("e", "x", kQuestions, { ...wish, seed: 9 }, 0)).toMatchObject({ seed: 9, clock: { strict: false } });
  });

  it("writes answers, flags and strikes at once", () => {
    const { kept, open } = browser();
    const run = open();
    run.answer([2]);
    expect(kept.answers.get(0)).toMatchObject({ exam: "e1", place: 0, answer: [2], flagged: false, struck: [] });
    expect([run.flag(), run.strike(0), run.strike(3), run.strike(0), run.strike(4)]).toEqual([
      true,
      true,
      true,
      false,
      undefined,
    ]);
    expect(kept.answers.get(0)).toMatchObject({ answer: [2], flagged: true, struck: [3] });
    run.answer(undefined);
    expect(kept.answers.get(0)?.answer).toBeNull();
  });

  it("goes on after a reload where it stopped, with everything", () => {
    const { open, pass, kept } = browser();
    const run = open();
    run.answer([1]);
    pass(30);
    run.go(2);
    run.answer([1, -1]);
    run.strike(3);
    run.flag();
    pass(15);
    run.keepTime();
    pass(600);
    const again = open();
    expect(again.place.value).toBe(2);
    expect(again.at(2)).toMatchObject({ answer: [1, -1], struck: [3], flagged: true, seconds: 15 });
    expect(again.at(0)).toMatchObject({ answer: [1], seconds: 30 });
    expect(again.ask().remainingSeconds).toBe(3600 - 645);
    expect(kept.exams.get("e1")?.clock.seenAt).toBe(kNoon + 45_000);
  });

  it("stays at its ends", () => {
    const run = browser().open();
    run.go(-1);
    run.go(4);
    expect(run.place.value).toBe(0);
    run.go(3);
    expect(run.place.value).toBe(3);
  });

  it("counts time where it is spent, without pauses", () => {
    const { open, pass } = browser();
    const run = open();
    pass(20);
    run.go(1);
    pass(10);
    run.pause();
    pass(1000);
    run.resume();
    pass(5);
    run.go(0);
    pass(7);
    run.flag();
    expect([run.at(0).seconds, run.at(1).seconds]).toEqual([27, 15]);
    expect(run.ask().remainingSeconds).toBe(3600 - 42);
  });

  it("has no pause where it is strict", () => {
    const { open, pass } = browser(true);
    const run = open();
    run.pause();
    pass(100);
    expect(run.exam.value.clock.pausedAt).toBeUndefined();
    expect(run.ask().remainingSeconds).toBe(3500);
  });

  it("remembers what was announced", () => {
    const { open, pass } = browser();
    const run = open();
    expect(run.look()).toBeUndefined();
    pass(1800);
    expect(run.look()).toEqual({ kind: "half", remainingSeconds: 1800 });
    expect(open().look()).toBeUndefined();
  });

  it("is handed in when it is, or as of its end", async () => {
    const { open, pass, kept } = browser();
    const run = open();
    pass(100);
    expect((await run.handIn()).submittedAt).toBe(kNoon + 100_000);
    expect(kept.exams.get("e1")?.submittedAt).toBe(kNoon + 100_000);
    const late = browser();
    const late_run = late.open();
    late.pass(9000);
    expect(late_run.isOver()).toBe(true);
    expect((await late_run.handIn()).submittedAt).toBe(kNoon + 3_600_000);
    expect(late_run.at(0).seconds).toBe(3600);
    expect(endOf({ ...late_run.exam.value.clock, pausedAt: kNoon })).toBeUndefined();
  });
});

describe("the map", () => {
  it("counts whole answers alone as answered", () => {
    const { open } = browser();
    const run = open();
    run.answer([1]);
    run.go(1);
    run.answer([1]);
    run.flag();
    run.go(2);
    run.answer([1, -1]);
    run.go(3);
    run.answer(41);
    const states = placeStates(run.questions, run.answers.value);
    expect(states.map(({ answered }) => answered)).toEqual([true, false, false, true]);
    expect(states.map(({ flagged }) => flagged)).toEqual([false, true, false, false]);
  });
});

describe("what is chosen before", () => {
  it("is a seed in its range and a time", () => {
    for (let i = 0; i < 200; i += 1) {
      const seed = newSeed();
      expect(Number.isInteger(seed) && seed >= kSeedRange.min && seed <= kSeedRange.max).toBe(true);
    }
    expect([limitOf(60, 1), limitOf(60, 1.5), limitOf(60, 2)]).toEqual([3600, 5400, 7200]);
  });
});

describe("an exam that another tab has taken over", () => {
  it("writes nothing any more", () => {
    const { kept, open, pass } = browser();
    const run = open();
    run.answer([2]);
    const before = structuredClone(kept);
    run.leave();
    pass(60);
    run.answer([3]);
    run.flag();
    run.pause();
    run.keepTime();
    expect(kept).toEqual(before);
  });
});
