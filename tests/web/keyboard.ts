/** The page as people use it who have no pointer: the focus goes where Tab brings it. */
import { expect, type Locator, type Page } from "../../web/playwright.ts";

/**
 * How many stops of Tab away an element is, below 0 for Shift and Tab: the shorter way, as the end of the page leads to its beginning. It is counted
 * from what can be seen in the page, and so may be wrong by a few; a focus that is nowhere is one stop away from telling where it is. Undefined while the element cannot have the focus.
 */
const stopsTo = (target: Locator) =>
  target.evaluate((element) => {
    const { activeElement } = document;
    if (activeElement === element) return 0;
    if (!element.checkVisibility() || element.matches(":disabled")) return undefined;
    if (activeElement === null || activeElement === document.body) return 1;
    const isStop = (one: Element) => !one.matches(":disabled, [tabindex='-1']") && one.checkVisibility();
    // Of a group of radio buttons Tab stops at one.
    const ofGroup = (one: Element) => one.matches("[type=radio]") && one !== element && one !== activeElement;
    const stops = [
      ...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]"),
    ].filter((one) => (isStop(one) && !ofGroup(one)) || one === element);
    const isPast = (one: Element) =>
      (activeElement.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING) === 0;
    const to = stops.indexOf(element);
    const from = stops.indexOf(activeElement);
    const before = stops.filter((one) => !isPast(one)).length;
    const away = from >= 0 ? to - from : to >= before ? to - before + 1 : to - before;
    const around = away > 0 ? away - stops.length - 1 : away + stops.length + 1;
    return Math.abs(around) < Math.abs(away) ? around : away;
  });

/** More looks at where the focus is than any way takes. */
const kMostLooks = 60;

/** Goes to an element with Tab, or with Shift and Tab. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let look = 0; look < kMostLooks; look += 1) {
    const away = await stopsTo(target);
    if (away === 0) return;
    if (away === undefined) {
      await expect(target).toBeVisible();
      await expect(target).toBeEnabled();
      continue;
    }
    for (let stop = 0; stop < Math.abs(away); stop += 1) await page.keyboard.press(away > 0 ? "Tab" : "Shift+Tab");
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Goes to a button, a link or a summary, and presses it. */
export async function pressAt(page: Page, target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes to a field of one line and writes into it in place of what stands there. */
export async function typeAt(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
}
