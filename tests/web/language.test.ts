/** Both languages have the same texts: the same keys, the same places to fill in, nothing empty. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { usdText } from "../../web/src/format.ts";
import { hostTexts } from "../../web/src/host/texts.ts";
import { language, speak } from "../../web/src/language.ts";
import { labelOf, labels, messages } from "../../web/src/messages.ts";
import * as zh from "../../web/src/messages_zh.ts";
import * as screens from "../../web/src/screens/texts.ts";
import { inChinese, sentences } from "../../web/src/sentences_zh.ts";
import { backupTexts } from "../../web/src/study/screens/backup/texts.ts";
import { calculatorTexts } from "../../web/src/study/screens/calculator_texts.ts";
import { coverageTexts } from "../../web/src/study/screens/coverage_texts.ts";
import { resultTexts } from "../../web/src/study/screens/exam/result_texts.ts";
import { examTexts } from "../../web/src/study/screens/exam/texts.ts";
import { formulaTexts } from "../../web/src/study/screens/formula_texts.ts";
import { glossaryTexts } from "../../web/src/study/screens/glossary_texts.ts";
import { studyHomeTexts } from "../../web/src/study/screens/home/texts.ts";
import { labTexts } from "../../web/src/study/screens/labs/texts.ts";
import { ledgerTexts } from "../../web/src/study/screens/ledger_texts.ts";
import { lessonTexts } from "../../web/src/study/screens/lesson_texts.ts";
import { questionTexts } from "../../web/src/study/screens/question/texts.ts";
import { selectorTexts } from "../../web/src/study/screens/selector_texts.ts";
import { sessionTexts } from "../../web/src/study/screens/session/texts.ts";
import { studySharedTexts } from "../../web/src/study/screens/shared_texts.ts";
import { wordNames } from "../../web/src/views/names.ts";

/** Every text of a table by its path. */
function leaves(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value as object).flatMap(([key, item]) => leaves(item, `${path}/${key}`));
}

const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

const kTables: readonly [string, object, object][] = [
  ["messages", messages, zh.messages],
  ["labels", labels, zh.labels],
  ["texts", screens.texts, zh.texts],
  ["screenNotes", screens.screenNotes, zh.screenNotes],
  ["exampleNames", screens.exampleNames, zh.exampleNames],
  ["catalogNames", screens.catalogNames, zh.catalogNames],
  ["sectionTitles", screens.sectionTitles, zh.sectionTitles],
  ["fieldLabels", screens.fieldLabels, zh.fieldLabels],
  ["hostTexts", hostTexts, zh.hostTexts],
  ["examTexts", examTexts, zh.examTexts],
  ["resultTexts", resultTexts, zh.resultTexts],
  ["labTexts", labTexts, zh.labTexts],
  ["calculatorTexts", calculatorTexts, zh.calculatorTexts],
  ["backupTexts", backupTexts, zh.backupTexts],
  ["questionTexts", questionTexts, zh.questionTexts],
  ["sessionTexts", sessionTexts, zh.sessionTexts],
  ["studyHomeTexts", studyHomeTexts, zh.studyHomeTexts],
  ["studySharedTexts", studySharedTexts, zh.studySharedTexts],
  ["coverageTexts", coverageTexts, zh.coverageTexts],
  ["formulaTexts", formulaTexts, zh.formulaTexts],
  ["glossaryTexts", glossaryTexts, zh.glossaryTexts],
  ["ledgerTexts", ledgerTexts, zh.ledgerTexts],
  ["lessonTexts", lessonTexts, zh.lessonTexts],
  ["selectorTexts", selectorTexts, zh.selectorTexts],
];

describe.each(kTables)("%s", (_name, english, chinese) => {
  it("has the same keys in both languages", () => {
    expect(leaves(chinese).map(([path]) => path)).toEqual(leaves(english).map(([path]) => path));
  });

  it("fills in the same places, and leaves no text empty", () => {
    const other = new Map(leaves(chinese));
    for (const [path, text] of leaves(english)) {
      expect(places(other.get(path) ?? ""), path).toEqual(places(text));
      expect(other.get(path)?.trim(), path).not.toBe("");
    }
  });
});

describe("wordNames", () => {
  it("has in Chinese only words that it has in English", () => {
    expect(Object.keys(zh.wordNames).filter((word) => !Object.hasOwn(wordNames, word))).toEqual([]);
  });
});

/** Every text of the engine's golden answers. */
function goldenTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(goldenTexts) : [];
}

describe("sentences of the engine", () => {
  const folder = fileURLToPath(new URL("../golden/answers/", import.meta.url));
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  const golden = files.flatMap((file) => goldenTexts(JSON.parse(readFileSync(join(folder, file), "utf8"))));
  const parts = golden.flatMap((text) => [text, ...text.split(/(?<=\.) (?=[A-Z])/)]);

  it.each(sentences.map(([pattern, chinese]) => ({ pattern, chinese })))("$chinese", ({ pattern, chinese }) => {
    const said = parts.find((text) => pattern.test(text));
    expect(said, `the engine says nothing like ${pattern.source}`).toBeDefined();
    const groups = (said ?? "").match(pattern)?.slice(1) ?? [];
    // Every number and name of the sentence is in the Chinese one.
    for (const group of groups) expect((said ?? "").replace(pattern, chinese)).toContain(group);
  });

  it("stay as they are where one of several is not known", () => {
    expect(inChinese("Each GPU holds 164 of 178 GiB. Nobody has said this.")).toBeUndefined();
    expect(inChinese("Each GPU holds 164 of 178 GiB.")).toBe("每块 GPU 占用 178 GiB 中的 164 GiB。");
  });
});

describe("speak", () => {
  afterEach(() => speak("en"));

  it("changes every table in place and back again", async () => {
    const english = { undo: messages.undo, label: labelOf("gpu_count"), save: screens.texts.save };
    await speak("zh");
    expect(language.value).toBe("zh");
    expect([messages.undo, labelOf("gpu_count"), screens.texts.save]).toEqual(["撤销", "GPU 数", "保存"]);
    expect(usdText(2.5e6)).toBe("$2.50 百万");
    await speak("en");
    expect({ undo: messages.undo, label: labelOf("gpu_count"), save: screens.texts.save }).toEqual(english);
    expect(usdText(2.5e6)).toBe("$2.50 million");
  });
});
