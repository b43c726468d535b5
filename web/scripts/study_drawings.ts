/** Drawings of `core/study/data/drawings`: what the page is given is checked here, so that it can draw whatever comes. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { BarsDrawing, BlocksDrawing, CoreDrawing, Drawing, DrawingBox } from "../src/study/drawing.ts";
import { kTones } from "../src/study/drawing.ts";
import type { WrittenPack } from "../src/study/pack.ts";

const kColumns = 6;
const kRows = 8;
const kMostBoxes = 16;
const kCoreFiles = ["topology-svg", "elevation-svg"];

/** The first and the last column or row that a box takes. */
function cellsOf({ at, size = [1, 1] }: DrawingBox): [left: number, top: number, right: number, bottom: number] {
  return [at[0], at[1], at[0] + size[0], at[1] + size[1]];
}

function* framesAround(box: DrawingBox, byId: ReadonlyMap<string, DrawingBox>): Generator<string> {
  const seen = new Set<string>();
  for (let frame = box.in; frame !== undefined && !seen.has(frame); frame = byId.get(frame)?.in) {
    seen.add(frame);
    yield frame;
  }
}

function gridFaults(boxes: readonly DrawingBox[], byId: ReadonlyMap<string, DrawingBox>): string[] {
  const faults: string[] = [];
  const isIn = (box: DrawingBox, frame: DrawingBox) => [...framesAround(box, byId)].includes(frame.id);
  boxes.forEach((box, i) => {
    const [left, top, right, bottom] = cellsOf(box);
    const isWhole = [left, top, right, bottom].every(Number.isInteger);
    if (!isWhole || left < 0 || top < 0 || right > kColumns || bottom > kRows || right <= left || bottom <= top)
      faults.push(`${box.id} is outside the grid of ${kColumns} columns and ${kRows} rows`);
    const frame = box.in === undefined ? undefined : byId.get(box.in);
    if (box.in !== undefined && frame === undefined) faults.push(`${box.id} is in ${box.in}, which does not exist`);
    if (frame !== undefined) {
      const [l, t, r, b] = cellsOf(frame);
      if (left < l || top < t || right > r || bottom > b) faults.push(`${box.id} leaves its frame ${frame.id}`);
    }
    for (const other of boxes.slice(i + 1)) {
      const [l, t, r, b] = cellsOf(other);
      const isOver = left < r && l < right && top < b && t < bottom;
      if (isOver && !isIn(box, other) && !isIn(other, box)) faults.push(`${box.id} lies over ${other.id}`);
    }
  });
  return faults;
}

function blockFaults({ boxes, links = [], steps = [] }: BlocksDrawing): string[] {
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const faults = gridFaults(boxes, byId);
  if (byId.size < boxes.length) faults.push("two boxes have one id");
  if (boxes.length === 0 || boxes.length > kMostBoxes) faults.push(`${boxes.length} boxes, at most ${kMostBoxes}`);
  const ends = [...links.flatMap(({ from, to }) => [from, to]), ...steps.flatMap(({ boxes: lit = [] }) => lit)];
  for (const id of ends) if (!byId.has(id)) faults.push(`no box is called ${id}`);
  for (const { from, to } of links) {
    const [a, b] = [byId.get(from), byId.get(to)];
    if (from === to) faults.push(`${from} leads to itself`);
    if (a && b && ([...framesAround(a, byId)].includes(to) || [...framesAround(b, byId)].includes(from)))
      faults.push(`a link leads from a frame to what it holds: ${from}, ${to}`);
  }
  for (const [from, to] of steps.flatMap((step) => step.links ?? [])) {
    const isThere = links.some((link) => [link.from, link.to].sort().join() === [from, to].sort().join());
    if (!isThere) faults.push(`a step lights a link that does not exist: ${from}, ${to}`);
  }
  return faults;
}

function barFaults({ bars, unit }: BarsDrawing): string[] {
  const values = bars.flatMap(({ parts }) => parts.map(({ value }) => value));
  const isGood = values.length > 0 && values.every((value) => typeof value === "number" && value > 0);
  return [...(isGood ? [] : ["a bar has no parts, or a part that is not above 0"]), ...(unit ? [] : ["no unit"])];
}

function coreFaults({ request }: CoreDrawing): string[] {
  const { kind, exports } = request;
  const isDrawn = kind === "architecture" && Array.isArray(exports) && exports.length === 1;
  return isDrawn && kCoreFiles.includes(String(exports[0]))
    ? []
    : [`the request must be of kind architecture and export one of ${kCoreFiles.join(", ")}`];
}

function toneFaults(drawing: Drawing): string[] {
  const legend = drawing.kind === "blocks" && drawing.legend ? Object.keys(drawing.legend) : [];
  const foreign = legend.filter((tone) => !kTones.some((one) => one === tone));
  const toned =
    drawing.kind === "blocks"
      ? [...drawing.boxes, ...(drawing.links ?? [])]
      : drawing.kind === "bars"
        ? drawing.bars.flatMap(({ parts }) => parts)
        : [];
  const known: readonly string[] = ["plain", ...kTones];
  const unknown = [...toned.map(({ tone }) => tone), ...foreign];
  return unknown.flatMap((tone) => (tone === undefined || known.includes(tone) ? [] : [`unknown tone ${tone}`]));
}

export function drawingFaults(drawing: Drawing): string[] {
  const texts = drawing.title && drawing.shows ? [] : ["title or shows is missing"];
  switch (drawing.kind) {
    case "blocks":
      return [...texts, ...blockFaults(drawing), ...toneFaults(drawing)];
    case "bars":
      return [...texts, ...barFaults(drawing), ...toneFaults(drawing)];
    case "core":
      return [...texts, ...coreFaults(drawing)];
    default:
      return [`unknown kind ${(drawing as Drawing).kind}`];
  }
}

/** Every drawing by its id; throws on the first that cannot be drawn. */
export function readDrawings(folder: string): Map<string, Drawing> {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  return new Map(
    names.sort().map((name) => {
      const drawing = JSON.parse(readFileSync(join(folder, name), "utf8")) as Drawing;
      const faults = drawingFaults(drawing);
      if (drawing.id !== basename(name, ".json")) faults.push(`its id is ${drawing.id}`);
      if (faults.length > 0) throw new Error(`drawings/${name}: ${faults.join("; ")}.`);
      return [drawing.id, drawing] as const;
    }),
  );
}

/** The drawings that questions show, each in a file that is loaded with the first of these questions. */
export function pictureFiles(
  drawings: ReadonlyMap<string, Drawing>,
  packs: readonly WrittenPack[],
): Record<string, Drawing> {
  const files: Record<string, Drawing> = {};
  for (const { id, picture, hidden } of packs.flatMap(({ questions }) => questions)) {
    if (picture === undefined) continue;
    const drawing = drawings.get(picture);
    if (drawing === undefined) throw new Error(`The question ${id} shows no drawing: ${picture}.`);
    const isThere = drawing.kind === "blocks" && drawing.boxes.some((box) => box.id === hidden);
    if (hidden !== undefined && !isThere) throw new Error(`The drawing ${picture} of ${id} has no box ${hidden}.`);
    files[`drawings/${picture}.json`] = drawing;
  }
  return files;
}
