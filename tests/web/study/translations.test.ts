/** What was translated is shown so, and what was not, or has changed since, stays English. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { translationFiles } from "../../../web/scripts/study_translations.ts";
import type { Lesson } from "../../../web/src/study/lesson.ts";
import type { WrittenPack, WrittenQuestion } from "../../../web/src/study/pack.ts";
import { languageOf, translatedPack, translatedTerms } from "../../../web/src/study/translations.ts";

const question = (id: string): WrittenQuestion => ({
  id,
  kind: "choice",
  prompt: "Which?",
  options: [
    { text: "This", right: true, why: "So." },
    { text: "That", why: "No." },
  ],
  explanation: "Because.",
  sources: ["s"],
  difficulty: 1,
  level: "associate",
  asks: "recall",
  reviewed: "2026-11-29",
});
const pack: WrittenPack = { objective: "1.1", questions: [question("1.1-a"), question("1.1-b")] };
const chinese = {
  prompt: "哪个？",
  options: [
    { text: "这个", why: "是。" },
    { text: "那个", why: "否。" },
  ],
  explanation: "因为。",
};
const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);
const kOf = digest('["Which?",[["This","So."],["That","No."]],"Because."]');

const kBody = "\n## What it is\n\nA text.\n";
const lesson = {
  id: "one",
  text: [{ tag: "h2", attributes: { id: "section-what-it-is" }, inside: ["What it is"] }],
} as unknown as Lesson;

/** A folder as core/study/data is. */
function dataFolder(of: { question: string; lesson: string; term: string }): string {
  const data = mkdtempSync(join(tmpdir(), "study-"));
  for (const folder of ["lessons", "zh/written", "zh/lessons"]) mkdirSync(join(data, folder), { recursive: true });
  const write = (file: string, content: unknown) => writeFileSync(join(data, file), JSON.stringify(content));
  write("zh/written/1.1.json", { objective: "1.1", questions: { "1.1-a": { ...chinese, of: of.question } } });
  write("zh/glossary.json", { terms: { DPU: { meaning: "处理器。", of: of.term } } });
  writeFileSync(join(data, "lessons/01-one.md"), `---\nid: one\ntitle: One\n---\n${kBody}`);
  writeFileSync(join(data, "zh/lessons/01-one.md"), `---\ntitle: 一\nof: ${of.lesson}\n---\n\n## 它是什么\n\n文字。\n`);
  return data;
}
const terms = [{ term: "DPU", meaning: "A processor.", sources: [] }];
const filesOf = (of: Parameters<typeof dataFolder>[0]) =>
  translationFiles({ data: dataFolder(of), packs: [pack], terms, lessons: [lesson], drawings: new Map() });

describe("translations", () => {
  it("are built with the sections of the English lesson", () => {
    const files = filesOf({ question: kOf, lesson: digest(kBody), term: digest("A processor.") });
    expect(files["zh/translations.json"]).toEqual({
      questions: ["1.1"],
      lessons: { one: "一" },
      terms: { DPU: "处理器。" },
    });
    expect(files["zh/questions/1.1.json"]).toEqual({ "1.1-a": chinese });
    expect(files["zh/lessons/one.json"]).toMatchObject({
      title: "一",
      text: [{ tag: "h2", attributes: { id: "section-what-it-is" }, inside: ["它是什么"] }, { tag: "p" }],
    });
  });

  it("are left out where the English text has changed since", () => {
    const files = filesOf({ question: "0", lesson: "0", term: "0" });
    expect(files).toEqual({ "zh/translations.json": { questions: [], lessons: {}, terms: {} } });
  });

  it("replace the texts of a question and nothing else", () => {
    const [first, second] = translatedPack(pack, { "1.1-a": chinese }).questions;
    expect(first).toEqual({
      ...question("1.1-a"),
      prompt: "哪个？",
      explanation: "因为。",
      options: [
        { text: "这个", right: true, why: "是。" },
        { text: "那个", why: "否。" },
      ],
    });
    expect(second).toEqual(question("1.1-b"));
    expect([languageOf(first?.prompt ?? ""), languageOf(second?.prompt ?? "")]).toEqual(["zh-Hans", "en"]);
    expect(translatedTerms(terms, { DPU: "处理器。" })[0]?.meaning).toBe("处理器。");
  });
});
