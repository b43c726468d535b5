/** The labs in a real browser: predicted, revealed, explored; and the engine answers every one of them. */
import { expect } from "../../web/playwright.ts";
import { headline, isSound, said, test } from "./quiet_page.ts";

test("a lab is predicted, revealed and explored", async ({ page }) => {
  await page.goto("./#/study/labs");
  await expect(page.locator(".labs-list li")).not.toHaveCount(0);
  await isSound(page);
  await page.getByRole("link", { name: "When a larger batch stops paying" }).focus();
  await page.keyboard.press("Enter");
  await expect(headline(page)).toHaveText("When a larger batch stops paying");
  await page.getByText("Hint 1").click();
  await expect(page.getByText("Every step reads the weights once")).toBeVisible();
  const box = page.getByRole("spinbutton", { name: "Your prediction" });
  await box.fill("1");
  await expect(page.getByText("Enter a number from 2,000 to 200,000.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Reveal" })).toBeDisabled();
  await page.getByRole("slider").focus();
  await page.keyboard.press("ArrowRight");
  await expect(box).not.toHaveValue("1");
  await box.fill("30000");
  await isSound(page);
  await page.keyboard.press("Enter");
  const result = page.locator(".lab-result");
  await expect(result.getByRole("heading")).toBeFocused();
  await expect(result).toContainText(/The engine says [\d,]+ tokens\/s/);
  await expect(result).toContainText(/You predicted 30,000 tokens\/s: [\d.]+ % too (low|high)\./);
  await expect(result).toContainText("This counts as right: within 10 %.");

  const bound = page.locator(".calculator-results dd").first();
  await expect(bound).toHaveText(/tokens\/s/);
  const first = await bound.textContent();
  await page.getByRole("spinbutton", { name: "Sequences per step" }).fill("1");
  await expect(bound).not.toHaveText(first ?? "");
  await said(page, /^Bound, all sequences: .*tokens\/s; Limited by: /);
  await isSound(page);
  await page.getByRole("button", { name: "Reset" }).click();
  await expect(bound).toHaveText(first ?? "");

  await page.getByRole("link", { name: "All labs" }).click();
  await expect(page.locator(".labs-list li").first()).toContainText("✓ within 10 %");
  await page.reload();
  await expect(page.locator(".labs-list li").first()).toContainText("✓ within 10 %");
  await page.goto("./#/study/labs/no-such-lab");
  await expect(page.getByText("There is no lab with this name.")).toBeVisible();
});

test("every lab has an answer of the engine", async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto("./#/study/labs");
  const links = page.locator(".labs-list a");
  await expect(links).not.toHaveCount(0);
  const addresses = await links.evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
  for (const address of addresses) {
    await page.goto(`./${address}`);
    await page.getByRole("button", { name: "Reveal" }).click();
    await expect(page.locator(".lab-result h2"), address).toHaveText(/^The engine says \S/);
    const values = page.locator(".calculator-results dd");
    await expect(values.filter({ hasText: "…" }), address).toHaveCount(0);
    await expect(values.filter({ hasText: "not part of this answer" }), address).toHaveCount(0);
  }
});
