/** The chart of a figure as SVG, as PNG at twice its size, or its table as CSV: what is kept is what is shown. */

import type { ChartForm } from "../views/chart_files.tsx";
import { keepFile } from "./keep_file.ts";

/** Styles that a drawing takes from the page; a file of its own has no page. */
const kStyles =
  "fill stroke stroke-width stroke-dasharray stroke-linecap stroke-opacity fill-opacity opacity paint-order text-anchor font-family font-size font-weight visibility overflow".split(
    " ",
  );
const kMargin = 16;
const kTitleHeight = 30;
const kPictureScale = 2;

export async function keepChart(figure: HTMLElement, form: ChartForm): Promise<void> {
  const title = titleOf(figure);
  const name = `podwright-${title.toLowerCase().replaceAll(/[^a-z0-9\p{Script=Han}]+/gu, "-")}.${form}`;
  if (form === "csv") return keepFile(name, await tableText(figure), "text/csv");
  const drawing = drawingOf(figure, title);
  const text = new XMLSerializer().serializeToString(drawing.svg);
  if (form === "svg") return keepFile(name, text, "image/svg+xml");
  keepFile(name, await pictureOf(text, drawing.width, drawing.height), "image/png");
}

/** The heading of the chart, or of the part of the answer that it belongs to. */
function titleOf(figure: HTMLElement): string {
  const heading =
    figure.querySelector("h2, h3") ?? figure.closest(".card, .sub-part, details")?.querySelector("h2, h3");
  return heading?.textContent?.trim().replaceAll(/\s+/g, " ") ?? document.title;
}

/** All drawings of the figure under their title, as they lie on the page. */
function drawingOf(figure: HTMLElement, title: string) {
  const parts = [...figure.querySelectorAll<SVGSVGElement>("svg")].filter(
    (part) => part.parentElement?.closest("svg") === null && part.closest("button, table") === null,
  );
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const words = wordsBeside(figure);
  const all = [...boxes, ...words.map(({ box }) => box)];
  const left = Math.min(...all.map((box) => box.left));
  const top = Math.min(...all.map((box) => box.top));
  const width = Math.max(...all.map((box) => box.right)) - left + 2 * kMargin;
  const height = Math.max(...all.map((box) => box.bottom)) - top + 2 * kMargin + kTitleHeight;
  const page = getComputedStyle(figure);
  const card = getComputedStyle(document.documentElement).getPropertyValue("--card").trim() || "#ffffff";
  const svg = element("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": page.fontFamily });
  svg.append(element("rect", { width, height, fill: card }));
  const heading = element("text", {
    x: kMargin,
    y: kMargin + 14,
    fill: page.color,
    "font-size": 15,
    "font-weight": 600,
  });
  heading.textContent = title;
  svg.append(heading);
  for (const [i, part] of parts.entries()) {
    const copy = part.cloneNode(true) as SVGSVGElement;
    copyStyles(part, copy);
    const box = boxes[i] as DOMRect;
    setAll(copy, {
      x: box.left - left + kMargin,
      y: box.top - top + kMargin + kTitleHeight,
      width: box.width,
      height: box.height,
      overflow: "visible",
    });
    svg.append(copy);
  }
  for (const { text, box, style } of words) {
    const name = element("text", {
      x: box.left - left + kMargin,
      y: box.bottom - top + kMargin + kTitleHeight - 5,
      fill: style.color,
      "font-size": style.fontSize,
      "font-weight": style.fontWeight,
    });
    name.textContent = text;
    svg.append(name);
  }
  return { svg, width, height };
}

/** Words of the page that stand between the drawings: each run of one style with its place. */
function wordsBeside(figure: HTMLElement) {
  const captions = [...figure.querySelectorAll<HTMLElement>(".legend li, .span-row p")];
  return captions.flatMap((caption) =>
    [...caption.childNodes].flatMap((node) => {
      const text = node.textContent?.trim() ?? "";
      if (text === "") return [];
      const range = document.createRange();
      range.selectNodeContents(node);
      const style = getComputedStyle(node instanceof Element ? node : caption);
      return [{ text, box: range.getBoundingClientRect(), style }];
    }),
  );
}

function element(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAll(made, attributes);
  return made;
}

function setAll(to: Element, attributes: Record<string, string | number>): void {
  for (const [key, value] of Object.entries(attributes)) to.setAttribute(key, String(value));
}

function copyStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  for (const key of kStyles) {
    const value = style.getPropertyValue(key);
    // Patterns are told by their own attribute, relative to the drawing.
    if (value !== "" && !value.includes("url(")) to.setAttribute(key, value);
  }
  to.removeAttribute("class");
  for (const [i, child] of [...from.children].entries()) {
    const copied = to.children[i];
    if (copied !== undefined) copyStyles(child, copied);
  }
}

async function pictureOf(text: string, width: number, height: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.ceil(width * kPictureScale),
    height: Math.ceil(height * kPictureScale),
  });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("no picture")) : resolve(blob)), "image/png"),
  );
}

/** The table twin; it is made when its fold is first opened. */
async function tableText(figure: HTMLElement): Promise<string> {
  const fold = [...figure.querySelectorAll("details")].find((one) => one.querySelector("table") === null);
  if (figure.querySelector("table") === null && fold !== undefined) {
    fold.open = true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const rows = [...(figure.querySelector("table")?.rows ?? [])];
  if (rows.length === 0) throw new Error("no table");
  const cell = (one: HTMLTableCellElement) => `"${(one.textContent ?? "").trim().replaceAll('"', '""')}"`;
  return `${rows.map((row) => [...row.cells].map(cell).join(",")).join("\r\n")}\r\n`;
}
