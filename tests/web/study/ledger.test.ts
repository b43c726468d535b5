/** The ledger, the glossary, formulas and coverage: what a text or a filter finds. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { coveragePack } from "../../../web/scripts/study_coverage.ts";
import { ledgerPack } from "../../../web/scripts/study_pack.ts";
import { addressOf, foundCoverage, rowsOf } from "../../../web/src/study/coverage.ts";
import { type FormulaGroup, foundGroups } from "../../../web/src/study/formula_sheet.ts";
import { foundTerms, letterOfTerm } from "../../../web/src/study/glossary.ts";
import { foundClaims, valuesOf, verdictsOf } from "../../../web/src/study/ledger.ts";
import { lessonsByExam, minutesLeft, neighbours } from "../../../web/src/study/lesson_list.ts";
import { firstPart, nextPart, placeAfter, placeBefore, withNextPart } from "../../../web/src/study/parts.ts";
import { formulaName, titleOf } from "../../../web/src/study/screens/formula_words.ts";
import { finder } from "../../../web/src/study/text_search.ts";

const data = fileURLToPath(new URL("../../../core/study/data/", import.meta.url));
const { claims, cards } = ledgerPack({ data, sources: new Map() });
const none = { text: "", verdict: "", objective: "", topic: "" };

describe("the ledger", () => {
  it("has every statement and card, each card with statements", () => {
    expect(claims).toHaveLength(549);
    expect(cards).toHaveLength(28);
    expect(cards.every(({ claims }) => claims.length > 0)).toBe(true);
    expect(foundClaims(claims, none)).toHaveLength(549);
  });

  it("finds by all words together, whatever their case, and by the other fields", () => {
    const found = foundClaims(claims, { ...none, text: "nvlink 900" });
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(claims.length);
    for (const claim of found)
      expect(Object.values(claim).join(" ").toLowerCase()).toMatch(/nvlink[\s\S]*900|900[\s\S]*nvlink/);
    expect(foundClaims(claims, { ...none, text: "NVLINK 900" })).toEqual(found);
    const wrong = foundClaims(claims, { ...none, verdict: "wrong", objective: "2.1" });
    expect(wrong.length).toBeGreaterThan(0);
    expect(wrong.every(({ verdict, objective }) => verdict === "wrong" && objective === "2.1")).toBe(true);
    expect(foundClaims(claims, { ...none, verdict: "nonsense" })).toEqual([]);
  });

  it("counts verdicts and values, objectives in the order of their numbers", () => {
    expect(verdictsOf(claims).reduce((sum, [, count]) => sum + count, 0)).toBe(549);
    const objectives = valuesOf(claims, "objective").map(([value]) => value);
    expect(objectives.indexOf("2.9")).toBeGreaterThan(objectives.indexOf("2.7"));
    expect(objectives[0]).toBe("1.1");
  });
});

describe("parts and decks", () => {
  it("shows all rows after enough parts, and comes round", () => {
    let shown = firstPart;
    let steps = 0;
    while (shown < 549) {
      expect(nextPart(549, shown)).toBeGreaterThan(0);
      shown = withNextPart(shown);
      steps += 1;
    }
    expect(steps).toBe(10);
    expect(placeAfter(27, 28)).toBe(0);
    expect(placeBefore(0)).toBe(0);
  });
});

describe("finder", () => {
  it("finds everything with nothing, and words in any text of a thing", () => {
    expect(finder("  ")("a")).toBe(true);
    expect(finder("b A")("xa", "yb")).toBe(true);
    expect(finder("b c")("xa", "yb")).toBe(false);
  });
  it.each([
    ["utilization", "GPU utilisation"],
    ["utilisation", "model FLOPs utilization"],
    ["virtualiz", "virtualised"],
    ["data center", "a data-centre"],
    ["colour", "Color"],
    ["licenses", "a licence"],
    ["labeled", "labelled"],
    ["weights", "one weight"],
  ])("finds %s in %s", (wanted, text) => {
    expect(finder(wanted)(text)).toBe(true);
  });
  it("keeps words apart that only look alike", () => {
    expect(finder("loss")("a lost packet")).toBe(false);
    expect(finder("utilization")("realisation")).toBe(false);
  });
});

describe("the glossary", () => {
  const terms = [
    { term: "RDMA", expands: "remote direct memory access", meaning: "Reads far memory.", sources: [] },
    { term: "GPUDirect", meaning: "RDMA into a GPU.", sources: [] },
    { term: "2:4 sparsity", meaning: "Half are zero.", sources: [] },
  ];
  it("puts names that begin so before meanings", () => {
    expect(foundTerms(terms, "rdma").map(({ term }) => term)).toEqual(["RDMA", "GPUDirect"]);
    expect(foundTerms(terms, "remote memory").map(({ term }) => term)).toEqual(["RDMA"]);
    expect(foundTerms(terms, "")).toHaveLength(3);
    const words = ["backpropagation", "weight decay", "weight"].map((term) => ({
      term,
      meaning: "About weights.",
      sources: [],
    }));
    expect(foundTerms(words, "Weights").map(({ term }) => term)).toEqual(["weight", "weight decay", "backpropagation"]);
    expect(terms.map(letterOfTerm)).toEqual(["R", "G", "#"]);
  });
});

describe("formulas", () => {
  const formula = {
    title: "Transfer time",
    step: "time",
    equation: "payload / bandwidth",
    unit: "s",
    source: "",
    template: "t",
    objective: "1.8",
  };
  const groups: FormulaGroup[] = [
    {
      objective: "1.8",
      name: "GPU",
      formulas: [{ ...formula, inputs: [{ name: "bus_bits", unit: "1" }] }],
      calculators: [],
    },
  ];
  it("are found by their names and those of their inputs", () => {
    for (const text of ["transfer time", "bus bits", "payload", "gpu"])
      expect(foundGroups(groups, text)).toHaveLength(1);
    expect(foundGroups(groups, "bubble")).toEqual([]);
  });

  it("have titles of words: no registry name, no unit of the equation", () => {
    expect(formulaName("perf.transfer_time")).toBe("Transfer time");
    expect(formulaName("rule.sixteen_bytes")).toBe("Sixteen bytes per parameter");
    expect(titleOf({ ...formula, title: "KV cache read in a step", unit: "B", inputs: [] })).toBe(
      "KV cache read in a step (B)",
    );
  });
});

describe("coverage", () => {
  const { groups } = coveragePack(data, new Map());
  it("has every row in a group", () => {
    expect(rowsOf(groups)).toHaveLength(552);
    expect(rowsOf(foundCoverage(groups, "SE-26"))).toHaveLength(1);
    expect(foundCoverage(groups, "nothing has this")).toEqual([]);
  });
  it("leads to screens of the site", () => {
    expect(addressOf({ kind: "lesson", name: "roofline" })).toBe("#/study/lessons/roofline");
    expect(addressOf({ kind: "claim", name: "S001-001" })).toBe("#/study/ledger?text=S001-001");
    expect(addressOf({ kind: "glossary", name: "Ada Lovelace" })).toBe("#/study/glossary?text=Ada%20Lovelace");
    expect(addressOf({ kind: "probe", name: "gemm" })).toBeUndefined();
    const kinds = rowsOf(groups).flatMap(({ references }) => references);
    const calculators = kinds.filter(({ kind }) => kind === "calculator");
    expect(calculators.filter((one) => addressOf(one) === undefined).map(({ name }) => name)).toEqual([]);
  });
});

describe("the list of lessons", () => {
  const lesson = (id: string, number: number, ...objectives: string[]) => ({
    id,
    number,
    title: id,
    objectives,
    minutes: 6,
  });
  const list = {
    lessons: [
      lesson("map", 0, "1.1", "2.1"),
      lesson("a", 1, "1.2"),
      lesson("b", 2, "2.2", "2.1"),
      lesson("c", 3, "1.3"),
      lesson("d", 4, "N1.1", "2.1"),
    ],
    domains: [
      { id: "1", name: "One", exam: "x" },
      { id: "2", name: "Two", exam: "x" },
      { id: "N1", name: "Three", exam: "y" },
      { id: "N2", name: "Four", exam: "y" },
    ],
    objectives: {},
  };
  it("lists the lessons of the chosen exam first, each in the order of the course", () => {
    const listed = (exam: string) =>
      lessonsByExam({ ...list, lessons: [...list.lessons].reverse() }, exam).map((one) => [
        one.exam,
        one.lessons.map(({ id }) => id),
      ]);
    expect(listed("x")).toEqual([
      ["x", ["map", "a", "b", "c"]],
      ["y", ["d"]],
    ]);
    expect(listed("y").map(([exam]) => exam)).toEqual(["y", "x"]);
  });
  it("knows what stands around a lesson, and what is left to read", () => {
    expect(neighbours(list, "a")).toMatchObject({ before: { id: "map" }, after: { id: "b" } });
    expect(neighbours(list, "map").before).toBeUndefined();
    expect(neighbours(list, "none")).toEqual({});
    expect(minutesLeft(list.lessons, new Set(["a", "b"]))).toBe(18);
  });
});
