/** Traffic on the plan's page with the real engine: what prompts share and the hours change the plan, and its day is replayed beside it. */
import { expect } from "../../web/playwright.ts";
import { pressAt, tabTo } from "./keyboard.ts";
import { headline, isSound, test } from "./quiet_page.ts";

test("what prompts share and the hours of the day change the plan, and its day is drawn", async ({ page }) => {
  await page.goto("./#/speed");
  const before = await headline(page).textContent();
  const part = page.locator(".all-inputs").filter({ hasText: "Traffic" });
  await pressAt(page, part.locator("summary").first());

  await part.getByLabel("What prompts share").selectOption({ label: "Chats that come back" });
  await expect(page.locator("#in-workloads-0-traffic-turns")).toHaveValue("3");
  await expect(headline(page)).not.toHaveText(before ?? "");

  const day = page.locator(".fold").filter({ has: page.getByRole("heading", { name: "The day" }) });
  await expect(day.getByText(/The prefix cache finds [\d.]+ % of the prompts' tokens/)).toBeVisible();
  await expect(day.getByText(/If no prompt began like another, \d+ GPUs would be needed/)).toBeVisible();
  await expect(day.getByRole("heading", { name: /^GPUs at work: / })).toBeVisible({ timeout: 30_000 });

  await part.getByLabel("Requests over the day").selectOption({ label: "Office hours" });
  await expect(page.locator("#mean-rate")).toHaveCount(0);
  const night = part.getByRole("slider", { name: "3:00", exact: true });
  await expect(night).toHaveValue("1");
  await expect(day.getByRole("img", { name: /^GPUs at work, mean by hour of the day: least / })).toBeVisible({
    timeout: 30_000,
  });
  await tabTo(page, night);
  await page.keyboard.press("ArrowUp");
  await expect(night).toHaveValue("1.5");
  await expect(part.getByLabel("Requests over the day")).toHaveValue("own");
  await isSound(page);

  await part.getByLabel("What prompts share").selectOption({ label: "Nothing shared" });
  await part.getByLabel("Requests over the day").selectOption({ label: "Same all day" });
  await expect(part.getByRole("slider")).toHaveCount(0);
});

test("a day that is being replayed can be stopped, and the page answers meanwhile", async ({ page }) => {
  await page.goto("./#/speed");
  const day = page.locator(".fold").filter({ has: page.getByRole("heading", { name: "The day" }) });
  await day.locator("summary").first().click();
  await day.getByRole("button", { name: "Stop" }).click();
  await expect(day.getByRole("button", { name: "Replay the day" })).toBeVisible();
  await day.getByRole("button", { name: "Replay the day" }).click();
  const before = await headline(page).textContent();
  await page.locator("#rate").fill("80");
  await expect(headline(page)).not.toHaveText(before ?? "");
  await expect(day.getByRole("heading", { name: /^Load: up to 8\d(\.\d+)? requests/ })).toBeVisible({
    timeout: 30_000,
  });
});
