/** Boxes of a drawing on its grid: columns and rows as wide and high as what they hold, with gaps in which links have room. */
import type { BlocksDrawing, DrawingBox, DrawingLink } from "./drawing.ts";
import { balanced, kBoldShare, textWidth, widest } from "./drawing_text.ts";

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlacedBox extends Rect {
  box: DrawingBox;
  /** Lines of the text and of the note. */
  lines: string[];
  notes: string[];
  isFrame: boolean;
  /** Of a frame whose title a link would cross at the left. */
  isTitleRight: boolean;
  /** How many frames are around it. */
  depth: number;
}

export const kName = { size: 14, share: kBoldShare };
export const kNote = { size: 12 };
export const kNameLine = 18;
export const kNoteLine = 16;

/** Room around the texts of a box. */
const kPad = 12;
/** Room between a frame and what it holds, and for its title. */
const kFramePad = 12;
const kTitle = 26;
/** The widest lines that widen a column, and the share of a gap: a wide drawing is closer. */
const kDensities = [
  { lineWidth: 140, share: 1 },
  { lineWidth: 98, share: 1 },
  { lineWidth: 86, share: 0.75 },
  { lineWidth: 68, share: 0.6 },
];
const kLeastHeight = 42;

/** Between columns and rows; `idle` where no link passes. */
export interface Gaps {
  /** How wide the drawing should be at most. */
  width: number;
  across: number;
  upright: number;
  idle: number;
}

const columnsOf = ({ at, size }: DrawingBox): [from: number, to: number] => [at[0], at[0] + (size?.[0] ?? 1)];
const rowsOf = ({ at, size }: DrawingBox): [from: number, to: number] => [at[1], at[1] + (size?.[1] ?? 1)];

export const isFrameIn = ({ boxes }: BlocksDrawing, { id, area }: DrawingBox) =>
  area === true || boxes.some((one) => one.in === id);

/** Frames within frames: how many are around a box, and how many levels a frame has of its own. */
function levels(drawing: BlocksDrawing) {
  const byId = new Map(drawing.boxes.map((box) => [box.id, box]));
  const depth = (box: DrawingBox): number => {
    const around = box.in === undefined ? undefined : byId.get(box.in);
    return around === undefined ? 0 : 1 + depth(around);
  };
  const own = (box: DrawingBox): number =>
    isFrameIn(drawing, box)
      ? 1 + Math.max(0, ...drawing.boxes.filter((one) => one.in === box.id).map((one) => own(one)))
      : 0;
  return { depth, own };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** What a box must be wide for its texts, broken within the widest lines of a column. */
function neededWidth(box: DrawingBox, lineWidth: number): number {
  const lines = widest(balanced(box.text, lineWidth, kName), kName);
  const notes = box.note === undefined ? 0 : widest(balanced(box.note, lineWidth, kNote), kNote);
  return Math.max(lines, notes) + 2 * kPad;
}

interface Texts {
  lines: string[];
  notes: string[];
}

function textsOf(box: DrawingBox, width: number): Texts {
  const inner = width - 2 * kPad;
  return {
    lines: balanced(box.text, inner, kName),
    notes: box.note === undefined ? [] : balanced(box.note, inner, kNote),
  };
}

const neededHeight = ({ lines, notes }: Texts) =>
  Math.max(kLeastHeight, lines.length * kNameLine + notes.length * kNoteLine + 2 * kPad);

/** The title of a frame stands in one line, the note behind it. */
export const frameTitle = ({ text, note }: DrawingBox) => (note === undefined ? text : `${text} · ${note}`);
const titleWidth = (box: DrawingBox) => textWidth(frameTitle(box), 13, kBoldShare) + 2 * kPad;

/** Sizes that tracks need for what spans several of them are shared evenly. */
function widen(
  sizes: number[],
  [from, to]: [number, number],
  needed: number,
  between: (track: number) => number,
): void {
  const inner = sum(Array.from({ length: to - from - 1 }, (_, i) => between(from + i + 1)));
  const missing = needed - inner - sum(sizes.slice(from, to));
  if (missing <= 0) return;
  for (let track = from; track < to; track += 1) sizes[track] = (sizes[track] ?? 0) + missing / (to - from);
}

interface Tracks {
  /** Where each begins, and its size. */
  starts: number[];
  sizes: number[];
}

function tracksOf(sizes: readonly number[], before: (track: number) => number): Tracks {
  const starts: number[] = [];
  let end = 0;
  sizes.forEach((size, track) => {
    const start = end + before(track);
    starts.push(start);
    end = start + size;
  });
  return { starts, sizes: [...sizes] };
}

/** Text of a link that runs straight between two boxes side by side needs a gap as wide. */
function textGap(link: DrawingLink, lineWidth: number): number {
  if (link.text === undefined) return 0;
  return widest(balanced(link.text, lineWidth, kNote), kNote) + 30;
}

/** Whether two spans of tracks share one. */
const meet = ([a, b]: [number, number], [c, d]: [number, number]) => a < d && c < b;

type Spans = (box: DrawingBox) => [number, number];

/** The gaps before tracks that links pass on their way. */
function passedGaps({ boxes, links = [] }: BlocksDrawing, spans: Spans): Set<number> {
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const passed = new Set<number>();
  for (const link of links) {
    const [a, b] = [byId.get(link.from), byId.get(link.to)];
    if (a === undefined || b === undefined) continue;
    const [one, other] = [spans(a), spans(b)];
    const last = Math.max(one[0], other[0]);
    for (let track = Math.min(one[1], other[1]); track <= last; track += 1) passed.add(track);
  }
  return passed;
}

/** For each column, how wide the gap before it must be for the texts of links across it. */
function gapsForTexts({ boxes, links = [] }: BlocksDrawing, count: number, lineWidth: number): number[] {
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const needed = new Array<number>(count + 1).fill(0);
  for (const link of links) {
    const [a, b] = [byId.get(link.from), byId.get(link.to)];
    if (a === undefined || b === undefined || !meet(rowsOf(a), rowsOf(b))) continue;
    const [left, right] = columnsOf(a)[0] < columnsOf(b)[0] ? [a, b] : [b, a];
    const [end, start] = [columnsOf(left)[1], columnsOf(right)[0]];
    if (start === end) needed[start] = Math.max(needed[start] ?? 0, textGap(link, lineWidth));
  }
  return needed;
}

/** Rows between which links with texts go up or down. */
function rowsWithTexts({ boxes, links = [] }: BlocksDrawing, count: number): boolean[] {
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const found = new Array<boolean>(count + 1).fill(false);
  for (const link of links) {
    const [a, b] = [byId.get(link.from), byId.get(link.to)];
    if (a === undefined || b === undefined || link.text === undefined) continue;
    const [upper, lower] = rowsOf(a)[0] < rowsOf(b)[0] ? [a, b] : [b, a];
    if (rowsOf(lower)[0] >= rowsOf(upper)[1]) found[rowsOf(lower)[0]] = true;
  }
  return found;
}

/** The cells' columns: their widths from what stands in them, and the gaps before each. */
function columnTracks(drawing: BlocksDrawing, gaps: Gaps, lineWidth: number): Tracks {
  const { own } = levels(drawing);
  const count = Math.max(...drawing.boxes.map((box) => columnsOf(box)[1]));
  const frames = drawing.boxes.filter((box) => isFrameIn(drawing, box));
  const plain = drawing.boxes.filter((box) => !frames.includes(box));
  const least = Math.min(76, lineWidth);
  const texts = gapsForTexts(drawing, count, Math.min(76, lineWidth));
  const passed = passedGaps(drawing, columnsOf);
  const before = (track: number) => {
    const left = Math.max(0, ...frames.filter((box) => columnsOf(box)[0] === track).map(own)) * kFramePad;
    const right = Math.max(0, ...frames.filter((box) => columnsOf(box)[1] === track).map(own)) * kFramePad;
    const gap = passed.has(track) ? Math.max(gaps.across, texts[track] ?? 0) : gaps.idle;
    return left + right + (track === 0 ? 0 : gap);
  };
  const sizes = new Array<number>(count).fill(0);
  for (const box of plain) {
    const [from, to] = columnsOf(box);
    if (to - from === 1) sizes[from] = Math.max(sizes[from] ?? 0, least, neededWidth(box, lineWidth));
  }
  const most = Math.max(least, ...sizes);
  const isUsed = (track: number) => drawing.boxes.some((box) => meet(columnsOf(box), [track, track + 1]));
  const even = sizes.map((_, track) => (isUsed(track) ? most : 0));
  const gapsInAll = sum(even.map((_, track) => before(track)));
  const chosen =
    sum(even) + gapsInAll <= gaps.width
      ? even
      : sizes.map((size, track) => (isUsed(track) ? Math.max(size, least / 2) : 0));
  for (const box of plain) {
    const [from, to] = columnsOf(box);
    widen(chosen, [from, to], neededWidth(box, lineWidth * (to - from)), before);
  }
  for (const frame of frames) widen(chosen, columnsOf(frame), titleWidth(frame) - 2 * kFramePad, before);
  return tracksOf(chosen, before);
}

const endOf = ({ starts, sizes }: Tracks, track: number) => (starts[track] ?? 0) + (sizes[track] ?? 0);
const spanOf = (tracks: Tracks, [from, to]: [number, number]) => endOf(tracks, to - 1) - (tracks.starts[from] ?? 0);

function rowTracks(drawing: BlocksDrawing, texts: ReadonlyMap<string, Texts>, gaps: Gaps): Tracks {
  const { own } = levels(drawing);
  const count = Math.max(...drawing.boxes.map((box) => rowsOf(box)[1]));
  const frames = drawing.boxes.filter((box) => isFrameIn(drawing, box));
  const named = rowsWithTexts(drawing, count);
  const passed = passedGaps(drawing, rowsOf);
  const before = (track: number) => {
    const top = Math.max(0, ...frames.filter((box) => rowsOf(box)[0] === track).map(own)) * kTitle;
    const bottom = Math.max(0, ...frames.filter((box) => rowsOf(box)[1] === track).map(own)) * kFramePad;
    return top + bottom + (track === 0 ? 0 : passed.has(track) ? gaps.upright + (named[track] ? 12 : 0) : gaps.idle);
  };
  const sizes = new Array<number>(count).fill(0);
  const needed = (box: DrawingBox) => neededHeight(texts.get(box.id) ?? { lines: [], notes: [] });
  const plain = drawing.boxes.filter((box) => !frames.includes(box));
  for (const box of plain) {
    const [from, to] = rowsOf(box);
    if (to - from === 1) sizes[from] = Math.max(sizes[from] ?? 0, needed(box));
  }
  for (const box of plain) widen(sizes, rowsOf(box), needed(box), before);
  // A frame that holds nothing is still as high as a box.
  for (const frame of frames) widen(sizes, rowsOf(frame), kLeastHeight, before);
  return tracksOf(sizes, before);
}

/** Every box with its place in pixels, frames first; those that are `turned` have their title at the right. */
export function placedBoxes(drawing: BlocksDrawing, gaps: Gaps, turned: ReadonlySet<string>): PlacedBox[] {
  const { depth, own } = levels(drawing);
  const choices = kDensities.map(({ lineWidth, share }) =>
    columnTracks(drawing, { ...gaps, across: gaps.across * share }, lineWidth),
  );
  const columns = choices.find((tracks) => endOf(tracks, tracks.sizes.length - 1) <= gaps.width) ?? choices.at(-1);
  if (columns === undefined) return [];
  const widthOf = (box: DrawingBox) => spanOf(columns, columnsOf(box));
  const texts = new Map(drawing.boxes.map((box) => [box.id, textsOf(box, widthOf(box))]));
  const rows = rowTracks(drawing, texts, gaps);
  const placed = drawing.boxes.map((box): PlacedBox => {
    const isFrame = isFrameIn(drawing, box);
    const [side, top] = isFrame ? [own(box) * kFramePad, own(box) * kTitle] : [0, 0];
    return {
      box,
      ...(texts.get(box.id) ?? { lines: [], notes: [] }),
      isFrame,
      isTitleRight: turned.has(box.id),
      depth: depth(box),
      x: (columns.starts[columnsOf(box)[0]] ?? 0) - side,
      y: (rows.starts[rowsOf(box)[0]] ?? 0) - top,
      width: widthOf(box) + 2 * side,
      height: spanOf(rows, rowsOf(box)) + top + side,
    };
  });
  return placed.sort((a, b) => Number(b.isFrame) - Number(a.isFrame) || a.depth - b.depth);
}
