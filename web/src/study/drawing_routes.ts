/** Links of a drawing: straight or with one bend, from edge to edge of their boxes, each with a place for its text beside boxes and other texts. */
import type { DrawingLink } from "./drawing.ts";
import { frameTitle, kNote, kNoteLine, type PlacedBox, type Rect } from "./drawing_grid.ts";
import { balanced, kBoldShare, textWidth, widest } from "./drawing_text.ts";

export interface Point {
  x: number;
  y: number;
}

export interface PlacedText extends Rect {
  lines: string[];
}

export interface PlacedLink {
  link: DrawingLink;
  /** From edge to edge. */
  points: Point[];
  text?: PlacedText;
}

/** What is wrong with a place costs; what may not be costs this and more. */
export const kForbidden = 1000;

/** Shares of an edge at which links may begin and end, the middle first. */
const kPorts = [0.5, 0.3, 0.7, 0.15, 0.85];
/** How far a line keeps from corners and boxes. */
const kClear = 6;
const kReach = 16;

const right = ({ x, width }: Rect) => x + width;
const bottom = ({ y, height }: Rect) => y + height;

/** The part of two spans that both have, without what is too near to its ends. */
function shared(a: [number, number], b: [number, number]): [number, number] | undefined {
  const [from, to] = [Math.max(a[0], b[0]) + 8, Math.min(a[1], b[1]) - 8];
  return to >= from ? [from, to] : undefined;
}

const along = (from: number, to: number, share: number) => from + (to - from) * share;
const spanX = (rect: Rect): [number, number] => [rect.x, right(rect)];
const spanY = (rect: Rect): [number, number] => [rect.y, bottom(rect)];

interface Way {
  points: Point[];
  /** How far from the middle of an edge, and whether it bends or leans. */
  cost: number;
}

/** Straight ways where both boxes share columns or rows. */
function straightWays(a: Rect, b: Rect): Way[] {
  const rows = shared(spanY(a), spanY(b));
  const columns = shared(spanX(a), spanX(b));
  const middles = (span: [number, number], own: [number, number], other: [number, number]) => {
    const wanted = [along(...own, 0.5), along(...other, 0.5)].filter((one) => one >= span[0] && one <= span[1]);
    return [...new Set([...wanted, ...kPorts.map((share) => along(...span, share))])];
  };
  const off = (at: number, span: [number, number]) => Math.abs(at - along(...span, 0.5)) / 4;
  const ways: Way[] = [];
  if (rows !== undefined && (right(a) <= b.x || right(b) <= a.x)) {
    const [from, to] = right(a) <= b.x ? [right(a), b.x] : [a.x, right(b)];
    for (const y of middles(rows, spanY(a), spanY(b)))
      ways.push({
        points: [
          { x: from, y },
          { x: to, y },
        ],
        cost: Math.min(off(y, spanY(a)), off(y, spanY(b))),
      });
  }
  if (columns !== undefined && (bottom(a) <= b.y || bottom(b) <= a.y)) {
    const [from, to] = bottom(a) <= b.y ? [bottom(a), b.y] : [a.y, bottom(b)];
    for (const x of middles(columns, spanX(a), spanX(b)))
      ways.push({
        points: [
          { x, y: from },
          { x, y: to },
        ],
        cost: Math.min(off(x, spanX(a)), off(x, spanX(b))),
      });
  }
  return ways;
}

/** Out of one side and into the top or the bottom of the other. */
function bentWays(a: Rect, b: Rect): Way[] {
  const ways: Way[] = [];
  for (const out of kPorts)
    for (const into of kPorts) {
      const [y, x] = [along(...spanY(a), out), along(...spanX(b), into)];
      const isBeside = x > right(a) + kReach || x < a.x - kReach;
      const isOver = y < b.y - kReach || y > bottom(b) + kReach;
      if (!isBeside || !isOver) continue;
      const from = { x: x > right(a) ? right(a) : a.x, y };
      const to = { x, y: y < b.y ? b.y : bottom(b) };
      ways.push({ points: [from, { x, y }, to], cost: 8 + 10 * (Math.abs(out - 0.5) + Math.abs(into - 0.5)) });
    }
  return ways;
}

/** Leaning lines between sides that face each other, as from a spine to its leaves. */
function leaningWays(a: Rect, b: Rect): Way[] {
  const ways: Way[] = [];
  const upright = bottom(a) <= b.y || bottom(b) <= a.y;
  const beside = !upright && (right(a) <= b.x || right(b) <= a.x);
  for (const out of kPorts)
    for (const into of kPorts) {
      const cost = 26 + 10 * (Math.abs(out - 0.5) + Math.abs(into - 0.5));
      if (upright) {
        const [from, to] = bottom(a) <= b.y ? [bottom(a), b.y] : [a.y, bottom(b)];
        const points = [
          { x: along(...spanX(a), out), y: from },
          { x: along(...spanX(b), into), y: to },
        ];
        ways.push({ points, cost });
      }
      if (beside) {
        const [from, to] = right(a) <= b.x ? [right(a), b.x] : [a.x, right(b)];
        const points = [
          { x: from, y: along(...spanY(a), out) },
          { x: to, y: along(...spanY(b), into) },
        ];
        ways.push({ points, cost });
      }
    }
  return ways;
}

type Segment = readonly [Point, Point];

export const segmentsOf = (points: readonly Point[]): Segment[] =>
  points.slice(1).map((point, i) => [points[i] ?? point, point]);

/** Whether a segment meets a rectangle (Liang and Barsky). */
export function crosses([from, to]: Segment, rect: Rect): boolean {
  // Most are far from each other.
  if (from.x < rect.x && to.x < rect.x) return false;
  if (from.y < rect.y && to.y < rect.y) return false;
  if (from.x > right(rect) && to.x > right(rect)) return false;
  if (from.y > bottom(rect) && to.y > bottom(rect)) return false;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  let [enter, leave] = [0, 1];
  const sides = [
    [-dx, from.x - rect.x],
    [dx, right(rect) - from.x],
    [-dy, from.y - rect.y],
    [dy, bottom(rect) - from.y],
  ] as const;
  for (const [p, q] of sides) {
    if (p === 0 && q < 0) return false;
    if (p < 0) enter = Math.max(enter, q / p);
    if (p > 0) leave = Math.min(leave, q / p);
  }
  return enter < leave;
}

export const overlap = (a: Rect, b: Rect) => a.x < right(b) && b.x < right(a) && a.y < bottom(b) && b.y < bottom(a);

export const grown = ({ x, y, width, height }: Rect, by: number): Rect => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

const isUpright = ([a, b]: Segment) => Math.abs(a.x - b.x) < 0.5;
const isLevel = ([a, b]: Segment) => Math.abs(a.y - b.y) < 0.5;
const boundsOf = ([a, b]: Segment): Rect => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

/** How far two parallel segments run close to each other. */
function runsBeside(a: Segment, b: Segment): boolean {
  if (!((isUpright(a) && isUpright(b)) || (isLevel(a) && isLevel(b)))) return false;
  return overlap(grown(boundsOf(a), 5), grown(boundsOf(b), 0.5));
}

function meets(a: Segment, b: Segment): boolean {
  if (!overlap(grown(boundsOf(a), 0.1), grown(boundsOf(b), 0.1))) return false;
  const side = ([p, q]: Segment, r: Point) => Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
  return side(a, b[0]) * side(a, b[1]) < 0 && side(b, a[0]) * side(b, a[1]) < 0;
}

const lengthOf = (points: readonly Point[]) =>
  segmentsOf(points).reduce((sum, [a, b]) => sum + Math.hypot(a.x - b.x, a.y - b.y), 0);

/** The title of a frame, which nothing lies over. */
export function titleRect(placed: PlacedBox): Rect {
  const width = textWidth(frameTitle(placed.box), 13, kBoldShare) + 4;
  return { x: placed.isTitleRight ? right(placed) - 8 - width : placed.x + 8, y: placed.y + 4, width, height: 20 };
}

/** Frames around a box, with itself. */
function around(box: PlacedBox, all: readonly PlacedBox[]): Set<string> {
  const found = new Set([box.box.id]);
  for (let at: PlacedBox | undefined = box; at?.box.in !== undefined; ) {
    const next: string = at.box.in;
    if (found.has(next)) break;
    found.add(next);
    at = all.find((one) => one.box.id === next);
  }
  return found;
}

/** What a way costs for the boxes it meets. */
function costAmongBoxes(points: readonly Point[], ends: ReadonlySet<string>, boxes: readonly PlacedBox[]): number {
  let cost = 0;
  for (const segment of segmentsOf(points))
    for (const placed of boxes) {
      if (placed.isFrame) {
        if (crosses(segment, titleRect(placed))) cost += kForbidden;
        if (!ends.has(placed.box.id) && crosses(segment, placed)) cost += 200;
      } else if (!ends.has(placed.box.id) && crosses(segment, grown(placed, kClear))) cost += kForbidden;
    }
  return cost;
}

/** The side of a box at which a link begins or ends. */
function sideOf({ x, y }: Point, rect: Rect): string {
  if (Math.abs(y - rect.y) < 0.5) return "top";
  if (Math.abs(y - bottom(rect)) < 0.5) return "bottom";
  return Math.abs(x - rect.x) < 0.5 ? "left" : "right";
}

/** What comes to a box and what leaves it is better at different sides. */
function costOfSides(
  points: readonly Point[],
  own: DrawingLink,
  others: readonly PlacedLink[],
  a: Rect,
  b: Rect,
): number {
  let cost = 0;
  const [from, to] = [points[0], points.at(-1)];
  for (const { link, points: theirs } of others) {
    const [start, end] = [theirs[0], theirs.at(-1)];
    if (!from || !to || !start || !end) continue;
    if (own.from === link.to && sideOf(from, a) === sideOf(end, a)) cost += 12;
    if (own.to === link.from && sideOf(to, b) === sideOf(start, b)) cost += 12;
  }
  return cost;
}

/** What a way costs for the other links that are there. */
function costAmongLinks(points: readonly Point[], own: DrawingLink, others: readonly PlacedLink[]): number {
  let cost = 0;
  const ends = [points[0], points.at(-1)];
  for (const { link, points: theirs, text } of others) {
    const isAkin = link.from === own.from || link.to === own.to;
    for (const a of segmentsOf(points)) {
      for (const b of segmentsOf(theirs)) {
        if (runsBeside(a, b)) cost += isAkin ? 80 : kForbidden;
        else if (meets(a, b)) cost += 25;
      }
      if (text !== undefined && crosses(a, text)) cost += kForbidden;
    }
    for (const end of ends)
      for (const their of [theirs[0], theirs.at(-1)])
        if (end && their && Math.hypot(end.x - their.x, end.y - their.y) < 9) cost += 14;
  }
  return cost;
}

/** Places of a text beside a way, the best ones first. */
function textPlaces(points: readonly Point[], width: number, height: number): (Rect & { cost: number })[] {
  const places: (Rect & { cost: number })[] = [];
  const shares = [0.5, 0.4, 0.6, 0.3, 0.7];
  const add = (x: number, y: number, cost: number) => places.push({ x, y, width, height, cost });
  for (const segment of segmentsOf(points)) {
    const [a, b] = segment;
    const length = Math.hypot(a.x - b.x, a.y - b.y);
    shares.forEach((share, rank) => {
      const [x, y] = [along(a.x, b.x, share), along(a.y, b.y, share)];
      const cost = 2 * rank + Math.max(0, 40 - length) / 2;
      if (isLevel(segment)) {
        add(x - width / 2, y - height - 4, cost);
        add(x - width / 2, y + 4, cost + 1);
      } else if (isUpright(segment)) {
        add(x + 7, y - height / 2, cost);
        add(x - 7 - width, y - height / 2, cost + 1);
      } else {
        add(x - width / 2, y - height / 2, cost + 6);
        add(x + 8, y - height / 2, cost + 3);
        add(x - 8 - width, y - height / 2, cost + 3);
      }
    });
  }
  return places;
}

function textCost(
  place: Rect,
  way: readonly Point[],
  boxes: readonly PlacedBox[],
  others: readonly PlacedLink[],
): number {
  let cost = 0;
  for (const placed of boxes) {
    if (placed.isFrame) {
      if (overlap(place, titleRect(placed))) cost += kForbidden;
      const isInside = overlap(place, grown(placed, 5));
      const isWithin = isInside && place.x >= placed.x + 5 && right(place) <= right(placed) - 5;
      if (isInside && (!isWithin || place.y < placed.y + 5 || bottom(place) > bottom(placed) - 5)) cost += 40;
    } else if (overlap(place, grown(placed, 1))) cost += kForbidden;
  }
  for (const { points, text } of others) {
    if (text !== undefined && overlap(place, grown(text, 2))) cost += kForbidden;
    for (const segment of segmentsOf(points)) if (crosses(segment, place)) cost += kForbidden;
  }
  // A bend may come back to the text.
  for (const segment of segmentsOf(way))
    if ((isUpright(segment) || isLevel(segment)) && crosses(segment, place)) cost += 400;
  return cost;
}

/** Lines into which a text may be broken. */
function lineChoices(text: string): string[][] {
  const choices = [200, 90, 60].map((width) => balanced(text, width, kNote));
  return choices.filter(
    (lines, i) => choices.findIndex((one) => one.length === lines.length) === i && lines.length < 4,
  );
}

interface Chosen extends PlacedLink {
  cost: number;
}

function withText(way: Way, link: DrawingLink, boxes: readonly PlacedBox[], others: readonly PlacedLink[]): Chosen {
  const plain = { link, points: way.points, cost: way.cost };
  if (link.text === undefined) return plain;
  let best: Chosen | undefined;
  lineChoices(link.text).forEach((lines, rank) => {
    const width = widest(lines, kNote);
    for (const { cost: own, ...place } of textPlaces(way.points, width, lines.length * kNoteLine)) {
      const cost = way.cost + own + 4 * rank + textCost(place, way.points, boxes, others);
      if (best === undefined || cost < best.cost) best = { link, points: way.points, text: { ...place, lines }, cost };
    }
  });
  return best ?? plain;
}

/** How many of the ways among the boxes are looked at among the links, and how many of these get a place for the text. */
const kFree = 40;
const kTried = 12;

function chosenWay(link: DrawingLink, boxes: readonly PlacedBox[], others: readonly PlacedLink[]): Chosen | undefined {
  const [a, b] = [link.from, link.to].map((id) => boxes.find(({ box }) => box.id === id));
  if (a === undefined || b === undefined) return undefined;
  const ends = new Set([...around(a, boxes), ...around(b, boxes)]);
  const back = bentWays(b, a).map(({ points, cost }) => ({ points: [...points].reverse(), cost }));
  const ways = [...straightWays(a, b), ...bentWays(a, b), ...back, ...leaningWays(a, b)].map(
    (way): Way => ({
      points: way.points,
      cost: way.cost + lengthOf(way.points) / 20 + costAmongBoxes(way.points, ends, boxes),
    }),
  );
  const free = ways.sort((one, other) => one.cost - other.cost).slice(0, kFree);
  const apart = free.map(({ points, cost }): Way => {
    const amongLinks = costAmongLinks(points, link, others) + costOfSides(points, link, others, a, b);
    return { points, cost: cost + amongLinks };
  });
  const tried = apart.sort((one, other) => one.cost - other.cost).slice(0, kTried);
  const chosen = tried.map((way) => withText(way, link, boxes, others));
  return chosen.sort((one, other) => one.cost - other.cost)[0];
}

export interface Routed {
  links: PlacedLink[];
  /** Of the worst link, and of all. */
  worst: number;
  cost: number;
}

/** Each link in turn takes the best way beside those that are there; then each once more, now that all are. */
export function routed(links: readonly DrawingLink[], boxes: readonly PlacedBox[]): Routed {
  const placed = new Map<DrawingLink, Chosen>();
  for (let round = 0; round < 3; round += 1) {
    let isSettled = true;
    for (const link of links) {
      const others = [...placed].flatMap(([other, one]) => (other === link ? [] : [one]));
      const chosen = chosenWay(link, boxes, others);
      if (chosen === undefined) continue;
      isSettled &&= placed.get(link)?.cost === chosen.cost;
      placed.set(link, chosen);
    }
    if (isSettled) break;
  }
  const all = links.flatMap((link) => placed.get(link) ?? []);
  return {
    links: all,
    worst: Math.max(0, ...all.map(({ cost }) => cost)),
    cost: all.reduce((sum, { cost }) => sum + cost, 0),
  };
}
