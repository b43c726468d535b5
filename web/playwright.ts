/** The packages of the browser tests, which stand in tests/web and so cannot name them themselves. */
export { AxeBuilder } from "@axe-core/playwright";
export { type BrowserContext, expect, type Locator, type Page, type Request, test } from "@playwright/test";
