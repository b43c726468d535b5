/** Markdown of a lesson as the tree that the page draws. What a lesson may not have is an error of the build. */
import type { Nodes, Parents, RootContent, Table, TableRow } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { mathFromMarkdown } from "mdast-util-math";
import { gfmTable } from "micromark-extension-gfm-table";
import { math } from "micromark-extension-math";
import type { Drawing } from "../src/study/drawing.ts";
import type { LessonCalculator, LessonElement, LessonNode, LessonTag } from "../src/study/lesson.ts";
import { mathElement } from "./study_math.ts";

/** `of` makes the element of a tag, leaving out what it does not have. */
function element(tag: LessonTag, inside: LessonNode[] = [], attributes?: Record<string, string>): LessonElement {
  return { tag, ...(attributes && { attributes }), ...(inside.length > 0 && { inside }) };
}

const insideOf = (parent: Parents): LessonNode[] => parent.children.flatMap((child) => nodesOf(child));

/** A list of one paragraph each shows no paragraphs. */
function itemInside(children: readonly RootContent[]): LessonNode[] {
  return children.flatMap((child) => (child.type === "paragraph" ? insideOf(child) : nodesOf(child)));
}

function tableRow({ children }: TableRow, align: Table["align"], tag: "th" | "td"): LessonElement {
  const cells = children.map((cell, i) => {
    const inside = insideOf(cell);
    // The corner above a column of names heads nothing.
    const own = inside.length === 0 ? "td" : tag;
    const attributes = {
      ...(own === "th" && { scope: "col" }),
      ...(align?.[i] === "right" && { class: "numeric" }),
    };
    return element(own, inside, Object.keys(attributes).length > 0 ? attributes : undefined);
  });
  return element("tr", cells);
}

function table({ children, align }: Table): LessonElement {
  const [head, ...rows] = children;
  if (head === undefined) throw new Error("A table has no rows.");
  return element("table", [
    element("thead", [tableRow(head, align, "th")]),
    element(
      "tbody",
      rows.map((row) => tableRow(row, align, "td")),
    ),
  ]);
}

/** A terminal: what is typed apart from what comes back. */
function consoleBlock(text: string): LessonElement {
  const lines = text.split("\n");
  let isTyped = false;
  const inside = lines.flatMap((line, i): LessonNode[] => {
    const end = i + 1 < lines.length ? "\n" : "";
    // A command goes on after a line that ends with a backslash.
    isTyped = line.startsWith("$ ") || (isTyped && (lines[i - 1] ?? "").endsWith("\\"));
    return isTyped ? [element("span", [line], { class: "typed" }), end] : [`${line}${end}`];
  });
  return element(
    "pre",
    [
      element(
        "code",
        inside.filter((one) => one !== ""),
      ),
    ],
    { class: "console" },
  );
}

function fence(language: string | null | undefined, text: string): LessonNode {
  if (language === "calculator") return { calculator: JSON.parse(text) as LessonCalculator };
  if (language === "drawing") throw new Error("A drawing of a lesson is inside of something else.");
  if (language === "console") return consoleBlock(text);
  return element("pre", [element("code", [text])]);
}

function link(url: string, inside: LessonNode[]): LessonElement {
  if (!/^(?:https:\/\/|#\/)/.test(url)) throw new Error(`A lesson links to ${url}.`);
  return element("a", inside, { href: url });
}

function nodesOf(node: Nodes): LessonNode[] {
  switch (node.type) {
    case "text":
      // Lines of the file end anywhere.
      return [node.value.replaceAll("\n", " ")];
    case "paragraph":
      return [element("p", insideOf(node))];
    case "heading":
      return [element(node.depth <= 2 ? "h2" : "h3", insideOf(node))];
    case "list": {
      const items = node.children.map(({ children }) => element("li", itemInside(children)));
      const start = node.start ?? 1;
      return [element(node.ordered ? "ol" : "ul", items, start === 1 ? undefined : { start: String(start) })];
    }
    case "table":
      return [table(node)];
    case "strong":
      return [element("strong", insideOf(node))];
    case "emphasis":
      return [element("em", insideOf(node))];
    case "inlineCode":
      return [element("code", [node.value])];
    case "code":
      return [fence(node.lang, node.value)];
    case "link":
      return [link(node.url, insideOf(node))];
    case "break":
      return [element("br")];
    case "math":
      return [mathElement(node.value, true)];
    case "inlineMath":
      return [mathElement(node.value, false)];
    default:
      throw new Error(`A lesson has ${node.type}, which the page does not draw.`);
  }
}

/** Formulas on lines of their own stand as `$$ ... $$` in one line, which Markdown reads as part of a paragraph. */
const withMathBlocks = (text: string) => text.replace(/^\$\$ (.+) \$\$$/gm, "$$$$\n$1\n$$$$");

const kNoDrawings: ReadonlyMap<string, Drawing> = new Map();

function drawingNode(id: string, drawings: ReadonlyMap<string, Drawing>): LessonNode {
  const drawing = drawings.get(id);
  if (drawing === undefined) throw new Error(`A lesson shows a drawing that does not exist: ${id}.`);
  return { drawing };
}

export function lessonText(markdown: string, drawings = kNoDrawings): LessonNode[] {
  const tree = fromMarkdown(withMathBlocks(markdown), {
    extensions: [gfmTable(), math()],
    mdastExtensions: [gfmTableFromMarkdown(), mathFromMarkdown()],
  });
  return tree.children.flatMap((child) =>
    child.type === "code" && child.lang === "drawing" ? drawingNode(child.value.trim(), drawings) : nodesOf(child),
  );
}
