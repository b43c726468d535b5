/** Draws the tree of a lesson. It knows the elements that lessons have, and no other. */
import type { ComponentType, VNode } from "preact";
import { kLessonAttributes, kMathTags, kTextTags, type LessonElement, type LessonNode } from "../lesson.ts";
import { Calculator } from "./calculator.tsx";
import { DrawingView } from "./drawing.tsx";
import { lessonTexts } from "./lesson_texts.ts";
import { Scrolling } from "./scrolling.tsx";

const kTags: ReadonlySet<string> = new Set([...kTextTags, ...kMathTags]);
const kAttributes: ReadonlySet<string> = new Set(kLessonAttributes);

const isElsewhere = (address: string) => /^https:\/\//.test(address);

/** Where a link may lead: out of the site by https, or to a screen of it. */
function linkAttributes(address: string): Record<string, string> {
  if (isElsewhere(address)) return { href: address, target: "_blank", rel: "noreferrer" };
  return /^#\//.test(address) ? { href: address } : {};
}

function attributesOf({ tag, attributes = {} }: LessonElement): Record<string, string> {
  const known = Object.entries(attributes).filter(([name]) => kAttributes.has(name) && name !== "href");
  const link = tag === "a" && attributes.href !== undefined ? linkAttributes(attributes.href) : {};
  return { ...Object.fromEntries(known), ...link };
}

function drawn(nodes: readonly LessonNode[] | undefined): (VNode | string | null)[] {
  return (nodes ?? []).map((node, i) => <LessonPiece key={`${i}`} node={node} />);
}

/** What is wide scrolls by itself, so that the page does not. */
function surrounded(element: LessonElement, vnode: VNode): VNode {
  switch (element.tag) {
    case "table":
      return (
        <Scrolling class="wide-table" label={lessonTexts.table}>
          {vnode}
        </Scrolling>
      );
    case "pre":
      return (
        <Scrolling class="terminal" label={lessonTexts.terminal} hint>
          {vnode}
        </Scrolling>
      );
    case "math":
      return element.attributes?.display === "block" ? (
        <Scrolling class="formula" label={lessonTexts.formula}>
          {vnode}
        </Scrolling>
      ) : (
        vnode
      );
    default:
      return vnode;
  }
}

export function LessonPiece({ node }: { node: LessonNode }): VNode | null {
  if (typeof node === "string") return <>{node}</>;
  if ("calculator" in node) return <Calculator {...node.calculator} />;
  if ("drawing" in node) return <DrawingView drawing={node.drawing} />;
  if (!kTags.has(node.tag)) return null;
  const attributes = node.tag === "table" ? { class: "plain rows" } : attributesOf(node);
  // Links lead to headings.
  const reached = attributes.id === undefined ? {} : { tabIndex: -1 };
  // A tag by its name: its attributes are known to be among those that lessons have.
  const Tag = node.tag as unknown as ComponentType<Record<string, unknown>>;
  return surrounded(
    node,
    <Tag {...attributes} {...reached}>
      {drawn(node.inside)}
    </Tag>,
  );
}

export function LessonText({ text }: { text: readonly LessonNode[] }) {
  return <>{drawn(text)}</>;
}
