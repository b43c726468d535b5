/** Both languages have the same texts: the same keys, the same places to fill in, nothing empty. */
import { afterEach, describe, expect, it } from "vitest";
import { usdText } from "../../web/src/format.ts";
import { hostTexts } from "../../web/src/host/texts.ts";
import { language, speak } from "../../web/src/language.ts";
import { labelOf, labels, messages } from "../../web/src/messages.ts";
import * as zh from "../../web/src/messages_zh.ts";
import * as screens from "../../web/src/screens/texts.ts";
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
