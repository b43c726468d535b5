/** Where everything of a drawing stands. */
import { type BarsDrawing, type BlocksDrawing, type Tone, toneOf } from "./drawing.ts";
import { frameTitle, type Gaps, kNameLine, kNoteLine, type PlacedBox, placedBoxes, type Rect } from "./drawing_grid.ts";
import { crosses, kForbidden, type PlacedLink, type Point, routed, segmentsOf, titleRect } from "./drawing_routes.ts";

export interface Layout {
  boxes: PlacedBox[];
  links: PlacedLink[];
  view: Rect;
}

/** Room around everything, for thick lines. */
const kMargin = 4;

/** From close to wide: the first in which nothing lies over anything. */
const kGaps: readonly Omit<Gaps, "width">[] = [
  { across: 36, upright: 34, idle: 14 },
  { across: 48, upright: 46, idle: 22 },
  { across: 64, upright: 60, idle: 40 },
  { across: 92, upright: 76, idle: 64 },
  { across: 128, upright: 96, idle: 96 },
];

function viewOf(boxes: readonly PlacedBox[], links: readonly PlacedLink[]): Rect {
  const rects: Rect[] = [...boxes, ...links.flatMap(({ text }) => text ?? [])];
  const points = links.flatMap((link) => link.points);
  const left = Math.min(...rects.map(({ x }) => x), ...points.map(({ x }) => x)) - kMargin;
  const top = Math.min(...rects.map(({ y }) => y), ...points.map(({ y }) => y)) - kMargin;
  const right = Math.max(...rects.map(({ x, width }) => x + width), ...points.map(({ x }) => x)) + kMargin;
  const bottom = Math.max(...rects.map(({ y, height }) => y + height), ...points.map(({ y }) => y)) + kMargin;
  const whole = { x: Math.floor(left), y: Math.floor(top) };
  return { ...whole, width: Math.ceil(right) - whole.x, height: Math.ceil(bottom) - whole.y };
}

/** Widths that a lesson has for a drawing: on a desktop, and on a phone. */
export const kWidths = { wide: 700, narrow: 290 };
export type DrawingWidth = keyof typeof kWidths;

const layouts = { wide: new WeakMap<BlocksDrawing, Layout>(), narrow: new WeakMap<BlocksDrawing, Layout>() };

function tried(drawing: BlocksDrawing, gaps: Gaps, turned: ReadonlySet<string>) {
  const boxes = placedBoxes(drawing, gaps, turned);
  return { boxes, ...routed(drawing.links ?? [], boxes) };
}

const isTitleCrossed = (placed: PlacedBox, links: readonly PlacedLink[]) =>
  placed.isFrame && links.some(({ points }) => segmentsOf(points).some((one) => crosses(one, titleRect(placed))));

function laidOut(drawing: BlocksDrawing, width: number): Layout {
  let best: { layout: Layout; cost: number } | undefined;
  for (const room of kGaps) {
    const gaps = { ...room, width };
    const first = tried(drawing, gaps, new Set());
    const turned = new Set(first.boxes.filter((box) => isTitleCrossed(box, first.links)).map(({ box }) => box.id));
    const second = turned.size === 0 ? first : tried(drawing, gaps, turned);
    const { boxes, links, worst, cost } = second.cost < first.cost ? second : first;
    if (best === undefined || cost < best.cost) best = { layout: { boxes, links, view: viewOf(boxes, links) }, cost };
    if (worst < kForbidden) break;
  }
  if (best === undefined) throw new Error(`${drawing.id} cannot be laid out.`);
  return best.layout;
}

/** Worked out once for each drawing and width. */
export function layoutOf(drawing: BlocksDrawing, width: DrawingWidth = "wide"): Layout {
  const known = layouts[width].get(drawing) ?? laidOut(drawing, kWidths[width]);
  layouts[width].set(drawing, known);
  return known;
}

const kHead = { length: 9, half: 5 };

/** The point of an arrow head and its two other corners, and where the line ends in it. */
export function arrowHead(from: Point, tip: Point): { corners: Point[]; end: Point } {
  const length = Math.hypot(tip.x - from.x, tip.y - from.y) || 1;
  const [dx, dy] = [(tip.x - from.x) / length, (tip.y - from.y) / length];
  const end = { x: tip.x - dx * kHead.length, y: tip.y - dy * kHead.length };
  const corner = (side: number) => ({ x: end.x - dy * side, y: end.y + dx * side });
  return { corners: [tip, corner(kHead.half), corner(-kHead.half)], end };
}

const rounded = (value: number) => Math.round(value * 10) / 10;
const listed = (points: readonly Point[]) => points.map(({ x, y }) => `${rounded(x)} ${rounded(y)}`);

export interface LinkShape {
  /** Path of the line, which ends inside the heads. */
  line: string;
  /** Paths of the heads; those of optional links are open. */
  heads: string[];
}

export function linkShape({ link, points }: PlacedLink): LinkShape {
  const inner = [...points];
  const heads: string[] = [];
  const put = (at: number, next: number) => {
    const [tip, from] = [points.at(at), points.at(next)];
    if (tip === undefined || from === undefined) return;
    const { corners, end } = arrowHead(from, tip);
    const [a, b, c] = listed(corners);
    heads.push(link.dashed ? `M${b} L${a} L${c}` : `M${a} L${b} L${c} Z`);
    if (!link.dashed) inner[at < 0 ? points.length + at : at] = end;
  };
  put(-1, -2);
  if (link.both) put(0, 1);
  return { line: `M${listed(inner).join(" L")}`, heads };
}

/** Where the lines of a box's texts stand: their baselines, in the middle of the box. */
export function textLines(
  { y, height, lines, notes }: PlacedBox,
  name: number,
  note: number,
): { names: number[]; notes: number[] } {
  const all = lines.length * name + notes.length * note;
  const top = y + (height - all) / 2;
  return {
    names: lines.map((_, i) => rounded(top + i * name + name * 0.74)),
    notes: notes.map((_, i) => rounded(top + lines.length * name + i * note + note * 0.74)),
  };
}

/** A part of a bar: its place in percent, and which of the patterns it has. */
export interface BarSpan {
  text: string;
  value: number;
  tone: Tone;
  kind: number;
  from: number;
  width: number;
}

/** Of a part that would not be seen, in percent. */
const kLeastPart = 0.4;

/** Bars from 0 on one scale. Parts of the same name look the same in all of them. */
export function barSpans({ bars }: BarsDrawing): { text: string; parts: BarSpan[] }[] {
  const names = [...new Set(bars.flatMap(({ parts }) => parts.map(({ text }) => text)))];
  const most = Math.max(...bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  return bars.map(({ text, parts }) => {
    let end = 0;
    const spans = parts.map((part): BarSpan => {
      const from = end;
      end += (part.value / most) * 100;
      const { text, value } = part;
      return {
        text,
        value,
        tone: toneOf(part),
        kind: names.indexOf(text),
        from: rounded(from),
        width: Math.max(rounded(end - from), kLeastPart),
      };
    });
    return { text, parts: spans };
  });
}

interface Line {
  x: number;
  y: number;
  text: string;
}

export interface BoxShape {
  placed: PlacedBox;
  /** The band at the left edge, whose pattern says the tone. */
  band: string;
  names: Line[];
  notes: Line[];
}

const kRadius = 6;
const kBand = 7;

/** The left edge of a box with its round corners. */
function bandPath({ x, y, height }: Rect): string {
  const [left, top, end] = [rounded(x), rounded(y), rounded(y + height)];
  const inner = rounded(x + kBand);
  const corner = (dx: number, dy: number, toX: number, toY: number) => `q${dx} ${dy} ${toX} ${toY}`;
  return [
    `M${inner} ${top} V${end} H${rounded(x + kRadius)}`,
    corner(-kRadius, 0, -kRadius, -kRadius),
    `V${rounded(top + kRadius)} H${left}`,
    `${corner(0, -kRadius, kRadius, -kRadius)} Z`,
  ].join(" ");
}

/** What is drawn of a box. Frames have their title at the top left. */
export function boxShape(placed: PlacedBox): BoxShape {
  const { box, x, y, width, isFrame, lines, notes } = placed;
  const band = bandPath(placed);
  if (isFrame) {
    const names = [{ x: rounded(titleRect(placed).x + 3), y: rounded(y + 18), text: frameTitle(box) }];
    return { placed, band, names, notes: [] };
  }
  const middle = rounded(x + width / 2);
  const at = textLines(placed, kNameLine, kNoteLine);
  const put = (texts: readonly string[], places: readonly number[]) =>
    texts.map((text, i): Line => ({ x: middle, y: places[i] ?? 0, text }));
  return { placed, band, names: put(lines, at.names), notes: put(notes, at.notes) };
}

/** The lines of a link's text, around their middle, and whether a line runs behind them. */
export function linkText(link: PlacedLink, all: readonly PlacedLink[]): { lines: Line[]; isOver: boolean } {
  const { text } = link;
  if (text === undefined) return { lines: [], isOver: false };
  const isOver = all.some(({ points }) => segmentsOf(points).some((segment) => crosses(segment, text)));
  const x = rounded(text.x + text.width / 2);
  return {
    lines: text.lines.map((line, i) => ({ x, y: rounded(text.y + i * kNoteLine + kNoteLine * 0.76), text: line })),
    isOver,
  };
}
