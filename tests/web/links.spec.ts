/** Links with the real engine: kept ones open and are answered, those with noise say so; the console stays quiet. */
import { expect, type Page } from "../../web/playwright.ts";
import kept from "./links/corpus.json" with { type: "json" };
import { headline, test } from "./quiet_page.ts";
import { pick, randomFrom } from "./random_json.ts";

const kNoLink = "This link is broken or too long";

/** What the page says once the engine has answered what the address asks. */
async function opened(page: Page, hash: string): Promise<{ title: string; text: string }> {
  await page.goto(`./${hash}`);
  await expect(headline(page)).not.toHaveText(/The engine is working/);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  // The plan opens on the example's numbers; the chart's points come with the engine's answer.
  if (/^#?(\/(\?|$)|$)/.test(hash)) await expect(page.locator(".pareto .waiting")).toHaveCount(0);
  return { title: (await headline(page).textContent()) ?? "", text: (await page.locator("main").textContent()) ?? "" };
}

for (const { screen, note, hash } of kept) {
  test(`a kept link opens and is answered: ${screen}, ${note}`, async ({ page }) => {
    const { title, text } = await opened(page, hash);
    expect(text).not.toContain(kNoLink);
    expect(text).not.toContain("There is an error in the input");
    expect(text).not.toContain("The engine has stopped");
    expect(title).toMatch(/\S/);
  });
}

/** Kept links with one character changed. */
function noisyLinks(): string[] {
  const random = randomFrom(20);
  return Array.from({ length: 20 }, () => {
    const { hash: whole } = pick(random, kept as [(typeof kept)[0]]);
    const at = 3 + Math.floor(random() * (whole.length - 3));
    return whole.slice(0, at) + pick(random, [..."AZaz09-_=&?/."] as [string]) + whole.slice(at + 1);
  });
}

noisyLinks().forEach((hash, i) => {
  test(`link ${i + 1} with noise opens something readable`, async ({ page }) => {
    const { title, text } = await opened(page, hash);
    const isSaid = [kNoLink, "There is an error in the input"].some((words) => text.includes(words));
    expect(isSaid || /\S/.test(title), hash).toBe(true);
    for (const bad of ["undefined", "NaN", "[object"]) expect(text, hash).not.toContain(bad);
  });
});

test("a plan that a link opened is the plan of its other views", async ({ page, context }) => {
  await page.goto("./");
  await page.getByLabel("Peak requests/s", { exact: true }).fill("60");
  await expect.poll(() => page.url()).toContain("s=1.");
  const first = await context.newPage();
  await first.goto(page.url());
  await expect(headline(first)).toContainText("serve 60 requests per second");
  await first.getByRole("link", { name: "Money", exact: true }).click();
  await expect(first).toHaveURL(/#\/money\?s=1\./);
  await expect(headline(first)).toContainText("serve 60 requests per second");
  // Another link in the same tab.
  const before = page.url();
  await page.getByLabel("Peak requests/s", { exact: true }).fill("70");
  await expect.poll(() => page.url()).not.toBe(before);
  await first.evaluate((hash) => {
    location.hash = hash;
  }, new URL(page.url()).hash);
  await expect(headline(first)).toContainText("serve 70 requests per second");
  await first.getByRole("link", { name: "Money", exact: true }).click();
  await expect(headline(first)).toContainText("serve 70 requests per second");
});

test("a link to a screen that is not there says so and shows the plan", async ({ page }) => {
  await opened(page, "#/learn/exam?s=1.0W10");
  await expect(page.locator("main")).toContainText(kNoLink);
  await expect(headline(page)).toContainText("serve 50 requests per second");
});
