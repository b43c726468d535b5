/** What the numbers of a page say of where they come from. */
import type { Page } from "../../web/playwright.ts";

/** Presses each number, once for each place of the answer, and lists the places whose explanation names no source and no input. */
export const unexplained = (page: Page, within = "main") =>
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
    const without: string[] = [];
    const seen = new Set<string>();
    for (const item of document.querySelectorAll<HTMLElement>(`${inside} button.figure`)) {
      const place = item.dataset.place ?? "";
      if (seen.has(place)) continue;
      seen.add(place);
      item.click();
      const isOpen = await comes(() => item.getAttribute("aria-expanded") === "true");
      await nextTask();
      if (!isOpen || !(await comes(hasSource))) without.push(place);
    }
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    return without;
  }, within);
