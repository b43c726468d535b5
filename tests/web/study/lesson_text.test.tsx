/** Lessons: Markdown as the build reads it, and the elements that the page draws of it. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderToString } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import { readCsv } from "../../../web/scripts/read_csv.ts";
import { readDrawings } from "../../../web/scripts/study_drawings.ts";
import { lessonText } from "../../../web/scripts/study_markdown.ts";
import { mathElement } from "../../../web/scripts/study_math.ts";
import { kLessonAttributes, kMathTags, kTextTags, type LessonNode } from "../../../web/src/study/lesson.ts";
import { LessonText } from "../../../web/src/study/screens/lesson_text.tsx";

const folder = fileURLToPath(new URL("../../../core/study/data/lessons/", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".md"));
const drawings = readDrawings(fileURLToPath(new URL("../../../core/study/data/drawings/", import.meta.url)));
const bodyOf = (name: string) => readFileSync(join(folder, name), "utf8").replace(/^---\n[\s\S]*?\n---\n/, "");

function elementsIn(nodes: readonly LessonNode[]): { tag: string; attributes: string[] }[] {
  return nodes.flatMap((node) => {
    if (typeof node === "string" || !("tag" in node)) return [];
    const own = { tag: node.tag, attributes: Object.keys(node.attributes ?? {}) };
    return [own, ...elementsIn(node.inside ?? [])];
  });
}

function textIn(nodes: readonly LessonNode[]): string {
  return nodes
    .map((node) => (typeof node === "string" ? node : !("tag" in node) ? "" : textIn(node.inside ?? [])))
    .join("");
}

describe("lessonText", () => {
  it("reads text, lists, tables and commands", () => {
    const tree = lessonText(
      "# A\n\nOne **two**\nthree `x`.\n\n1. a\n2. b\n\n| n | v |\n|---|--:|\n| a | 5 |\n\n```console\n$ go \\\n  on\nout\n```\n",
    );
    expect(tree).toEqual([
      { tag: "h2", inside: ["A"] },
      {
        tag: "p",
        inside: ["One ", { tag: "strong", inside: ["two"] }, " three ", { tag: "code", inside: ["x"] }, "."],
      },
      {
        tag: "ol",
        inside: [
          { tag: "li", inside: ["a"] },
          { tag: "li", inside: ["b"] },
        ],
      },
      {
        tag: "table",
        inside: [
          {
            tag: "thead",
            inside: [
              {
                tag: "tr",
                inside: [
                  { tag: "th", attributes: { scope: "col" }, inside: ["n"] },
                  { tag: "th", attributes: { scope: "col", class: "numeric" }, inside: ["v"] },
                ],
              },
            ],
          },
          {
            tag: "tbody",
            inside: [
              {
                tag: "tr",
                inside: [
                  { tag: "td", inside: ["a"] },
                  { tag: "td", attributes: { class: "numeric" }, inside: ["5"] },
                ],
              },
            ],
          },
        ],
      },
      {
        tag: "pre",
        attributes: { class: "console" },
        inside: [
          {
            tag: "code",
            inside: [
              { tag: "span", attributes: { class: "typed" }, inside: ["$ go \\"] },
              "\n",
              { tag: "span", attributes: { class: "typed" }, inside: ["  on"] },
              "\n",
              "out",
            ],
          },
        ],
      },
    ]);
  });

  it("makes calculators of their blocks", () => {
    const block = { title: "T", request: { kind: "plan" }, inputs: [], shows: [] };
    expect(lessonText(`\`\`\`calculator\n${JSON.stringify(block)}\n\`\`\`\n`)).toEqual([{ calculator: block }]);
  });

  it.each([
    ["HTML", "<script>alert(1)</script>"],
    ["HTML in a line", "a <b>c</b>"],
    ["a picture", "![x](y.png)"],
    ["a link that runs", "[x](javascript:alert(1))"],
    ["a link without protection", "[x](http://a.example)"],
    ["a formula that cannot be read", "$\\frac{1$"],
  ])("refuses %s", (_name, markdown) => {
    expect(() => lessonText(markdown)).toThrow();
  });
});

describe("mathElement", () => {
  it("is MathML of the known elements, without styles", () => {
    const math = mathElement("\\sqrt{\\frac{a}{b_1}}", true);
    expect(math.attributes).toEqual({ display: "block" });
    const elements = elementsIn([math]);
    expect(elements.map(({ tag }) => tag)).toEqual(
      expect.arrayContaining(["math", "msqrt", "mfrac", "mi", "msub", "mn"]),
    );
    expect(elements.flatMap(({ attributes }) => attributes)).not.toContain("style");
  });
});

describe.each(files)("%s", (name) => {
  const text = lessonText(bodyOf(name), drawings);
  it("has only elements and attributes that the page draws, a drawing, and a calculator", () => {
    const tags = new Set<string>([...kTextTags, ...kMathTags]);
    const attributes = new Set<string>(kLessonAttributes);
    const elements = elementsIn(text);
    expect(elements.filter(({ tag }) => !tags.has(tag))).toEqual([]);
    expect(elements.flatMap((one) => one.attributes).filter((one) => !attributes.has(one))).toEqual([]);
    // The engine computes what the first exam asks.
    const mayLackCalculator = Number.parseInt(name, 10) > 36;
    const has = (part: string) => text.some((node) => typeof node === "object" && part in node);
    expect(has("calculator") || mayLackCalculator).toBe(true);
    expect(has("drawing")).toBe(true);
    expect(elements.some(({ tag }) => tag === "math")).toBe(true);
  });

  it("leaves no Markdown or LaTeX in what people read", () => {
    const code = elementsIn(text).length;
    expect(code).toBeGreaterThan(20);
    const prose = text.filter(
      (node) => typeof node === "object" && "tag" in node && ["p", "h2", "ul"].includes(node.tag),
    );
    expect(textIn(prose)).not.toMatch(/\*\*|\$\$|\\frac|\\text/);
  });
});

describe("LessonText", () => {
  const drawn = (...text: LessonNode[]) => renderToString(<LessonText text={text} />);
  it("draws known elements with known attributes", () => {
    expect(drawn({ tag: "p", inside: ["a ", { tag: "em", inside: ["b"] }] })).toBe("<p>a <em>b</em></p>");
    expect(drawn({ tag: "a", attributes: { href: "#/study", onclick: "x" }, inside: ["b"] })).toBe(
      '<a href="#/study">b</a>',
    );
    expect(drawn(mathElement("N", false))).toBe("<math><mi>N</mi></math>");
  });

  it("draws nothing else, and leads nowhere unsafe", () => {
    expect(drawn({ tag: "script" as "p", inside: ["a"] })).toBe("");
    expect(drawn({ tag: "a", attributes: { href: "javascript:a()" }, inside: ["b"] })).toBe("<a>b</a>");
    expect(drawn("<b>")).toBe("&lt;b>");
  });
});

describe("readCsv", () => {
  const fileOf = (text: string) => {
    const file = join(mkdtempSync(join(tmpdir(), "podwright-csv-")), "a.csv");
    writeFileSync(file, text);
    return file;
  };
  it("reads quotes, commas, lines in cells and empty cells", () => {
    expect(readCsv(fileOf('a,b\n1,"x, ""y""\nz"\n,\n'), ["a", "b"])).toEqual([
      { a: "1", b: 'x, "y"\nz' },
      { a: "", b: "" },
    ]);
  });
  it("names the row that has a cell too many, and other columns", () => {
    expect(() => readCsv(fileOf("a,b\n1,2,3\n"), ["a", "b"])).toThrow(/row of 1 has 3 cells/);
    expect(() => readCsv(fileOf("a,c\n1,2\n"), ["a", "b"])).toThrow(/columns a,c/);
  });
});
