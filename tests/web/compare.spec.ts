/** Compare in a browser: suggested variants, saved plans, differences, and the way back to the scenario. */
import { expect, type Page } from "../../web/playwright.ts";
import { headline, isSound, isSoundEverywhere, test } from "./quiet_page.ts";

const row = (page: Page, label: string) =>
  page.locator(".results tr", { has: page.getByRole("rowheader", { name: label, exact: true }) });

test("without saved plans three variants stand next to the plan, inputs first", async ({ page }) => {
  await page.goto("./#/compare");
  const names = ["As planned", "Rented", "H200 SXM5 141GB", "Speed: Fast"];
  await expect(page.locator(".results thead th")).toHaveText(["Number", ...names]);
  const titles = await page.locator("main h2").allTextContents();
  expect(titles.slice(0, 3)).toEqual(["Suggested", "Inputs that differ", "Resulting numbers"]);

  const inputs = page.locator(".changed tbody tr");
  await expect(inputs.filter({ hasText: "Rent or buy" }).locator("td")).toHaveText([
    "Either",
    "Rent",
    "Either",
    "Either",
  ]);
  await expect(inputs.filter({ hasText: "Each token within" }).locator("td").last()).toHaveText("20 ms");
  expect(await page.locator(".changed").textContent()).not.toMatch(/[a-z]_[a-z]|\/workloads/);

  // Every headline number has its interval, its target's probability, and what it differs by from the first column.
  const token = row(page, "Time per output token").locator("td");
  await expect(token).toHaveCount(4);
  for (const cell of await token.all()) {
    await expect(cell).toContainText("90 % interval");
    await expect(cell).toContainText(/met with a probability of [\d.]+ %/);
  }
  await expect(token.first().locator(".difference")).toHaveCount(0);
  await expect(token.last().locator(".difference")).toHaveText(/^−[\d.]+ ms \(−[\d.]+ %\)$/);
  await expect(row(page, "Recommended way").locator("td").nth(1)).toHaveText("rent on demand");
  await expect(row(page, "Where").locator("td").first()).toHaveText("United States");

  // A number of a variant explains itself.
  await row(page, "Cost per year").locator("td").nth(1).locator("button.figure").first().click();
  await expect(page.getByRole("dialog")).toContainText("per year");
  await page.keyboard.press("Escape");
  await isSoundEverywhere(page);
});

test("a variant is saved, opened as the scenario, and removed", async ({ page }) => {
  await page.goto("./#/compare");
  await page.getByRole("button", { name: "Save Rented" }).click();
  await expect(page.getByText("Saved as Rented.")).toBeVisible();
  await page.getByRole("checkbox", { name: "Rented" }).check();
  await expect(page.locator(".results thead th")).toHaveText(["Number", "As planned", "Rented"]);
  await expect(page.locator(".changed tbody tr")).toHaveCount(1);

  await page.locator(".scenarios").getByRole("link", { name: "Open" }).click();
  await expect(page.getByRole("radio", { name: "Rent", exact: true })).toBeChecked();
  await expect(page.locator(".answer")).toContainText("rent on demand");

  await page.goBack();
  await expect(headline(page)).toHaveText("Compare");
  await page.getByRole("button", { name: "Remove Rented" }).click();
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  // The plan on show is the one that was opened: what is suggested now is to buy.
  await expect(page.locator(".results thead th").nth(2)).toHaveText("Bought");
  await isSound(page);
});
