/** What the numbers of a page say of where they come from, and whether that comes out as printed. */
import type { Page } from "../../web/playwright.ts";
import { linear, wrongWith } from "./printed_equations.ts";

interface Explanations {
  /** Places whose explanation names no source and no input. */
  without: string[];
  /** Markup of the equations with values. */
  equations: string[];
  /** Places whose equation is wider than its panel. */
  clipped: string[];
}

/**
 * Presses each number, once for each place of the answer. What is wrong with its explanation: no source and no input, an
 * equation that does not evaluate to its left side as printed, or one that is cut.
 */
export async function unexplained(page: Page, within = "main"): Promise<string[]> {
  const { without, equations, clipped } = await explanations(page, within);
  const wrong = equations.map((markup) => wrongWith(linear(markup))).filter((text) => text !== "");
  return [...without, ...wrong, ...clipped.map((place) => `${place} is cut`)];
}

const explanations = (page: Page, within: string): Promise<Explanations> =>
  page.evaluate(async (inside) => {
    // Tasks in a row: a timer would wait four milliseconds between them.
    const { port1, port2 } = new MessageChannel();
    const nextTask = () =>
      new Promise((resolve) => {
        port1.onmessage = resolve;
        port2.postMessage(undefined);
      });
    /** As long as the page may take to come into a state. */
    const kMostMs = 15_000;
    const comes = async (isThere: () => boolean) => {
      for (const from = performance.now(); !isThere() && performance.now() - from < kMostMs; ) await nextTask();
      return isThere();
    };
    const hasSource = () => /: \S|Your input/.test(document.querySelector("dialog .source")?.textContent ?? "");
    const found: Explanations = { without: [], equations: [], clipped: [] };
    const seen = new Set<string>();
    for (const item of document.querySelectorAll<HTMLElement>(`${inside} button.figure`)) {
      const place = item.dataset.place ?? "";
      if (seen.has(place)) continue;
      seen.add(place);
      item.click();
      const isOpen = await comes(() => item.getAttribute("aria-expanded") === "true");
      await nextTask();
      if (!isOpen || !(await comes(hasSource))) found.without.push(place);
      const boxes = [...document.querySelectorAll("dialog .equation-box")];
      if (boxes.some((box) => box.scrollWidth > box.clientWidth)) found.clipped.push(place);
      const [, values] = boxes;
      if (values !== undefined) found.equations.push(values.innerHTML);
    }
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    return found;
  }, within);
