/**
 * Drawings of the lessons and of questions: the data of `core/study/data/drawings`, what a missing part makes of it, and the text that says
 * everything that is drawn.
 */
import type { JsonObject } from "../json.ts";

export const kTones = ["compute", "memory", "data", "control", "power", "heat"] as const;
export type NamedTone = (typeof kTones)[number];
export type Tone = NamedTone | "plain";

export interface DrawingBox {
  id: string;
  text: string;
  note?: string;
  /** Column and row of the upper left cell. */
  at: [column: number, row: number];
  /** Columns and rows; one cell where it is absent. */
  size?: [columns: number, rows: number];
  /** A frame behind others, with its text at the top. */
  area?: boolean;
  /** The frame that holds it. */
  in?: string;
  tone?: Tone;
}

export interface DrawingLink {
  from: string;
  to: string;
  text?: string;
  both?: boolean;
  tone?: Tone;
  dashed?: boolean;
}

export interface DrawingStep {
  text: string;
  boxes?: string[];
  links?: [from: string, to: string][];
}

interface DrawingHead {
  id: string;
  title: string;
  /** What the reader should see in it. */
  shows: string;
}

export interface BlocksDrawing extends DrawingHead {
  kind: "blocks";
  boxes: DrawingBox[];
  links?: DrawingLink[];
  steps?: DrawingStep[];
  /** What tones mean here, where it is not what they are called; false: colours that say nothing more than the texts. */
  legend?: false | Partial<Record<NamedTone, string>>;
}

export interface BarPart {
  text: string;
  value: number;
  tone?: Tone;
}

export interface BarsDrawing extends DrawingHead {
  kind: "bars";
  unit: string;
  bars: { text: string; parts: BarPart[] }[];
}

/** A drawing of the core itself. */
export interface CoreDrawing extends DrawingHead {
  kind: "core";
  request: JsonObject;
}

export type Drawing = BlocksDrawing | BarsDrawing | CoreDrawing;

export const kHiddenText = "?";

/** The drawing with the text of one box taken away, its note too. */
export function withHidden(drawing: Drawing, hidden: string | undefined): Drawing {
  if (hidden === undefined || drawing.kind !== "blocks") return drawing;
  const boxes = drawing.boxes.map((box) => {
    if (box.id !== hidden) return box;
    const { note: _, ...rest } = box;
    return { ...rest, text: kHiddenText };
  });
  return { ...drawing, boxes };
}

export const toneOf = ({ tone = "plain" }: { tone?: Tone }): Tone => tone;

/** The tones that a drawing uses, in their order. With one alone nothing is told apart. */
export function tonesShown(drawing: Drawing): NamedTone[] {
  if (drawing.kind !== "blocks" || drawing.legend === false) return [];
  const used = new Set([...drawing.boxes, ...(drawing.links ?? [])].map(toneOf));
  const named = kTones.filter((tone) => used.has(tone));
  return named.length > 1 ? named : [];
}

/** What a tone means in a drawing. */
export const toneName = ({ legend }: BlocksDrawing, tone: NamedTone, { tones }: DrawingPhrases): string =>
  (legend === false ? undefined : legend?.[tone]) ?? tones[tone];

/** Sentences of the text alternative, with places in braces. */
export interface DrawingPhrases {
  missing: string;
  holds: string;
  parts: string;
  noted: string;
  toned: string;
  link: string;
  linkBoth: string;
  linkNamed: string;
  optional: string;
  step: string;
  bar: string;
  amount: string;
  sum: string;
  tones: Record<NamedTone, string>;
}

const filled = (text: string, values: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (all, key: string) => values[key] ?? all);

/** Names of boxes as the alternative says them; the missing part of a question has none. */
function namesIn({ boxes }: BlocksDrawing, { missing }: DrawingPhrases): Map<string, string> {
  return new Map(boxes.map(({ id, text }) => [id, text === kHiddenText ? missing : text]));
}

function boxWords(drawing: BlocksDrawing, phrases: DrawingPhrases): string[] {
  const names = namesIn(drawing, phrases);
  const tones = new Set<Tone>(tonesShown(drawing));
  const whole = (box: DrawingBox) => {
    const tone = toneOf(box);
    const text = names.get(box.id) ?? "";
    const named = box.note === undefined ? text : filled(phrases.noted, { text, note: box.note });
    return tone !== "plain" && tones.has(tone)
      ? filled(phrases.toned, { text: named, tone: toneName(drawing, tone, phrases) })
      : named;
  };
  const listed = (boxes: readonly DrawingBox[]) => boxes.map(whole).join("; ");
  const inside = (id: string) => drawing.boxes.filter((box) => box.in === id);
  const frames = drawing.boxes.filter(({ area, id }) => area || inside(id).length > 0);
  const loose = drawing.boxes.filter((box) => box.in === undefined && !frames.includes(box));
  return [
    ...frames.map((frame) => {
      const held = inside(frame.id);
      return held.length === 0 ? whole(frame) : filled(phrases.holds, { frame: whole(frame), parts: listed(held) });
    }),
    ...(loose.length === 0 ? [] : [filled(phrases.parts, { parts: listed(loose) })]),
  ];
}

function linkWords(drawing: BlocksDrawing, phrases: DrawingPhrases): string[] {
  const names = namesIn(drawing, phrases);
  const tones = new Set<Tone>(tonesShown(drawing));
  return (drawing.links ?? []).map((link) => {
    const [from = "", to = ""] = [names.get(link.from), names.get(link.to)];
    const ends = filled(link.both ? phrases.linkBoth : phrases.link, { from, to });
    const named = link.text === undefined ? ends : filled(phrases.linkNamed, { link: ends, text: link.text });
    const tone = toneOf(link);
    const toned =
      tone !== "plain" && tones.has(tone)
        ? filled(phrases.toned, { text: named, tone: toneName(drawing, tone, phrases) })
        : named;
    return link.dashed ? filled(phrases.optional, { link: toned }) : toned;
  });
}

/** One of a unit that is a word in the plural: "1 bit". */
const unitOf = (value: number, unit: string) => (value === 1 && /^[a-z]{3,}s$/.test(unit) ? unit.slice(0, -1) : unit);

export const amountText = (value: number, unit: string) => `${value.toLocaleString("en")} ${unitOf(value, unit)}`;

function barWords({ bars, unit }: BarsDrawing, phrases: DrawingPhrases): string[] {
  return bars.map(({ text, parts }) => {
    const amounts = parts.map((part) =>
      filled(phrases.amount, { text: part.text, value: amountText(part.value, unit) }),
    );
    const bar = filled(phrases.bar, { text, parts: amounts.join(", ") });
    return parts.length < 2 ? bar : filled(phrases.sum, { bar, value: amountText(sumOf(parts), unit) });
  });
}

/** Binary fractions leave no trace in what people read. */
export const sumOf = (parts: readonly BarPart[]) =>
  Number(parts.reduce((sum, { value }) => sum + value, 0).toPrecision(12));

/** Everything that is drawn, in sentences; of a drawing of the core what its data says, the rest is the engine's. */
export function drawingWords(drawing: Drawing, phrases: DrawingPhrases): string[] {
  switch (drawing.kind) {
    case "blocks":
      return [
        ...boxWords(drawing, phrases),
        ...linkWords(drawing, phrases),
        ...(drawing.steps ?? []).map(({ text }, i) => filled(phrases.step, { number: `${i + 1}`, text })),
      ];
    case "bars":
      return barWords(drawing, phrases);
    case "core":
      return [];
  }
}

/** Whether a step lights a link, in whichever direction it names it. */
export function isLinkLit({ links = [] }: DrawingStep, { from, to }: DrawingLink): boolean {
  return links.some(([a, b]) => (a === from && b === to) || (a === to && b === from));
}

/** The step after or before another, within those that there are; 0 comes before the first. */
export const stepMoved = (at: number, by: 1 | -1, count: number) => Math.min(Math.max(at + by, 0), count);

/** The step of a number from 1; 0 shows the drawing as a whole. */
export const stepAt = ({ steps = [] }: BlocksDrawing, number: number): DrawingStep | undefined =>
  number === 0 ? undefined : steps[number - 1];
