/** A page on which nothing may go wrong beside what a test looks at, and what every screen must keep. */
import { test as base, expect, type Page, violationsOf } from "../../web/playwright.ts";

/** Collects errors and warnings of the console and uncaught exceptions from now on. */
function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  return faults;
}

/** Every test fails on what faultsOf() collects. */
export const test = base.extend<{ page: Page }>({
  page: async ({ page }, use) => {
    const faults = faultsOf(page);
    await use(page);
    expect(faults).toEqual([]);
  },
});

/** Fails on a request to another place too. */
export const testAtHome = base.extend<{ page: Page }>({
  page: async ({ page, baseURL }, use) => {
    const faults = faultsOf(page);
    page.on("request", (request) => {
      if (new URL(request.url()).origin !== new URL(baseURL ?? "").origin) faults.push(`request to ${request.url()}`);
    });
    await use(page);
    expect(faults).toEqual([]);
  },
});

export const headline = (page: Page) => page.getByRole("heading", { level: 1 });

/** A polite message of the page reads so. */
export const said = (page: Page, text: string | RegExp) =>
  expect(page.getByRole("status").filter({ hasText: text })).toBeAttached();

/** Accessible as far as axe sees, and no wider than its window. */
export async function isSound(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  const [inside, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(inside).toBeLessThanOrEqual(width);
}

/** Opens every fold, and those that come with what one of them holds, until nothing is left to come. */
export async function openFolds(page: Page, which = "details"): Promise<void> {
  // A window that has just become another size or colour tells the page so with its next frame.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.waitForFunction((selector) => {
    const folds = [...document.querySelectorAll<HTMLDetailsElement>(selector)];
    const closed = folds.filter((fold) => !fold.open);
    for (const fold of closed) fold.open = true;
    // What a fold holds beside its title may be made, and its code loaded, when it is opened.
    const isHollow = folds.some((fold) => fold.lastElementChild?.tagName === "SUMMARY");
    return closed.length === 0 && !isHollow && document.querySelector(".deferred.pending") === null;
  }, which);
}

/** Sound as it is in the light on a desktop, and on a phone with everything open, dark and light. */
export async function isSoundEverywhere(page: Page): Promise<void> {
  const text = await page.locator("main").evaluate((main) => {
    const shown = main.cloneNode(true) as Element;
    // Scripts and manifests have braces of their own.
    for (const file of shown.querySelectorAll("pre")) file.remove();
    return shown.textContent;
  });
  for (const bad of ["undefined", "NaN", "[object", "{"]) expect(text).not.toContain(bad);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await isSound(page);
  await page.setViewportSize({ width: 360, height: 780 });
  await page.emulateMedia({ colorScheme: "dark" });
  await openFolds(page);
  await isSound(page);
  await page.emulateMedia({ colorScheme: "light" });
  await isSound(page);
}
