/** Numbered practice exams and what a result says by objective. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../web/src/json.ts";
import { formOf, markedPlaces, missedPlaces, pastExams } from "../../../web/src/study/exam_marks.ts";
import { examOf } from "../../../web/src/study/exam_run.ts";
import { examNumbers, lastOfNumber, numberedQuestions } from "../../../web/src/study/numbered_exams.ts";
import { resultByObjective, wrongOf } from "../../../web/src/study/objective_result.ts";
import { kBlueprint } from "./blueprint_data.ts";
import { examAnswer, examRecord, kNoon } from "./samples.ts";

const question = (id: string, objective: string, changes: JsonObject = {}): JsonObject => ({
  id,
  objective,
  kind: "choice",
  prompt: "?",
  options: [{ text: "a" }, { text: "b" }],
  answer: { options: [1] },
  solution: [],
  ...changes,
});

describe("numbered exams", () => {
  it("are asked of the engine by their number, with what smaller numbers ask as seen", async () => {
    const asked: { seed: number; form: string; seen: readonly string[] }[] = [];
    const ask = async (wish: (typeof asked)[number]) => {
      asked.push(wish);
      return { questions: [question(`q${wish.seed}`, "1.1"), question(`r${wish.seed}`, "1.1")] };
    };
    expect(await numberedQuestions(3, ask)).toMatchObject([{ id: "q3" }, { id: "r3" }]);
    expect(asked).toEqual([
      { seed: 1, form: "exam", seen: [] },
      { seed: 2, form: "exam", seen: ["q1", "r1"] },
      { seed: 3, form: "exam", seen: ["q1", "r1", "q2", "r2"] },
    ]);
  });

  it("are as many as there are questions of the form, one at least and six at most", () => {
    const card = (i: number) => ({
      id: `w${i}`,
      difficulty: 1,
      level: "associate" as const,
      asks: "recall" as const,
      wrongOptions: 3,
    });
    const numbers = (count: number, changes = {}) =>
      examNumbers({
        blueprint: kBlueprint,
        written: { "1.1": Array.from({ length: count }, (_, i) => ({ ...card(i), ...changes })) },
        templates: [],
      });
    expect(numbers(0)).toEqual([1]);
    expect(numbers(149)).toEqual([1, 2]);
    expect(numbers(150)).toEqual([1, 2, 3]);
    expect(numbers(900)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const changes of [{ level: "professional" }, { asks: "calculation" }, { wrongOptions: undefined }])
      expect(numbers(900, changes)).toEqual([1]);
  });

  it("keep their number and form, and show how they went last", () => {
    const own = { seed: 2, limitSeconds: 60, strict: false, form: "exam" as const, number: 2 };
    const exam = examOf("a", "nca-aiio", [question("x", "1.1"), question("y", "2.1")], own, kNoon);
    if (exam === undefined) throw new Error("no exam");
    expect(exam).toMatchObject({ number: 2, form: "exam", seed: 2 });
    expect("quiz" in exam).toBe(false);
    const handedIn = [
      { ...exam, submittedAt: kNoon + 9 },
      { ...exam, id: "b", submittedAt: kNoon + 20 },
    ];
    const past = pastExams(handedIn, (id) => [examAnswer(id, 0, id === "b" ? {} : { answer: [0] })]);
    expect(lastOfNumber(past, 2)).toMatchObject({ id: "b", right: 1, asked: 2, form: "exam" });
    expect(Object.fromEntries(past[1]?.byDomain ?? [])).toEqual({
      "1": { right: 1, asked: 1 },
      "2": { right: 0, asked: 1 },
    });
    expect(lastOfNumber(past, 1)).toBeUndefined();
  });

  it("of earlier versions are told apart by what they ask", () => {
    const form = (...changes: JsonObject[]) =>
      formOf(examRecord("e", { questions: changes.map((one, i) => question(`q${i}`, "1.1", one)) }));
    expect(form({}, { kind: "choose-two" })).toBe("exam");
    expect(form({}, { kind: "numeric" })).toBe("challenge");
    expect(form({}, { level: "professional" })).toBe("challenge");
    expect(formOf(examRecord("e", { form: "exam", questions: [question("q", "1.1", { kind: "match" })] }))).toBe(
      "exam",
    );
  });
});

describe("results by objective", () => {
  it("have all of the blueprint in its order, with right of asked", () => {
    const marked = [
      { objective: "2.10", right: true },
      { objective: "2.10", right: false },
      { objective: "1.1", right: true },
    ];
    const results = resultByObjective(kBlueprint, marked);
    expect(results.map(({ objective }) => objective)).toEqual(kBlueprint.objectives.map(({ id }) => id));
    expect(results).toHaveLength(22);
    const ten = results.find(({ objective }) => objective === "2.10");
    expect(ten).toMatchObject({ right: 1, asked: 2 });
    expect(ten && wrongOf(ten)).toBe(1);
    expect(results.filter(({ asked }) => asked === 0)).toHaveLength(20);
  });

  it("name what was missed by card and place", () => {
    const exam = examRecord("e", { questions: [question("x", "1.1"), question("t.x/7", "2.1", { template: "t.x" })] });
    const marked = markedPlaces(exam, []);
    expect(missedPlaces(marked)).toEqual([
      { card: "x", objective: "1.1", name: 1 },
      { card: "t.x", objective: "2.1", name: 2 },
    ]);
  });
});
