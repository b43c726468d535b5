/** A lesson as the build writes it: its text as a tree of few elements, which the page draws itself. */
import type { JsonObject } from "../json.ts";
import type { Drawing } from "./drawing.ts";
import type { SourceEntry, WrittenQuestion } from "./pack.ts";

/** Elements of text that a lesson may have. */
export const kTextTags = [
  "p",
  "h2",
  "h3",
  "ul",
  "ol",
  "li",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
  "strong",
  "em",
  "code",
  "pre",
  "span",
  "a",
  "br",
] as const;

/** Elements of MathML that a formula may have. */
export const kMathTags = [
  "math",
  "mrow",
  "mi",
  "mn",
  "mo",
  "mtext",
  "mspace",
  "mfrac",
  "msqrt",
  "mroot",
  "msup",
  "msub",
  "msubsup",
  "mover",
  "munder",
  "munderover",
  "mtable",
  "mtr",
  "mtd",
  "mstyle",
  "mpadded",
] as const;

export type LessonTag = (typeof kTextTags)[number] | (typeof kMathTags)[number];

/** Attributes that an element may have; others are left out by the build. */
export const kLessonAttributes = [
  "id",
  "class",
  "href",
  "start",
  "scope",
  "display",
  "stretchy",
  "mathvariant",
  "lspace",
  "rspace",
  "width",
  "height",
  "depth",
  "voffset",
  "fence",
  "separator",
  "form",
  "accent",
  "accentunder",
  "movablelimits",
  "largeop",
  "symmetric",
  "minsize",
  "maxsize",
  "displaystyle",
  "scriptlevel",
  "linethickness",
  "columnalign",
] as const;

export interface LessonElement {
  tag: LessonTag;
  attributes?: Record<string, string>;
  inside?: LessonNode[];
}

/** A live block: a request with inputs to move and places of the answer to show. */
export interface LessonCalculator {
  title: string;
  request: JsonObject;
  inputs: { pointer: string; label: string; min: number; max: number; scale?: "log" }[];
  shows: { pointer: string; label: string; unit?: string }[];
}

export type LessonNode = string | LessonElement | { calculator: LessonCalculator } | { drawing: Drawing };

/** What the list of lessons says of each. */
export interface LessonCard {
  id: string;
  /** Its place in the course, from 0. */
  number: number;
  title: string;
  /** Objectives, the first one the most. */
  objectives: string[];
  minutes: number;
}

export interface Lesson extends LessonCard {
  text: LessonNode[];
  sources: Record<string, SourceEntry>;
  /** A template that asks with fresh numbers, or a written question whole. */
  closing: { template: string } | { written: WrittenQuestion; objective: string };
  /** Ids of other written questions of its first objective that it teaches. */
  further?: string[];
}

/** The list of all lessons in the order of the course. */
export interface LessonList {
  lessons: LessonCard[];
  domains: { id: string; name: string; exam: string }[];
  /** Text of each objective by its id. */
  objectives: Record<string, string>;
}
