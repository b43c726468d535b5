/** Drawings: every one of the data can be drawn, nothing lies over anything, and its words hold all that is drawn. */
import { fileURLToPath } from "node:url";
import { renderToString } from "preact-render-to-string";
import { describe, expect, it, vi } from "vitest";
import { drawingFaults, pictureFiles, readDrawings } from "../../../web/scripts/study_drawings.ts";
import {
  type BarsDrawing,
  type BlocksDrawing,
  type Drawing,
  type DrawingBox,
  drawingWords,
  isLinkLit,
  stepAt,
  stepMoved,
  tonesShown,
  withHidden,
} from "../../../web/src/study/drawing.ts";
import { coreImage } from "../../../web/src/study/drawing_core.ts";
import { frameTitle, isFrameIn, type PlacedBox, type Rect } from "../../../web/src/study/drawing_grid.ts";
import { arrowHead, barSpans, boxShape, layoutOf, linkShape } from "../../../web/src/study/drawing_layout.ts";
import { crosses, grown, overlap, segmentsOf, titleRect } from "../../../web/src/study/drawing_routes.ts";
import { balanced, textWidth, wrapped } from "../../../web/src/study/drawing_text.ts";
import { DrawingView } from "../../../web/src/study/screens/drawing.tsx";
import { drawingTexts } from "../../../web/src/study/screens/drawing_texts.ts";
import { withPictureWords } from "../../../web/src/study/screens/question/picture_words.ts";
import { shownQuestion } from "../../../web/src/study/shown_question.ts";
import { readWrittenPacks } from "./written_packs.ts";

const folder = fileURLToPath(new URL("../../../core/study/data/", import.meta.url));
const drawings = readDrawings(`${folder}drawings`);
const packs = readWrittenPacks();
const phrases = drawingTexts.phrases;

/** What the page says of a drawing, its tags taken away. */
function readableText(drawing: Drawing, hidden?: string): string {
  const html = renderToString(<DrawingView drawing={drawing} hidden={hidden} />);
  const attributes = [...html.matchAll(/\b(?:aria-label|alt|title)="([^"]*)"/g)].map(([, text]) => text);
  return [html.replaceAll(/<[^>]+>/g, "\n"), ...attributes]
    .join("\n")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

const blocks = [...drawings.values()].filter((one): one is BlocksDrawing => one.kind === "blocks");
const bars = [...drawings.values()].filter((one): one is BarsDrawing => one.kind === "bars");

describe("the data", () => {
  it("has drawings of every kind", () => {
    expect(drawings.size).toBeGreaterThanOrEqual(6);
    expect(new Set([...drawings.values()].map(({ kind }) => kind))).toEqual(new Set(["blocks", "bars", "core"]));
  });

  it("goes to the page where a question shows it", () => {
    const named = packs.flatMap(({ questions }) => questions.flatMap(({ picture }) => picture ?? []));
    expect(Object.keys(pictureFiles(drawings, packs)).sort()).toEqual(
      [...new Set(named.map((id) => `drawings/${id}.json`))].sort(),
    );
  });
});

const widths = ["wide", "narrow"] as const;
const laidOut = blocks.flatMap((one) => widths.map((width) => [one.id, width, one] as const));
describe.each(laidOut)("%s, %s", (_id, width, drawing) => {
  const { boxes, links, view } = layoutOf(drawing, width);
  const solid = boxes.filter(({ isFrame }) => !isFrame);
  const frames = boxes.filter(({ isFrame }) => isFrame);
  const words = drawingWords(drawing, phrases);
  const nameOf = (id: string) => drawing.boxes.find((box) => box.id === id)?.text ?? "";

  it("says every box, link and step in words", () => {
    const text = words.join("\n");
    for (const { text: name, note } of drawing.boxes)
      expect(text).toContain(note === undefined ? name : `${name}, ${note}`);
    for (const { from, to, text: named = "" } of drawing.links ?? [])
      expect(
        words.filter((line) => line.startsWith(`${nameOf(from)} to ${nameOf(to)}`) && line.includes(named)),
      ).not.toEqual([]);
    for (const step of drawing.steps ?? []) expect(text).toContain(step.text);
    for (const frame of drawing.boxes) {
      const held = drawing.boxes.filter((box) => box.in === frame.id);
      const own = words.filter((one) => one.startsWith(frame.text) && one.includes(" contains: "));
      const isWhole = own.some((line) => held.every((box) => line.includes(box.text)));
      expect(held.length === 0 || isWhole, frame.id).toBe(true);
    }
  });

  it("puts title, meaning and words on the page", () => {
    const text = readableText(drawing);
    for (const one of [drawing.title, drawing.shows, ...words]) expect(text).toContain(one);
  });

  it("lays no box over another, and holds every box in its frame", () => {
    for (const [i, a] of solid.entries())
      for (const b of solid.slice(i + 1)) expect(overlap(a, b), `${a.box.id}, ${b.box.id}`).toBe(false);
    const isInside = (inner: Rect, outer: Rect) =>
      inner.x >= outer.x &&
      inner.y >= outer.y &&
      inner.x + inner.width <= outer.x + outer.width &&
      inner.y + inner.height <= outer.y + outer.height;
    for (const placed of boxes) {
      expect(isInside(placed, view)).toBe(true);
      const frame = frames.find(({ box }) => box.id === placed.box.in);
      if (placed.box.in !== undefined) expect(frame).toBeDefined();
      if (frame !== undefined) {
        expect(isInside(placed, frame), placed.box.id).toBe(true);
        expect(overlap(placed.isFrame ? titleRect(placed) : placed, titleRect(frame)), placed.box.id).toBe(false);
      }
    }
    for (const frame of frames)
      for (const placed of solid)
        if (placed.box.in === undefined)
          expect(overlap(placed, frame), `${placed.box.id}, ${frame.box.id}`).toBe(false);
  });

  it("has room for every text of a box", () => {
    for (const placed of boxes) {
      const { names, notes } = boxShape(placed);
      const width = Math.max(
        ...names.map(({ text }) => textWidth(text, placed.isFrame ? 13 : 14, 1.1)),
        ...notes.map(({ text }) => textWidth(text, 12)),
      );
      expect(width, placed.box.id).toBeLessThanOrEqual(placed.width - 12);
      for (const { y } of [...names, ...notes]) {
        expect(y - 10, placed.box.id).toBeGreaterThanOrEqual(placed.y);
        expect(y + 3, placed.box.id).toBeLessThanOrEqual(placed.y + placed.height);
      }
    }
  });

  it("leads every link from edge to edge, with one bend at most, over no other box", () => {
    expect(links).toHaveLength(drawing.links?.length ?? 0);
    for (const { link, points } of links) {
      const name = `${link.from} to ${link.to}`;
      expect(points.length, name).toBeLessThanOrEqual(3);
      const ends = [link.from, link.to].map((id) => boxes.find(({ box }) => box.id === id));
      expect(isOnEdge(points[0], ends[0]), name).toBe(true);
      expect(isOnEdge(points.at(-1), ends[1]), name).toBe(true);
      for (const segment of segmentsOf(points))
        for (const placed of solid)
          expect(crosses(segment, grown(placed, -1)), `${name} over ${placed.box.id}`).toBe(false);
    }
  });

  it("lays no text of a link over a box, a title or another text", () => {
    const placed = links.flatMap(({ text, link }) => (text === undefined ? [] : [{ text, link }]));
    expect(placed).toHaveLength((drawing.links ?? []).filter(({ text }) => text !== undefined).length);
    for (const [i, { text, link }] of placed.entries()) {
      const name = `${link.from} to ${link.to}: ${link.text}`;
      expect(text.lines.join(" ")).toBe(link.text);
      for (const one of solid) expect(overlap(text, one), `${name} over ${one.box.id}`).toBe(false);
      for (const one of frames) expect(overlap(text, titleRect(one)), `${name} over ${one.box.id}`).toBe(false);
      for (const other of placed.slice(i + 1)) expect(overlap(text, other.text), name).toBe(false);
    }
  });
});

function isOnEdge(point: { x: number; y: number } | undefined, placed: PlacedBox | undefined): boolean {
  if (point === undefined || placed === undefined) return false;
  const { x, y, width, height } = placed;
  const near = (a: number, b: number) => Math.abs(a - b) < 0.5;
  const isAcross = point.x >= x - 0.5 && point.x <= x + width + 0.5;
  const isUpright = point.y >= y - 0.5 && point.y <= y + height + 0.5;
  return (
    isAcross &&
    isUpright &&
    (near(point.x, x) || near(point.x, x + width) || near(point.y, y) || near(point.y, y + height))
  );
}

/** "1 bit", but "1 GB" and "2 bits". */
const oneOrMore = (value: number, unit: string) => (value === 1 && unit === "bits" ? "bit" : unit);

describe.each(bars.map((one) => [one.id, one] as const))("%s", (_id, drawing) => {
  it("says every part and value", () => {
    const words = drawingWords(drawing, phrases);
    const text = readableText(drawing);
    drawing.bars.forEach(({ text: name, parts }, i) => {
      expect(words[i]).toContain(name);
      for (const part of parts)
        for (const said of [words[i], text])
          expect(said).toContain(
            `${part.text} ${part.value.toLocaleString("en")} ${oneOrMore(part.value, drawing.unit)}`,
          );
    });
  });

  it("draws parts one after the other on one scale", () => {
    const drawn = barSpans(drawing);
    const most = Math.max(...drawing.bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
    drawn.forEach(({ parts }, i) => {
      let end = 0;
      parts.forEach((part, j) => {
        const value = drawing.bars[i]?.parts[j]?.value ?? 0;
        expect(part.from).toBeCloseTo((end / most) * 100, 0);
        expect(part.width).toBeCloseTo((value / most) * 100, 0);
        end += value;
      });
    });
  });
});

const asked = packs.flatMap(({ questions }) => questions.filter(({ picture }) => picture !== undefined));
describe.runIf(asked.length > 0)("questions with a picture", () => {
  it.each(asked.map((one) => [one.id, one] as const))(
    "%s does not name the missing part",
    (_id, { picture, hidden }) => {
      const drawing = drawings.get(picture ?? "");
      if (drawing === undefined || drawing.kind !== "blocks" || hidden === undefined) return;
      const name = drawing.boxes.find(({ id }) => id === hidden)?.text ?? "";
      expect(name).not.toBe("");
      expect(readableText(drawing)).toContain(name);
      expect(readableText(drawing, hidden).toLowerCase()).not.toContain(name.toLowerCase());
    },
  );
});

const box = (id: string, at: [number, number], more: Partial<DrawingBox> = {}): DrawingBox => ({
  id,
  text: id,
  at,
  ...more,
});
const sample = (more: Partial<BlocksDrawing> = {}): BlocksDrawing => ({
  id: "sample",
  kind: "blocks",
  title: "T",
  shows: "S",
  boxes: [box("a", [0, 0]), box("b", [1, 0])],
  ...more,
});

describe("drawingFaults", () => {
  it("finds nothing wrong with a sound drawing", () => {
    expect(drawingFaults(sample({ links: [{ from: "a", to: "b" }] }))).toEqual([]);
  });

  it.each<[string, Drawing, RegExp]>([
    ["boxes over each other", sample({ boxes: [box("a", [0, 0]), box("b", [0, 0])] }), /a lies over b/],
    [
      "a box outside its frame",
      sample({ boxes: [box("f", [0, 0], { area: true }), box("b", [1, 0], { in: "f" })] }),
      /leaves/,
    ],
    ["an unknown frame", sample({ boxes: [box("a", [0, 0], { in: "f" })] }), /does not exist/],
    ["a box outside the grid", sample({ boxes: [box("a", [6, 0])] }), /outside the grid/],
    ["a link to nothing", sample({ links: [{ from: "a", to: "c" }] }), /no box is called c/],
    ["a link to itself", sample({ links: [{ from: "a", to: "a" }] }), /leads to itself/],
    [
      "a link from a frame to what it holds",
      sample({
        boxes: [box("f", [0, 0], { area: true }), box("b", [0, 0], { in: "f" })],
        links: [{ from: "f", to: "b" }],
      }),
      /from a frame/,
    ],
    ["a step that lights nothing", sample({ steps: [{ text: "x", links: [["a", "b"]] }] }), /does not exist/],
    ["a tone that is none", sample({ boxes: [box("a", [0, 0], { tone: "blue" as "data" })] }), /unknown tone/],
    ["two boxes of one id", sample({ boxes: [box("a", [0, 0]), box("a", [1, 0])] }), /one id/],
    ["a bar of nothing", { ...sample(), kind: "bars", unit: "GB", bars: [{ text: "x", parts: [] }] }, /no parts/],
    ["a core without a drawing", { ...sample(), kind: "core", request: { kind: "fabric" } }, /architecture/],
  ])("finds %s", (_name, drawing, fault) => {
    expect(drawingFaults(drawing).join("\n")).toMatch(fault);
  });
});

describe("a hidden part", () => {
  const whole = sample({
    boxes: [box("a", [0, 0], { text: "Alpha", note: "first" }), box("b", [1, 0], { text: "Beta" })],
    links: [{ from: "a", to: "b", text: "wire" }],
  });
  it("has neither name nor note", () => {
    const text = readableText(whole, "a");
    expect(text).toContain("?");
    expect(text).toContain("missing part to Beta: wire");
    expect(text).not.toMatch(/Alpha|first/);
  });
  it("leaves the drawing as it was", () => {
    withHidden(whole, "a");
    expect(whole.boxes[0]?.text).toBe("Alpha");
    expect(withHidden(whole, undefined)).toBe(whole);
  });
});

describe("layout", () => {
  it("leads around a box that is in the way", () => {
    const { links } = layoutOf(
      sample({ boxes: [box("a", [0, 0]), box("b", [1, 0]), box("c", [2, 1])], links: [{ from: "a", to: "c" }] }),
    );
    const [first, bend, last] = links[0]?.points ?? [];
    expect([first?.x, bend?.y]).toEqual([bend?.x, last?.y]);
  });

  it("ends arrows at edges", () => {
    const { corners, end } = arrowHead({ x: 0, y: 0 }, { x: 20, y: 0 });
    expect(corners[0]).toEqual({ x: 20, y: 0 });
    expect(end).toEqual({ x: 11, y: 0 });
    const link = layoutOf(sample({ links: [{ from: "a", to: "b", both: true }] })).links[0];
    expect(link && linkShape(link).heads).toHaveLength(2);
  });

  it("keeps two links between the same boxes apart", () => {
    const { links } = layoutOf(
      sample({
        links: [
          { from: "a", to: "b" },
          { from: "b", to: "a" },
        ],
      }),
    );
    expect(links[0]?.points[0]?.y).not.toBe(links[1]?.points[0]?.y);
  });
});

describe("texts", () => {
  it("are broken at spaces into lines of about one length", () => {
    expect(wrapped("one two three", 1, { size: 12 })).toEqual(["one", "two", "three"]);
    expect(balanced("aaaa bbbb cccc dddd", textWidth("aaaa bbbb cccc", 12), { size: 12 })).toEqual([
      "aaaa bbbb",
      "cccc dddd",
    ]);
    expect(textWidth("W", 10)).toBeGreaterThan(textWidth("i", 10));
  });
  it("of frames have their note in the same line", () => {
    expect(frameTitle(box("a", [0, 0], { note: "n" }))).toBe("a · n");
    expect(isFrameIn(sample(), box("a", [0, 0]))).toBe(false);
  });
});

describe("steps", () => {
  const stepped = sample({
    links: [{ from: "a", to: "b" }],
    steps: [{ text: "one", links: [["b", "a"]] }, { text: "two" }],
  });
  it("light a link whichever way they name it", () => {
    const [first, second] = stepped.steps ?? [];
    expect(first && isLinkLit(first, { from: "a", to: "b" })).toBe(true);
    expect(second && isLinkLit(second, { from: "a", to: "b" })).toBe(false);
  });
  it("stay within those that there are", () => {
    expect([stepMoved(0, -1, 2), stepMoved(0, 1, 2), stepMoved(2, 1, 2)]).toEqual([0, 1, 2]);
    expect([stepAt(stepped, 0), stepAt(stepped, 2)?.text]).toEqual([undefined, "two"]);
  });
});

describe("tones", () => {
  it("have a legend where there are two", () => {
    expect(tonesShown(sample({ boxes: [box("a", [0, 0], { tone: "data" })] }))).toEqual([]);
    const two = sample({ boxes: [box("a", [0, 0], { tone: "heat" }), box("b", [1, 0], { tone: "data" })] });
    expect(tonesShown(two)).toEqual(["data", "heat"]);
    expect(drawingWords(two, phrases).join()).toContain("a (heat)");
  });
  it("mean what the drawing says they do, or nothing", () => {
    const boxes = [box("a", [0, 0], { tone: "heat" }), box("b", [1, 0], { tone: "data" })];
    const named = sample({ boxes, legend: { heat: "hot air" } });
    expect(drawingWords(named, phrases).join()).toContain("a (hot air); b (data)");
    expect(readableText(named)).toContain("hot air");
    expect(tonesShown(sample({ boxes, legend: false }))).toEqual([]);
    expect(drawingFaults(sample({ boxes, legend: { blue: "x" } as unknown as BlocksDrawing["legend"] }))).toEqual([
      "unknown tone blue",
    ]);
  });
});

describe("coreImage", () => {
  it("reads size, title and description, and makes small letters readable", () => {
    const svg = `<svg xmlns="x" width="1000" height="400" a="b"><title id="t">A &amp; B</title><desc>D</desc><text font-size="10">x</text></svg>`;
    expect(coreImage(svg)).toMatchObject({ title: "A & B", description: "D", width: 1200, height: 480 });
    expect(coreImage("nothing")).toBeUndefined();
  });
});

describe("a question for places of text alone", () => {
  it("tells its picture in words, without the missing part", async () => {
    const written = asked.find(({ hidden }) => hidden !== undefined);
    const drawing = drawings.get(written?.picture ?? "");
    if (written === undefined || drawing?.kind !== "blocks") throw new Error("no question has a hidden part");
    vi.stubGlobal("document", { baseURI: "https://a.example/" });
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify(drawing)));
    const told = await withPictureWords(shownQuestion(written, "1.1", 1));
    vi.unstubAllGlobals();
    const name = drawing.boxes.find(({ id }) => id === written.hidden)?.text ?? "";
    expect(told?.drawing).toContain(drawing.title);
    expect(told?.drawing).toContain("missing part");
    expect(told?.drawing?.toLowerCase()).not.toContain(name.toLowerCase());
    expect(await withPictureWords(undefined)).toBeUndefined();
  });
});
