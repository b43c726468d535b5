/** A quiz of one's own choice: its address, what fits, what is drawn, and the session and the reviews that it makes. */
import { describe, expect, it } from "vitest";
import { kNothing, type StudyData } from "../../../web/src/study/backup.ts";
import { startClock } from "../../../web/src/study/exam_clock.ts";
import { isQuiz, markedPlaces, pastExams, pastQuizzes, quizReview } from "../../../web/src/study/exam_marks.ts";
import { kAsks, type QuestionPack } from "../../../web/src/study/pack.ts";
import {
  askedCount,
  countField,
  countText,
  drawnCards,
  fieldsOf,
  fittingCards,
  isCount,
  kQuizFields,
  lastOutcomes,
  type QuizFields,
  type QuizHistory,
  type QuizWish,
  queryText,
  quizCards,
  quizMinutes,
  startQuiz,
  toggledIn,
  wishOf,
  withQuery,
} from "../../../web/src/study/quiz.ts";
import { finished, goesOn, isTimed, readSession } from "../../../web/src/study/session.ts";
import { missedOf } from "../../../web/src/study/session_queue.ts";
import { kBlueprint } from "./blueprint_data.ts";
import { examAnswer, examRecord, kNoon, review } from "./samples.ts";

const kUsual = Object.fromEntries(kQuizFields.map((name) => [name, ""])) as QuizFields;
const wish = (fields: Partial<QuizFields> = {}): QuizWish => wishOf(kBlueprint, { ...kUsual, ...fields });

const pack: QuestionPack = {
  blueprint: kBlueprint,
  written: {
    "1.1": [
      { id: "1.1-a", difficulty: 1, level: "associate", asks: "recall", wrongOptions: 3 },
      { id: "1.1-b", difficulty: 1, level: "associate", asks: "scenario", wrongOptions: 3 },
      { id: "1.1-c", difficulty: 1, level: "professional", asks: "recall" },
    ],
    "2.10": [{ id: "2.10-a", difficulty: 1, level: "associate", asks: "recall", wrongOptions: 3 }],
  },
  templates: [
    { id: "t.x", objective: "2.1", difficulty: 2, level: "professional", asks: "calculation" },
    { id: "t.exam-score", objective: "exam", difficulty: 1, level: "associate", asks: "calculation" },
  ],
};
const cards = quizCards(pack);
const nothing: QuizHistory = { outcomes: new Map(), bookmarked: new Set(), suspended: new Set() };
const fitting = (fields: Partial<QuizFields>, history = nothing) =>
  fittingCards(cards, wish(fields), history).map(({ id }) => id);

describe("the address of a quiz", () => {
  it("keeps every choice, and nothing that is usual", () => {
    expect(queryText(fieldsOf(kBlueprint, wish()))).toBe("");
    const chosen: QuizWish = {
      count: 25,
      objectives: new Set(["1.1", "3.1", "3.2", "3.3", "3.4"]),
      only: "missed",
      asks: new Set(["recall", "scenario"]),
      level: "associate",
      timed: true,
      mode: "exam",
    };
    const fields = fieldsOf(kBlueprint, chosen);
    const text = queryText(fields);
    expect(text).toBe("n=25&of=1.1+3&only=missed&asks=recall+scenario&time=timed&mode=exam");
    const read = Object.fromEntries(kQuizFields.map((name) => [name, new URLSearchParams(text).get(name) ?? ""]));
    expect(wishOf(kBlueprint, read as QuizFields)).toEqual(chosen);
    expect([withQuery("#/study/quiz", text), withQuery("#/study/quiz", "")]).toEqual([
      `#/study/quiz?${text}`,
      "#/study/quiz",
    ]);
  });

  it("that says nonsense asks for what is usual, but for a count that is to be mended", () => {
    const odd = wish({ n: "7.5", of: "9.9 x", only: "?", asks: "riddle", level: "god", time: "?", mode: "?" });
    expect(odd).toEqual({ ...wish(), count: 7.5, asks: new Set() });
    expect([4, 5, 50, 51, 7.5, Number.NaN].map(isCount)).toEqual([false, true, true, false, false, false]);
  });

  it("keeps a field that was emptied empty", () => {
    const emptied = { ...kUsual, n: countField("") };
    expect(countText(emptied)).toBe("");
    expect(isCount(wishOf(kBlueprint, emptied).count)).toBe(false);
    expect(countText(fieldsOf(kBlueprint, wishOf(kBlueprint, emptied)))).toBe("");
    expect([countText(kUsual), countText({ ...kUsual, n: countField("25") })]).toEqual(["10", "25"]);
  });

  it("keeps a choice of no kind at all", () => {
    const none = { ...wish(), asks: toggledIn(wish().asks, kAsks, false) };
    const fields = fieldsOf(kBlueprint, none);
    expect(wishOf(kBlueprint, fields).asks.size).toBe(0);
    expect(fittingCards(cards, none, nothing)).toEqual([]);
  });
});

describe("what fits", () => {
  it("is chosen by objective, kind and level", () => {
    const every = { level: "every" };
    expect(fitting(every)).toEqual(["1.1-a", "1.1-b", "1.1-c", "2.10-a", "t.x"]);
    expect(fitting({ ...every, of: "1.1" })).toEqual(["1.1-a", "1.1-b", "1.1-c"]);
    expect(fitting({ ...every, of: "2" })).toEqual(["2.10-a", "t.x"]);
    expect(fitting({ level: "associate", asks: "recall" })).toEqual(["1.1-a", "2.10-a"]);
    expect(fitting({ ...every, asks: "calculation" })).toEqual(["t.x"]);
  });

  it("is of the exam's level unless another is chosen, or every one where the exam has several", () => {
    expect(fitting({})).toEqual(["1.1-a", "1.1-b", "2.10-a"]);
    expect(fieldsOf(kBlueprint, { ...wish(), level: undefined }).level).toBe("every");
    const both = { ...kBlueprint, exam: { ...kBlueprint.exam, levels: ["associate", "professional"] } };
    expect(wishOf(both, kUsual).level).toBeUndefined();
    expect(fieldsOf(both, wishOf(both, kUsual)).level).toBe("");
  });

  it("is chosen by what came out last, and by bookmarks", () => {
    const history = {
      outcomes: new Map([
        ["1.1-a", false],
        ["1.1-b", true],
      ]),
      bookmarked: new Set(["t.x"]),
      suspended: new Set(["2.10-a"]),
    };
    const every = { level: "every" };
    expect(fitting({ ...every, only: "missed" }, history)).toEqual(["1.1-a"]);
    expect(fitting({ ...every, only: "new" }, history)).toEqual(["1.1-c", "t.x"]);
    expect(fitting({ ...every, only: "bookmarked" }, history)).toEqual(["t.x"]);
  });

  it("knows the last outcome of sessions and exams alike", () => {
    const question = (id: string, changes = {}) => ({
      id,
      objective: "1.1",
      kind: "choice",
      prompt: "?",
      options: [{ text: "a" }, { text: "b" }],
      answer: { options: [1] },
      solution: [],
      ...changes,
    });
    const exam = examRecord("e", {
      questions: [question("1.1-a"), question("1.1-b"), question("t.x/7", { template: "t.x" }), question("left-open")],
      submittedAt: kNoon,
    });
    const data: StudyData = {
      ...kNothing,
      exams: [exam, examRecord("open", { questions: [question("1.1-c")] })],
      answers: [examAnswer("e", 0), examAnswer("e", 1, { answer: [0] }), examAnswer("e", 2, { answer: [0] })],
      reviews: [
        review("r1", { card: "1.1-a", time: kNoon - 1, right: false }),
        review("r2", { card: "1.1-b", time: kNoon + 1, right: true }),
        // Told by the exam itself.
        review("e/2", { card: "t.x", time: kNoon + 9, right: true, exam: "e" }),
        review("r3", { card: "2.10-a", right: false, exam: "an exam that is gone" }),
      ],
    };
    expect(Object.fromEntries(lastOutcomes(data))).toEqual({
      "1.1-a": true,
      "1.1-b": true,
      "t.x": false,
      "2.10-a": false,
    });
  });
});

describe("what is drawn", () => {
  const many = [
    ...Array.from({ length: 40 }, (_, i) => ({ ...cards[0], id: `a${i}`, objective: "1.1" })),
    ...Array.from({ length: 3 }, (_, i) => ({ ...cards[0], id: `b${i}`, objective: "2.8" })),
  ] as typeof cards;

  it("is as many as asked, each once, objectives in turns, the same for a seed", () => {
    const drawn = drawnCards(many, 8, 5);
    expect(new Set(drawn).size).toBe(8);
    expect(drawn.filter((id) => id.startsWith("b"))).toHaveLength(3);
    expect(drawnCards(many, 8, 5)).toEqual(drawn);
    expect(drawnCards(many, 8, 6)).not.toEqual(drawn);
    expect(drawnCards(many, 50, 5)).toHaveLength(43);
    expect(drawnCards([], 5, 1)).toEqual([]);
    expect([askedCount(3, wish()), askedCount(40, wish())]).toEqual([3, 10]);
  });
});

describe("a quiz in study mode", () => {
  it("is a session of its cards, with a limit or without", () => {
    expect([5, 10, 50].map((count) => quizMinutes(kBlueprint, count))).toEqual([6, 12, 60]);
    const quiz = startQuiz(["1.1-a", "2.10-a"], 0, kNoon, "n=5");
    expect(isTimed(quiz)).toBe(false);
    expect(isTimed(startQuiz(["1.1-a"], 6, kNoon, ""))).toBe(true);
    expect(goesOn(quiz, "quiz", undefined, kNoon + 1000)).toBe(true);
    expect(goesOn(quiz, "plan", undefined, kNoon + 1000)).toBe(false);
    expect(readSession(JSON.stringify(quiz), kNoon)).toEqual(quiz);
    expect(readSession(JSON.stringify({ ...quiz, cards: [1] }), kNoon)).toBeUndefined();
    expect(finished(quiz, kNoon)).toEqual(quiz);
  });

  it("names what was wrong by its place", () => {
    const own = [review("a"), review("b", { card: "1.1-a", objective: "1.1", right: false })];
    expect(missedOf(own)).toEqual([{ card: "1.1-a", objective: "1.1", name: 2 }]);
  });
});

describe("a quiz in exam mode", () => {
  const question = (id: string) => ({
    id,
    objective: "1.1",
    kind: "choice",
    prompt: "?",
    options: [{ text: "a" }, { text: "b" }],
    answer: { options: [1] },
    solution: [],
  });
  const quiz = examRecord("q", {
    questions: [question("1.1-a"), question("1.1-b"), question("1.1-c")],
    clock: startClock(300, kNoon),
    submittedAt: kNoon + 200_000,
    quiz: "n=5",
  });
  const answers = [examAnswer("q", 0, { answer: [1], seconds: 200 }), examAnswer("q", 1, { answer: [0], seconds: 20 })];

  it("is not one of the practice exams", () => {
    expect(isQuiz(quiz)).toBe(true);
    expect(pastExams([quiz], () => answers)).toEqual([]);
    const later = { ...quiz, id: "later", submittedAt: kNoon + 300_000 };
    expect(pastQuizzes([quiz, examRecord("e", { submittedAt: kNoon }), later]).map(({ id }) => id)).toEqual([
      "later",
      "q",
    ]);
  });

  it("leaves a review of every answer, right or wrong, none of what was left open", () => {
    const reviews = markedPlaces(quiz, answers).map((one) => quizReview(quiz, one, 72));
    expect(reviews[0]).toMatchObject({ id: "q/0", card: "1.1-a", right: true, grade: 2, exam: "q", seconds: 200 });
    expect(reviews[1]).toMatchObject({ id: "q/1", card: "1.1-b", right: false, grade: 1 });
    expect(reviews[2]).toBeUndefined();
  });
});
