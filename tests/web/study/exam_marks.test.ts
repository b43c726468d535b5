/** An exam that was handed in: marks, reviews of what was missed, history. */
import { describe, expect, it } from "vitest";
import { answeredCards } from "../../../web/src/study/exam_kind.ts";
import { askedLately, isBlank, markedPlaces, missedReview, pastExams } from "../../../web/src/study/exam_marks.ts";
import { faultsOf } from "../../../web/src/study/log.ts";
import { cardOf } from "../../../web/src/study/question.ts";
import { examAnswer, examRecord, kNoon, review } from "./samples.ts";

const question = (id: string, objective: string, more: object = {}) => ({
  id,
  objective,
  kind: "choice",
  difficulty: 2,
  prompt: id,
  options: [{ text: "a" }, { text: "b" }],
  answer: { options: [1] },
  solution: [],
  ...more,
});
const exam = examRecord("e1", {
  questions: [
    question("t.kv-cache/7", "1.2", {
      template: "t.kv-cache",
      options: [{ text: "a", mistake: "keys-alone" }, { text: "b" }],
    }),
    question("1.1-ngc", "1.1"),
    question("2.7-rdma", "2.7", { kind: "choose-two", answer: { options: [0, 1] } }),
    { id: "unreadable" },
  ],
  submittedAt: kNoon + 60_000,
});
const answers = [
  examAnswer("e1", 0, { answer: [0], mistake: "misread", seconds: 41 }),
  examAnswer("e1", 1, { answer: [1] }),
  examAnswer("e1", 2, { answer: [0] }),
];

describe("marks", () => {
  const marked = markedPlaces(exam, answers);

  it("are those of whole answers; others are wrong and count as not given", () => {
    expect(marked.map(({ place, right, answer }) => [place, right, answer])).toEqual([
      [0, false, [0]],
      [1, true, [1]],
      [2, false, undefined],
    ]);
  });

  it("make reviews that the log takes, each with an id of its own", () => {
    const reviews = marked.filter(({ right }) => !right).map((one) => missedReview(exam, one));
    expect(reviews).toEqual([
      {
        id: "e1/0",
        card: "t.kv-cache",
        question: "t.kv-cache/7",
        objective: "1.2",
        time: kNoon,
        grade: 1,
        right: false,
        answer: [0],
        seconds: 41,
        mistake: "misread",
        traps: ["keys-alone"],
        exam: "e1",
      },
      {
        id: "e1/2",
        card: "2.7-rdma",
        question: "2.7-rdma",
        objective: "2.7",
        time: kNoon + 60_000,
        grade: 1,
        right: false,
        answer: [0],
        seconds: 30,
        exam: "e1",
      },
    ]);
    expect(reviews.flatMap(faultsOf)).toEqual([]);
  });
});

describe("the next exam", () => {
  it("leaves out what the last two asked", () => {
    const of = (id: string, days: number) => {
      const record = examRecord(id, { questions: [question(`1.1-${id}`, "1.1")] });
      return { ...record, clock: { ...record.clock, startedAt: kNoon + days * 86_400_000 } };
    };
    expect(askedLately([of("b", 2), of("a", 1), of("c", 3)])).toEqual(["1.1-c", "1.1-b"]);
    expect(askedLately([])).toEqual([]);
  });
});

describe("earlier exams", () => {
  it("are those handed in, oldest first, with the 90 % interval of the share", () => {
    const open = examRecord("open");
    const later = { ...exam, id: "e2", submittedAt: kNoon + 9_000_000 };
    const wrong = [examAnswer("e2", 0, { answer: [3] })];
    const past = pastExams([later, open, exam], (id) => (id === "e1" ? answers : wrong));
    expect(past.map(({ id, right, asked, at }) => [id, right, asked, at])).toEqual([
      ["e1", 1, 3, kNoon + 60_000],
      ["e2", 0, 3, kNoon + 9_000_000],
    ]);
    expect(past[0]?.share).toBeCloseTo(1 / 3, 12);
    expect(past[0]?.low).toBeGreaterThan(0.05);
    expect(past[0]?.high).toBeLessThan(0.8);
  });

  it("are none where nothing was answered", () => {
    const opened = [examAnswer("e1", 0, { answer: null }), examAnswer("e1", 1, { answer: null, flagged: true })];
    expect(isBlank(markedPlaces(exam, opened))).toBe(true);
    expect(pastExams([exam], () => opened)).toEqual([]);
    expect(pastExams([exam], () => [])).toEqual([]);
  });
});

describe("cards that were seen", () => {
  it("are those of the log and of answers in exams that were handed in, right ones too", () => {
    const leftOpen = review("e1/2", { card: "left open", exam: "e1", answer: null, right: false });
    const data = { reviews: [review("a", { card: "other" }), leftOpen], exams: [exam], answers };
    const given = markedPlaces(exam, answers).filter(({ answer }) => answer !== undefined);
    expect(given.some(({ right }) => right)).toBe(true);
    expect(answeredCards(data)).toEqual(new Set(["other", ...given.map(({ question }) => cardOf(question))]));
    const open = { ...exam, submittedAt: undefined };
    expect(answeredCards({ ...data, exams: [open] })).toEqual(new Set(["other"]));
  });
});
