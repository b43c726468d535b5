/** Answers in the making, and questions as they are shown. */
import { describe, expect, it } from "vitest";
import {
  chosen,
  conclusionOf,
  moved,
  orderOf,
  paired,
  pairsOf,
  placeOfKey,
  problemText,
  toggled,
  trapsChosen,
  typedNumber,
} from "../../../web/src/study/answering.ts";
import type { WrittenQuestion } from "../../../web/src/study/pack.ts";
import { isRight, type Question } from "../../../web/src/study/question.ts";
import { answerAmount, typedAmount } from "../../../web/src/study/screens/question/amounts.ts";
import { shownQuestion } from "../../../web/src/study/shown_question.ts";

const question = (changes: Partial<Question>): Question => ({
  id: "t.kv-cache/7",
  template: "t.kv-cache",
  objective: "1.2",
  kind: "choice",
  difficulty: 2,
  prompt: "How much?",
  options: [
    { text: "1 GB", right: false, mistake: "keys-only" },
    { text: "2 GB", right: true },
    { text: "4 GB", right: false },
    { text: "8 GB", right: false, mistake: "bits-for-bytes" },
  ],
  answer: { options: [1] },
  solution: [],
  ...changes,
});

describe("choosing", () => {
  it("takes one option, or two where two are asked", () => {
    expect(chosen(question({}), [0], 2)).toEqual([2]);
    const two = question({ kind: "choose-two" });
    expect(chosen(two, undefined, 3)).toEqual([3]);
    expect(chosen(two, [3], 0)).toEqual([3, 0]);
    expect(chosen(two, [3, 0], 1)).toEqual([0, 1]);
    expect(toggled([0, 1], 0)).toEqual([1]);
  });

  it("knows an option by its letter, large or small, and no other key", () => {
    expect(placeOfKey(question({}), "a")).toBe(0);
    expect(placeOfKey(question({}), "D")).toBe(3);
    expect(placeOfKey(question({}), "e")).toBeUndefined();
    expect(placeOfKey(question({}), "Enter")).toBeUndefined();
  });

  it("moves a step and stops at the ends", () => {
    const four = question({ kind: "order" });
    expect(orderOf(four, undefined)).toEqual([0, 1, 2, 3]);
    expect(moved([0, 1, 2, 3], 2, -1)).toEqual([0, 2, 1, 3]);
    expect(moved([0, 1, 2, 3], 0, 1)).toEqual([1, 0, 2, 3]);
    expect(moved([0, 1, 2, 3], 0, -1)).toEqual([0, 1, 2, 3]);
    expect(moved([0, 1, 2, 3], 3, 1)).toEqual([0, 1, 2, 3]);
  });

  it("sets one pair and keeps the others open", () => {
    const match = question({ kind: "match", lefts: ["x", "y"] });
    expect(pairsOf(match, undefined)).toEqual([-1, -1]);
    expect(paired(pairsOf(match, undefined), 1, 3)).toEqual([-1, 3]);
  });
});

describe("a typed number", () => {
  it.each([
    ["1234.5", 1234.5],
    [" 1,234.5 ", 1234.5],
    ["1.234,5", 1234.5],
    ["1 234,5", 1234.5],
    ["1,234", 1234],
    ["12,34", 12.34],
    ["0,125", 0.125],
    ["-3.2e6", -3.2e6],
    [".5", 0.5],
    ["3.", 3],
  ])("%s is %d", (text, value) => expect(typedNumber(text)).toBe(value));

  it.each(["", "  ", "about 3", "1.2.3", "3 GB", "--1", "e5", "Infinity"])("%j is none", (text) =>
    expect(typedNumber(text)).toBeUndefined(),
  );
});

describe("what an answer tells", () => {
  it("names the mistakes that lead to the options chosen", () => {
    expect(trapsChosen(question({}), [0])).toEqual(["keys-only"]);
    expect(trapsChosen(question({}), [1])).toEqual([]);
    expect(trapsChosen(question({ kind: "choose-two" }), [0, 3])).toEqual(["keys-only", "bits-for-bytes"]);
    expect(trapsChosen(question({ kind: "order" }), [0, 1, 2, 3])).toEqual([]);
  });

  it("is all in the text that reports a problem", () => {
    const text = problemText(question({ source: "nvidia-h200-datasheet" }), [3], "Podwright 0.1.0");
    for (const part of ["t.kv-cache/7", "1.2", "How much?", "8 GB", "2 GB", "nvidia-h200-datasheet", "0.1.0"])
      expect(text).toContain(part);
  });
});

describe("amounts", () => {
  it("are in the unit that was asked for", () => {
    expect(answerAmount(228.4, "GiB")).toBe("228 GiB");
    expect(answerAmount(0.56, "s")).toBe("0.56 s");
    expect(answerAmount(7, "1")).toBe("7");
    expect(typedAmount(1234.56, "ms")).toBe("1234.56 ms");
  });
});

const written = (changes: Partial<WrittenQuestion>): WrittenQuestion => ({
  id: "1.1-one",
  kind: "choice",
  prompt: "Which?",
  explanation: "Because.",
  sources: ["a", "b"],
  difficulty: 1,
  level: "associate",
  asks: "recall",
  reviewed: "2026-11-22",
  ...changes,
});
const kSeeds = Array.from({ length: 200 }, (_, i) => i);

describe("a written question as it is shown", () => {
  it("says what is right wherever it stands, and puts it everywhere in turn", () => {
    const options = ["w", "x", "y", "z"].map((text) => ({ text, right: text === "y", why: `why ${text}` }));
    const shown = kSeeds.map((seed) => shownQuestion(written({ options }), "1.1", seed));
    for (const { options: own, answer } of shown) {
      expect(own.map(({ text }) => text).sort()).toEqual(["w", "x", "y", "z"]);
      expect(answer.options?.map((place) => own[place]?.text)).toEqual(["y"]);
    }
    const counts = [0, 1, 2, 3].map((place) => shown.filter(({ answer }) => answer.options?.[0] === place).length);
    for (const count of counts) expect(count).toBeGreaterThan(30);
  });

  it("is the same again from the same seed", () => {
    const options = ["w", "x", "y", "z"].map((text) => ({ text, right: text === "y", why: "" }));
    expect(shownQuestion(written({ options }), "1.1", 7)).toEqual(shownQuestion(written({ options }), "1.1", 7));
  });

  it("never comes in the right order, and its right order is the one that was written", () => {
    const steps = ["first", "second", "third"].map((text) => ({ text, why: "" }));
    for (const seed of kSeeds) {
      const shown = shownQuestion(written({ kind: "order", steps }), "1.1", seed);
      expect(isRight(shown, orderOf(shown, undefined))).toBe(false);
      expect(shown.answer.options?.map((place) => shown.options[place]?.text)).toEqual(["first", "second", "third"]);
    }
  });

  it("names the partner of each line", () => {
    const pairs = ["1", "2", "3"].map((end) => ({ left: `l${end}`, right: `r${end}`, why: "" }));
    for (const seed of kSeeds) {
      const shown = shownQuestion(written({ kind: "match", pairs }), "1.1", seed);
      expect(shown.lefts).toEqual(["l1", "l2", "l3"]);
      expect(shown.answer.options?.map((place) => shown.options[place]?.text)).toEqual(["r1", "r2", "r3"]);
    }
  });
});

describe("the conclusion of a solution", () => {
  const options = [
    { text: "a liquid loop", right: true },
    { text: "air as it is", right: false },
  ];

  it("names the right option of a generated question whose answer is in words", () => {
    expect(conclusionOf({ template: "t.cooling-choice", kind: "choice", options })).toBe("a liquid loop");
    expect(conclusionOf({ kind: "choice", options })).toBeUndefined();
    expect(conclusionOf({ template: "t.match", kind: "match", options })).toBeUndefined();
    const numbers = [{ text: "42.9 kW", right: true }, ...options.slice(1)];
    expect(conclusionOf({ template: "t.rack-power", kind: "choice", options: numbers })).toBeUndefined();
  });
});
