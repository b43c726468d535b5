import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "../../web/playwright.ts";

/** By name; drawings of the core for designs of several sizes and shapes. */
let drawings: Map<string, string>;

test.beforeAll(() => {
  const native = join(test.info().config.rootDir, "../../build/native/tests/export_drawings");
  const program = process.env.PODWRIGHT_DRAWINGS ?? native;
  expect(existsSync(program), `${program} is built with the native tests`).toBe(true);
  const folder = mkdtempSync(join(tmpdir(), "podwright-drawings-"));
  execFileSync(program, [folder]);
  drawings = new Map(
    readdirSync(folder)
      .sort()
      .map((file) => [file.replace(/\.svg$/, ""), readFileSync(join(folder, file), "utf8")]),
  );
});

/** A rule for one of the fonts that come with these tests, so that no font of the machine is used. */
function face(family: string, file: string, more: string): string {
  const data = readFileSync(join(test.info().config.rootDir, `fonts/${file}.woff2`)).toString("base64");
  return `@font-face { font-family: ${family}; src: url(data:font/woff2;base64,${data}); ${more} }`;
}

/** Wide letters in their own lines, and in lines higher than those of any usual font (Noto Sans CJK: 116 and 29 %). */
const lines = { low: "", tall: "ascent-override: 116%; descent-override: 30%" };

/** Enlarged, as browsers round the height of a line to whole pixels. */
async function show(page: Page, svg: string, line: string): Promise<void> {
  await page.setContent(`<!doctype html><style>
    ${face("Sans", "DejaVuSans", line)}
    ${face("Sans", "DejaVuSans-Bold", `font-weight: bold; ${line}`)}
    ${face("Mono", "DejaVuSansMono", line)}
    svg { width: 11000px; height: auto; font-family: Sans }
    [font-family="monospace"] { font-family: Mono }
    </style><body style="margin: 0">${svg}</body>`);
  const loaded = await page.evaluate(async () => {
    const faces = await Promise.all([...document.fonts].map((one) => one.load()));
    return { faces: faces.length, text: document.querySelector("svg")?.textContent ?? "" };
  });
  expect(loaded.faces).toBe(3);
  expect(loaded.text, "letters that the fonts have").toMatch(/^[\n -~\u00b7\u00d7\u2026]*$/);
}

/** What is wrong with the places of the labels, as the browser draws them. */
const faults = (page: Page) =>
  page.evaluate(() => {
    const svg = document.querySelector("svg");
    const drawing = svg?.getBoundingClientRect() ?? new DOMRect();
    // Boxes of text hold the highest and lowest letters of its font; less than a unit of them is air.
    const slack = (0.75 * drawing.width) / (svg?.viewBox.baseVal.width ?? 0);
    const inside = (inner: DOMRect, outer: DOMRect) =>
      inner.left >= outer.left - slack &&
      inner.right <= outer.right + slack &&
      inner.top >= outer.top - slack &&
      inner.bottom <= outer.bottom + slack;
    const texts = [...document.querySelectorAll("svg text")].map((item) => ({
      text: item.textContent ?? "",
      at: item.getBoundingClientRect(),
    }));
    const boxes = [...document.querySelectorAll("svg rect")]
      .map((item) => item.getBoundingClientRect())
      .sort((a, b) => a.width * a.height - b.width * b.height);
    const found: string[] = [];
    texts.forEach(({ text, at }, i) => {
      if (at.width === 0 || text.trim() === "") found.push("a text that is not seen");
      if (!inside(at, drawing)) found.push(`${text} leaves the drawing`);
      for (const other of texts.slice(i + 1)) {
        const apart =
          at.right <= other.at.left + slack ||
          other.at.right <= at.left + slack ||
          at.bottom <= other.at.top + slack ||
          other.at.bottom <= at.top + slack;
        if (!apart) found.push(`${text} over ${other.text}`);
      }
      const x = (at.left + at.right) / 2;
      const y = (at.top + at.bottom) / 2;
      const box = boxes.find((one) => one.left <= x && x <= one.right && one.top <= y && y <= one.bottom);
      if (box !== undefined && !inside(at, box)) found.push(`${text} leaves its box`);
    });
    return { texts: texts.length, found };
  });

test("drawings of 31, 127 and 2,048 nodes are there", () => {
  for (const kind of ["topology", "elevation"])
    for (const nodes of [31, 127, 2048]) expect([...drawings.keys()]).toContain(`${kind}-${nodes}`);
});

test("drawings are XML that any page may hold", async ({ page }) => {
  for (const [name, svg] of drawings) {
    const read = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
      const all = [...parsed.querySelectorAll("*")];
      const ids = all.map((item) => item.id).filter((id) => id !== "");
      return {
        error: parsed.querySelector("parsererror")?.textContent ?? "",
        root: parsed.documentElement.tagName,
        title: parsed.querySelector("svg > title")?.textContent ?? "",
        described: parsed.querySelector("svg > desc")?.textContent ?? "",
        // A page with a strict policy refuses styles and scripts that stand in it.
        refused: all.filter((item) => /^(style|script|foreignObject)$/.test(item.tagName)).length,
        attributes: all.flatMap((item) => item.getAttributeNames()).filter((key) => /^(style|on.*|.*href)$/.test(key)),
        twice: ids.filter((id, i) => ids.indexOf(id) !== i),
      };
    }, svg);
    expect(read, name).toMatchObject({ error: "", root: "svg", refused: 0, attributes: [], twice: [] });
    expect(read.title, name).not.toBe("");
    expect(read.described, name).not.toBe("");
  }
});

for (const [kind, line] of Object.entries(lines))
  test(`no label lies over another or leaves its box, in wide letters and ${kind} lines`, async ({ page }) => {
    for (const [name, svg] of drawings) {
      await show(page, svg, line);
      const { texts, found } = await faults(page);
      expect(found, name).toEqual([]);
      if (!name.endsWith("refused")) expect(texts, name).toBeGreaterThan(15);
    }
  });

test("boxes of devices have tooltips", async ({ page }) => {
  for (const [name, svg] of drawings) {
    if (!name.startsWith("elevation")) continue;
    await show(page, svg, lines.low);
    const devices = page.locator(".device");
    expect(await devices.count(), name).toBeGreaterThan(0);
    const without = await devices.evaluateAll((all) =>
      all.filter((item) => item.firstElementChild?.tagName !== "title"),
    );
    expect(without, name).toEqual([]);
  }
});

test("text stands out from what is behind it, and roles differ without colour", async ({ page }) => {
  for (const [name, svg] of drawings) {
    await show(page, svg, lines.low);
    const seen = await page.evaluate(() => {
      const light = (color: string) => {
        const [r = 0, g = 0, b = 0] = (color.match(/\d+/g) ?? []).map((part) => {
          const value = Number(part) / 255;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const fills = [...document.querySelectorAll("svg rect:not(pattern rect)")]
        .map((item) => getComputedStyle(item).fill)
        .filter((fill) => fill.startsWith("rgb"));
      const inks = [...document.querySelectorAll("svg text")].map((item) => getComputedStyle(item).fill);
      const lightest = Math.max(...inks.map(light));
      const darkest = Math.min(1, ...fills.map(light));
      const patterns = [...document.querySelectorAll("pattern")].map((item) => item.innerHTML);
      return { contrast: (darkest + 0.05) / (lightest + 0.05), patterns };
    });
    expect(seen.contrast, name).toBeGreaterThan(4.5);
    expect(new Set(seen.patterns).size, name).toBe(seen.patterns.length);
  }
});

test("a page of racks fills one sheet of paper", async ({ page }) => {
  await page.setContent(`<!doctype html><body style="margin: 0">${drawings.get("elevation-sheet")}</body>`);
  await page.addStyleTag({ content: "svg { display: block; width: 100%; height: auto }" });
  for (const format of ["A4", "Letter"]) {
    const margin = { top: "10mm", right: "10mm", bottom: "10mm", left: "10mm" };
    const paper = await page.pdf({ format, margin, landscape: true });
    expect(paper.toString("latin1").match(/\/Type\s*\/Page\b/g), format).toHaveLength(1);
  }
});
