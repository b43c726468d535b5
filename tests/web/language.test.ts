/** Both languages have the same texts: the same keys, the same places to fill in, nothing empty. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import templates from "../../core/base/data/messages.json";
import type { Message } from "../../web/src/contract.ts";
import { usdText } from "../../web/src/format.ts";
import { hostTexts } from "../../web/src/host/texts.ts";
import { language, speak } from "../../web/src/language.ts";
import { labelOf, labels, messages, ownWords } from "../../web/src/messages.ts";
import * as zh from "../../web/src/messages_zh.ts";
import * as screens from "../../web/src/screens/texts.ts";
import { filled, inChinese } from "../../web/src/sentences.ts";
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

describe("labels of answer fields", () => {
  it("are known in Chinese", () => {
    expect(Object.values(labels).filter((label) => inChinese(label) === undefined)).toEqual([]);
  });

  it("say more than the words of their keys", () => {
    expect(Object.keys(labels).filter((key) => labels[key] === ownWords(key))).toEqual([]);
  });

  it.each([
    ["sectionTitles", screens.sectionTitles, zh.sectionTitles],
    ["fieldLabels", screens.fieldLabels, zh.fieldLabels],
  ])("are not repeated in %s", (_name, english, chinese) => {
    const isRepeated = (key: string) => english[key] === labelOf(key) && chinese[key] === inChinese(labelOf(key));
    expect(Object.keys(english).filter(isRepeated)).toEqual([]);
  });
});

describe("wordNames", () => {
  it("has in Chinese only words that it has in English", () => {
    expect(Object.keys(zh.wordNames).filter((word) => !Object.hasOwn(wordNames, word))).toEqual([]);
  });
});

/** Every message of the engine's golden answers: what has a code and a sentence. */
function goldenMessages(value: unknown): Message[] {
  if (typeof value !== "object" || value === null) return [];
  const { code, sentence, message = (value as { text?: unknown }).text, values } = value as Partial<Message>;
  const isSaid = typeof code === "string" && typeof message === "string" && (sentence ?? code) in templates;
  const own = isSaid ? [{ code, sentence, message, values }] : [];
  return [...own, ...Object.values(value).flatMap(goldenMessages)];
}

type Case = { template: string; values: NonNullable<Message["values"]>; text: string };
const cases: Case[] = JSON.parse(readFileSync(new URL("../base/data/message_cases.json", import.meta.url), "utf8"));

describe("messages of the engine", () => {
  it.each(cases)("$template is $text", ({ template, values, text }) => {
    expect(filled(template, values, ({ message }) => message)).toBe(text);
  });

  it("are said in Chinese wherever a golden answer has one", () => {
    const folder = fileURLToPath(new URL("../golden/answers/", import.meta.url));
    const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
    const all = files.flatMap((file) => goldenMessages(JSON.parse(readFileSync(join(folder, file), "utf8"))));
    expect(all.length).toBeGreaterThan(100);
    for (const one of all) {
      const chinese = inChinese(one);
      expect(chinese, one.message).toBeDefined();
      expect(chinese, one.message).not.toMatch(/[{}]|undefined|NaN/);
      // What stands in both languages is written alike: names and amounts.
      for (const value of Object.values(one.values ?? {}))
        if (typeof value === "string") expect(chinese).toContain(value);
    }
  });

  it("stay as they are where one of several is not known", () => {
    const held = { code: "gpu-memory", message: "", values: { used_gib: 164.2, capacity_gib: 178 } };
    expect(inChinese(held)).toBe("每块 GPU 占用 178 GiB 中的 164 GiB。");
    const both = {
      code: "sentences",
      message: "",
      values: { sentences: [held, { code: "nobody-says-this", message: "" }] },
    };
    expect(inChinese(both)).toBeUndefined();
  });
});

describe("speak", () => {
  afterEach(() => speak("en"));

  it("changes every table in place and back again", async () => {
    const english = { undo: messages.undo, label: labelOf("capacity_tokens"), save: screens.texts.save };
    await speak("zh");
    expect(language.value).toBe("zh");
    expect([messages.undo, labelOf("capacity_tokens"), screens.texts.save]).toEqual(["撤销", "可容纳的词元", "保存"]);
    expect(usdText(2.5e6)).toBe("$2.50 百万");
    await speak("en");
    expect({ undo: messages.undo, label: labelOf("capacity_tokens"), save: screens.texts.save }).toEqual(english);
    expect(usdText(2.5e6)).toBe("$2.50 million");
  });
});
