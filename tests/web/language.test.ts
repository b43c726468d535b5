/** Both languages have the same texts: the same places to fill in, nothing empty. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import templates from "../../core/base/data/messages.json";
import type { Message } from "../../web/src/contract.ts";
import { usdText } from "../../web/src/format.ts";
import { language, speak } from "../../web/src/language.ts";
import { labelOf, labels, messages, ownWords } from "../../web/src/messages.ts";
import { fieldLabels, sectionTitles, texts } from "../../web/src/screens/texts.ts";
import { filled, inChinese } from "../../web/src/sentences.ts";

type Said = { en: string; zh: string };

/** Every text that stands in both languages, by its path. */
function saidTwice(value: unknown, path: string): [string, Said][] {
  if (typeof value === "string") return [];
  const table = value as Record<string, unknown>;
  if ("en" in table || "zh" in table) return [[path, table as Said]];
  return Object.entries(table).flatMap(([key, item]) => saidTwice(item, `${path}/${key}`));
}

const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
const data = new URL("../../web/src/data/", import.meta.url);

describe.each(readdirSync(data))("%s", (file) => {
  const table = JSON.parse(readFileSync(new URL(file, data), "utf8"));

  it("fills in the same places in both languages, and leaves no text empty", () => {
    for (const [path, said] of saidTwice(table, "")) {
      expect(Object.keys(said), path).toEqual(["en", "zh"]);
      expect(places(said.zh), path).toEqual(places(said.en));
      expect(said.zh.trim(), path).not.toBe("");
      expect(said.zh, path).not.toBe(said.en);
    }
  });
});

describe("headlines", () => {
  it("have no comma or colon after a number or a name, where a line may break", () => {
    const all = [...Object.entries(texts), ...Object.entries(messages)].filter(([key]) => /headline/i.test(key));
    expect(all.length).toBeGreaterThan(8);
    expect(all.filter(([, text]) => /\}\s*[,;:]/.test(String(text)))).toEqual([]);
  });
});

describe("labels of answer fields", () => {
  it("are known in Chinese", () => {
    expect(Object.values(labels).filter((label) => inChinese(label) === undefined)).toEqual([]);
  });

  it("say more than the words of their keys", () => {
    expect(Object.keys(labels).filter((key) => labels[key] === ownWords(key))).toEqual([]);
  });

  it("are not repeated in the labels and titles of the screens", async () => {
    const all = { ...sectionTitles, ...fieldLabels };
    const english = Object.keys(all).filter((key) => all[key] === labelOf(key));
    await speak("zh");
    const chinese = { ...sectionTitles, ...fieldLabels };
    expect(english.filter((key) => chinese[key] === labelOf(key))).toEqual([]);
    await speak("en");
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
      // What stands in both languages is written alike: names, amounts and patches.
      let rest = chinese ?? "";
      for (const value of Object.values(one.values ?? {})) {
        if (typeof value !== "string") continue;
        // A whole sentence that the engine writes as text has its own translation.
        const said = (one.code === "as-written" ? inChinese(value) : undefined) ?? value;
        expect(chinese).toContain(said);
        rest = rest.replaceAll(said, "");
      }
      expect(rest, one.message).not.toMatch(/[{}]|undefined|NaN/);
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
    const english = { undo: messages.undo, label: labelOf("capacity_tokens"), save: texts.save };
    await speak("zh");
    expect(language.value).toBe("zh");
    expect([messages.undo, labelOf("capacity_tokens"), texts.save]).toEqual(["撤销", "可容纳的词元", "保存"]);
    expect(usdText(2.5e6)).toBe("$2.50 百万");
    await speak("en");
    expect({ undo: messages.undo, label: labelOf("capacity_tokens"), save: texts.save }).toEqual(english);
    expect(usdText(2.5e6)).toBe("$2.50 million");
  });
});
