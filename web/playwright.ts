/** The packages of the browser tests, which stand in tests/web and so cannot name them themselves. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { run } from "axe-core";

export {
  type Browser,
  type BrowserContext,
  expect,
  type Locator,
  type Page,
  type Request,
  type Response,
  test,
} from "@playwright/test";

const axeScript = readFileSync(createRequire(__filename).resolve("axe-core/axe.min.js"), "utf8");
const kTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds wrong with the page. Nothing else is written down: that takes most of the time of the builder that axe has for Playwright.
    Rows that stay at the lower edge of the window stand in their places meanwhile: what one happens to cover in part
    is no smaller for it, and is scrolled free. */
export async function violationsOf(page: Page): Promise<string[]> {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axeScript);
  return page.evaluate(async (values) => {
    const { axe } = window as unknown as { axe: { run: typeof run } };
    const staying = [...document.querySelectorAll<HTMLElement>("main *")].filter((element) => {
      const { position, bottom } = getComputedStyle(element);
      return position === "sticky" && bottom !== "auto";
    });
    for (const { style } of staying) style.position = "static";
    const { violations } = await axe.run({ runOnly: { type: "tag", values }, resultTypes: ["violations"] });
    for (const { style } of staying) style.position = "";
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`);
  }, kTags);
}
