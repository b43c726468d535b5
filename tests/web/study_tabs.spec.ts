/** Two tabs of one browser: each sees what the other keeps, and an exam is answered in one of them at a time. */
import { type BrowserContext, expect, type Page } from "../../web/playwright.ts";
import { pressAt } from "./keyboard.ts";
import { headline, isSound, test } from "./quiet_page.ts";
import { answerByKeys, beginExam, examCounts, examQuestion, isAnswered } from "./study_steps.ts";

const notice = (page: Page) => page.getByRole("heading", { name: "This exam is open in another tab" });
const goOn = (page: Page) => page.getByRole("button", { name: "Continue here" });

async function secondTab(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

test("what is answered and planned in one tab shows in the other", async ({ page, context }) => {
  await page.goto("./#/study");
  await expect(headline(page)).toHaveText("Prepare for the NCA-AIIO exam");
  const other = await secondTab(context, "./#/study/session");
  await expect(headline(other)).toHaveText("Session: question 1");
  await answerByKeys(other);
  await isAnswered(other);
  await expect(headline(page)).toHaveText(/^1 of \d+ questions seen/);

  const minutes = other.getByLabel("Minutes per day");
  await other.goto("./#/study");
  await expect(minutes).toHaveValue("20");
  await page.getByLabel("Minutes per day").fill("35");
  await page.getByRole("button", { name: "Use this plan" }).click();
  await expect(minutes).toHaveValue("35");
  await expect(other.getByText("This plan is in use.")).toBeVisible();

  await other.goto("./#/study/backup");
  await other.getByRole("button", { name: "Erase everything…" }).click();
  await other.getByRole("button", { name: "Erase", exact: true }).click();
  await expect(headline(page)).toHaveText("Prepare for the NCA-AIIO exam");
});

test("an exam is answered in one tab at a time, and either can take it over", async ({ page, context }) => {
  test.setTimeout(120_000);
  await page.goto("./#/study/exam");
  const other = await secondTab(context, "./#/study/exam");
  await expect(other.getByRole("button", { name: "Begin the exam" })).toBeVisible();
  await page.bringToFront();
  await beginExam(page, 12);
  await page.keyboard.press("b");
  await expect(examCounts(page)).toHaveText("1 of 50 answered, 0 flagged");

  // The tab that stood before an exam says that there is one now.
  await expect(notice(other)).toBeVisible();
  await expect(other.locator(".question")).toHaveCount(0);
  await isSound(other);
  await other.bringToFront();
  await pressAt(other, goOn(other));
  await expect(examQuestion(other)).toHaveText("Question 1 of 50");
  await expect(examQuestion(other)).toBeFocused();
  await expect(examCounts(other)).toHaveText("1 of 50 answered, 0 flagged");
  await expect(notice(page)).toBeVisible();
  await expect(examQuestion(page)).toHaveCount(0);

  await other.keyboard.press("n");
  await expect(examQuestion(other)).toHaveText("Question 2 of 50");
  await other.keyboard.press("f");
  await expect(examCounts(other)).toHaveText("1 of 50 answered, 1 flagged");
  await page.bringToFront();
  await goOn(page).click();
  await expect(examQuestion(page)).toHaveText("Question 2 of 50");
  await expect(examCounts(page)).toHaveText("1 of 50 answered, 1 flagged");
  await expect(notice(other)).toBeVisible();

  // A reload of the tab that has it keeps it; the other is told when it is handed in.
  await page.reload();
  await expect(examQuestion(page)).toHaveText("Question 2 of 50");
  await expect(notice(other)).toBeVisible();
  await page.getByRole("button", { name: "Hand in …" }).click();
  await page.getByRole("button", { name: "Hand in now" }).click();
  await expect(headline(page)).toHaveText(/^. [01] of 50 right/);
  await expect(other.getByRole("heading", { name: "Your exams" })).toBeVisible();
  await expect(other.getByRole("button", { name: "Begin the exam" })).toBeVisible();
});

test("a browser without channels and locks has its exam as before", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "BroadcastChannel", { value: undefined });
    Object.defineProperty(Navigator.prototype, "locks", { value: undefined });
  });
  await page.goto("./#/study/exam");
  await beginExam(page, 12);
  await page.keyboard.press("b");
  await page.reload();
  await expect(examQuestion(page)).toHaveText("Question 1 of 50");
  await expect(examCounts(page)).toHaveText("1 of 50 answered, 0 flagged");
});
