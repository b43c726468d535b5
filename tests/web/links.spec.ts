/** Links with the real engine: kept ones open and are answered, those with noise say so; the console stays quiet. */
import { expect, type Page } from "../../web/playwright.ts";
import kept from "./links/corpus.json" with { type: "json" };
import { headline, test } from "./quiet_page.ts";
import { pick, randomFrom } from "./random_json.ts";

const kNoLink = "This link could not be read";

/** What the page says once the engine has answered what the address asks. */
async function opened(page: Page, hash: string): Promise<{ title: string; text: string }> {
  await page.goto("about:blank");
  await page.goto(`./${hash}`);
  await expect(headline(page)).not.toHaveText(/The engine is at work/);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  // The plan opens on the example's numbers; the chart's points come with the engine's answer.
  if (/^#?(\/(\?|$)|$)/.test(hash)) await expect(page.locator(".pareto .waiting")).toHaveCount(0);
  return { title: (await headline(page).textContent()) ?? "", text: (await page.locator("main").textContent()) ?? "" };
}

test("kept links open on every screen, and the engine answers them", async ({ page }) => {
  test.setTimeout(180_000);
  for (const { screen, note, hash } of kept) {
    const { title, text } = await opened(page, hash);
    const which = `${screen}, ${note}: ${title}`;
    expect(text, which).not.toContain(kNoLink);
    expect(text, which).not.toContain("The input has a fault");
    expect(text, which).not.toContain("The engine has stopped");
    expect(title, which).toMatch(/\S/);
  }
});

test("links with noise open something readable", async ({ page }) => {
  test.setTimeout(180_000);
  const random = randomFrom(20);
  for (let i = 0; i < 20; i += 1) {
    const { hash: whole } = pick(random, kept as [(typeof kept)[0]]);
    const at = 3 + Math.floor(random() * (whole.length - 3));
    const hash = whole.slice(0, at) + pick(random, [..."AZaz09-_=&?/."] as [string]) + whole.slice(at + 1);
    const { title, text } = await opened(page, hash);
    const isSaid = [kNoLink, "The input has a fault"].some((words) => text.includes(words));
    expect(isSaid || /\S/.test(title), hash).toBe(true);
    for (const bad of ["undefined", "NaN", "[object"]) expect(text, hash).not.toContain(bad);
  }
});

test("a link to a screen that is not there says so and shows the plan", async ({ page }) => {
  await opened(page, "#/learn/exam?s=1.0W10");
  await expect(page.locator("main")).toContainText(kNoLink);
  await expect(headline(page)).toContainText("serve 50 requests per second");
});
