/** What a part of the page says, as Markdown: read from the page itself, so that both are one report. */

/** For eyes, for the screen alone, or of the frame. */
const kUnwritten =
  "svg, ul[aria-hidden], .hidden, .on-screen, .kicker, .show, .chart-files, .switch, .fan-year, .report-tools, .explanation, .was, .ways";

const childrenOf = (element: Element) => [...element.children].filter((child) => !child.matches(kUnwritten));

/** The text of a node in one line; what stands below other text on the page follows it after a comma. */
function said(node: Node): string {
  const text = (one: Node): string => {
    if (!(one instanceof Element)) return (one.textContent ?? "").replaceAll(/\s+/g, " ");
    if (one.matches(kUnwritten)) return "";
    const inner = [...one.childNodes].map(text).join("");
    return getComputedStyle(one).display.startsWith("inline") ? inner : `\n${inner}\n`;
  };
  const lines = text(node)
    .split("\n")
    .map((line) => line.replaceAll(/ +/g, " ").trim());
  return lines.filter((line) => line !== "").join(", ");
}

function tableOf(table: Element): string[] {
  const rows: string[][] = [];
  for (const row of table.querySelectorAll("tr")) {
    const cells = childrenOf(row).map((cell) => said(cell).replaceAll("|", "\\|"));
    // What is said below a row ends it.
    if (row.matches(".rest-row")) rows.at(-1)?.push(...cells);
    else rows.push(cells);
  }
  // A column of buttons is empty here.
  const columns = [...new Set(rows.flatMap((cells) => [...cells.keys()]))].filter((i) =>
    rows.some((cells) => cells[i]),
  );
  const line = (cells: readonly string[]) => `| ${columns.map((i) => cells[i] ?? "").join(" | ")} |`;
  const [head = [], ...others] = table.querySelector("thead") === null ? [[], ...rows] : rows;
  return [line(head), `|${columns.map(() => " --- |").join("")}`, ...others.map(line)];
}

/** A term with what is said of it. */
function termOf(group: Element): string {
  const all = (name: string) => [...group.querySelectorAll(name)].map(said).filter((text) => text !== "");
  return `- ${all("dt").join(", ")}: ${all("dd").join("; ")}`;
}

/** The blocks of Markdown that an element is, in its order. */
function blocksOf(element: Element): string[][] {
  const heading = /^H([1-3])$/.exec(element.tagName)?.[1];
  if (element.matches(".report-title")) return [[`# ${said(element)}`]];
  if (heading === "1") return [[`**${said(element)}**`]];
  if (heading !== undefined) return [[`${"#".repeat(Number(heading))} ${said(element)}`]];
  if (element.matches("summary") && element.querySelector("h2") === null) return [[`**${said(element)}**`]];
  if (element.matches("table")) return [tableOf(element)];
  if (element.matches("dl")) return [childrenOf(element).map(termOf)];
  if (element.matches("ul, ol")) return [childrenOf(element).map((item) => `- ${said(item)}`)];
  const hasText = [...element.childNodes].some((node) => !(node instanceof Element) && node.textContent?.trim());
  if (element.matches("p") || hasText) return [[said(element)]];
  return childrenOf(element).flatMap(blocksOf);
}

export function written(element: Element): string {
  const blocks = blocksOf(element).filter((lines) => lines.some((line) => line !== ""));
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
