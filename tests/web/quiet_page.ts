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
