/** Where questions are taught: the table that the build makes, the way from a question to a section, and what to read after an exam. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lessonText } from "../../../web/scripts/study_markdown.ts";
import { furtherQuestions, taughtPack, withSections } from "../../../web/scripts/study_taught.ts";
import { afterOneMore, closingAt, closingOrder } from "../../../web/src/study/closings.ts";
import type { Lesson } from "../../../web/src/study/lesson.ts";
import type { TemplateCard, WrittenPack, WrittenQuestion } from "../../../web/src/study/pack.ts";
import { minutesToRead, placeOf, readNext, sectionName, type TaughtPack } from "../../../web/src/study/taught.ts";
import { kBlueprint } from "./blueprint_data.ts";

const written = (id: string, level: WrittenQuestion["level"] = "associate"): WrittenQuestion => ({
  id,
  kind: "choice",
  prompt: "?",
  options: [
    { text: "yes", right: true, why: "" },
    { text: "no", why: "" },
  ],
  explanation: "Because.",
  sources: [],
  difficulty: 1,
  level,
  asks: "recall",
  reviewed: "2026-11-29",
});

const packs: WrittenPack[] = [
  { objective: "2.10", questions: [written("2.10-a"), written("2.10-b"), written("2.10-c", "professional")] },
  { objective: "1.1", questions: [written("1.1-a")] },
];
const templates: TemplateCard[] = [
  { id: "t.x", objective: "2.10", difficulty: 1, level: "associate", asks: "calculation" },
];

const lesson = (id: string, objectives: string[], markdown: string): Lesson => ({
  id,
  number: 1,
  title: `About ${id}`,
  objectives,
  minutes: 6,
  text: withSections(id, lessonText(markdown)),
  sources: {},
  closing: { written: written("2.10-a"), objective: "2.10" },
});

const lessons = [
  lesson("all", ["2.10", "1.1", "3.1"], "## One\n\nText.\n"),
  lesson("dpu", ["2.10"], "Before.\n\n## What is *on* the `card`?\n\none two three four\n\n## SuperNIC\n\nfive six\n"),
];

/** The pack of rows in a folder of one file. */
function packOf(...rows: string[]): TaughtPack {
  const folder = mkdtempSync(join(tmpdir(), "podwright-taught-"));
  writeFileSync(join(folder, "2.csv"), ["item,lesson,section", ...rows, ""].join("\n"));
  return taughtPack(folder, { lessons, packs, templates });
}

describe("the table of the build", () => {
  it("names sections as addresses do", () => {
    expect(["What is on the card", "3. CPU & GPU!", "  Über GPUs  "].map(sectionName)).toEqual([
      "what-is-on-the-card",
      "3-cpu-gpu",
      "ber-gpus",
    ]);
    expect(lessons[1]?.text[1]).toMatchObject({ tag: "h2", attributes: { id: "section-what-is-on-the-card" } });
    expect(() => withSections("x", lessonText("## A b\n\n## a B\n"))).toThrow(/x has two sections .*"a-b"/);
  });

  it("has every section with its share of the lesson's minutes", () => {
    const { sections } = packOf().lessons.dpu ?? { sections: {} };
    expect(sections).toEqual({
      "what-is-on-the-card": { title: "What is on the card?", minutes: 4.2 },
      supernic: { title: "SuperNIC", minutes: 1.4 },
    });
  });

  it("leads from items to sections, and from objectives to the lesson that is about them alone", () => {
    const pack = packOf("2.10-a,dpu,supernic", "t.x,dpu,");
    expect(pack.items).toEqual({ "2.10-a": "dpu/supernic", "t.x": "dpu" });
    expect(pack.objectives).toEqual({ "2.10": "dpu", "1.1": "all", "3.1": "all" });
  });

  it.each([
    ["2.10-z,dpu,supernic", /no question 2\.10-z/],
    ["2.10-a,gpu,supernic", /2\.10-a names no lesson: gpu/],
    ["2.10-a,dpu,one", /2\.10-a names no section of dpu: one/],
  ])("refuses %s", (row, why) => expect(() => packOf(row)).toThrow(why));

  it("refuses an item twice", () => expect(() => packOf("2.10-a,dpu,supernic", "2.10-a,all,one")).toThrow(/two rows/));
});

describe("questions at the end of a lesson", () => {
  it("are those of its first objective that it teaches, of the associate level", () => {
    const [all, dpu] = lessons;
    const pack = packOf("2.10-a,dpu,supernic", "2.10-b,dpu,supernic", "2.10-c,dpu,supernic", "1.1-a,dpu,supernic");
    expect(dpu && furtherQuestions(dpu, pack, packs)).toEqual(["2.10-b"]);
    expect(all && furtherQuestions(all, pack, packs)).toEqual([]);
  });

  it("come once each before the lesson's own comes again", () => {
    const order = closingOrder(["a", "b", "c"], 5);
    expect([...order].sort()).toEqual(["a", "b", "c"]);
    const counts = [0];
    for (let i = 0; i < 5; i += 1) counts.push(afterOneMore(counts[i] ?? 0));
    expect(counts.map((count) => closingAt(order, count))).toEqual([undefined, ...order, undefined, order[0]]);
    expect([0, 1, 2].map((count) => closingAt([], count))).toEqual([undefined, undefined, undefined]);
  });
});

describe("the way to a section", () => {
  const pack = packOf("2.10-a,dpu,supernic", "t.x,dpu,");

  it("leads to the section, the lesson, the lesson of the objective, or nowhere", () => {
    expect(placeOf(pack, "2.10-a", "2.10")).toEqual({
      lesson: "dpu",
      section: "supernic",
      title: "About dpu",
      sectionTitle: "SuperNIC",
      minutes: 1.4,
    });
    expect(placeOf(pack, "t.x", "2.10")).toEqual({ lesson: "dpu", title: "About dpu", minutes: 6 });
    expect(placeOf(pack, "2.10-new", "2.10")?.lesson).toBe("dpu");
    expect(placeOf(pack, "t.exam-score", "exam")).toBeUndefined();
  });

  it("is ordered by the weight of what was missed, each place once, with its questions", () => {
    const places: TaughtPack = {
      lessons: {
        a: {
          title: "A",
          minutes: 8,
          sections: { one: { title: "One", minutes: 2 }, two: { title: "Two", minutes: 3 } },
        },
        b: { title: "B", minutes: 5, sections: { one: { title: "One", minutes: 1.5 } } },
      },
      items: { q1: "a/one", q2: "a/two", q3: "b/one", q4: "b/one" },
      objectives: { "3.1": "b" },
    };
    // 2.10 weighs 4 %, 3.1 weighs 5.5 %.
    const missed = [
      { card: "q1", objective: "2.10", name: 4 },
      { card: "q2", objective: "3.1", name: 9 },
      { card: "q3", objective: "2.10", name: 12 },
      { card: "q4", objective: "2.10", name: 20 },
      { card: "t.exam-score", objective: "exam", name: 21 },
    ];
    const next = readNext(places, kBlueprint, missed);
    expect(next.map(({ lesson, section, questions }) => [`${lesson}/${section}`, questions])).toEqual([
      ["b/one", [12, 20]],
      ["a/two", [9]],
      ["a/one", [4]],
    ]);
    expect(minutesToRead(next)).toBe(7);
    expect(minutesToRead(next.map((one) => ({ ...one, minutes: 0.4 })))).toBe(next.length);
    // The lesson as a whole holds its sections.
    const whole = readNext(places, kBlueprint, [...missed, { card: "unknown", objective: "3.1", name: 30 }]);
    expect(whole[0]).toMatchObject({ lesson: "b", questions: [12, 20, 30], minutes: 5 });
    expect(whole[0]?.section).toBeUndefined();
    expect(minutesToRead(whole)).toBe(10);
    expect(readNext(places, kBlueprint, [])).toEqual([]);
  });
});
