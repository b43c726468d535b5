/** Formulas in LaTeX as a tree of MathML elements. */
import temml from "temml";
import {
  kLessonAttributes,
  kMathTags,
  type LessonElement,
  type LessonNode,
  type LessonTag,
} from "../src/study/lesson.ts";

/** A node as Temml builds it: an element, a group without one of its own, or text. */
interface MathNode {
  type?: string;
  attributes?: Record<string, unknown>;
  children?: MathNode[];
  text?: string;
}

const kAttributes: ReadonlySet<string> = new Set(kLessonAttributes);
const kTags: ReadonlySet<string> = new Set(kMathTags);

function nodesOf(node: MathNode, formula: string): LessonNode[] {
  if (node.text !== undefined) return [node.text];
  const inside = (node.children ?? []).flatMap((child) => nodesOf(child, formula));
  if (node.type === undefined) return inside;
  if (!kTags.has(node.type)) throw new Error(`The formula ${formula} needs <${node.type}>, which lessons do not have.`);
  const attributes = Object.entries(node.attributes ?? {}).flatMap(([name, value]) =>
    kAttributes.has(name) && name !== "class" ? [[name, String(value)] as const] : [],
  );
  const element: LessonElement = { tag: node.type as LessonTag };
  if (attributes.length > 0) element.attributes = Object.fromEntries(attributes);
  if (inside.length > 0) element.inside = inside;
  return [element];
}

/** The `math` element of a formula; throws where the formula cannot be read. */
export function mathElement(formula: string, display: boolean): LessonElement {
  const tree = temml.__renderToMathMLTree(formula, {
    displayMode: display,
    throwOnError: true,
    strict: true,
  }) as MathNode;
  const [math] = nodesOf(tree, formula);
  if (typeof math !== "object" || !("tag" in math) || math.tag !== "math")
    throw new Error(`The formula ${formula} gives no math element.`);
  return display ? { ...math, attributes: { ...math.attributes, display: "block" } } : math;
}
