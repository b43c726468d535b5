/**
 * The study tool in three journeys by somebody who has a keyboard and nothing else: from the planner to the placement and a session with reloads in
 * the middle; a lesson, a lab and the ledger; a practice exam with a reload and its mistakes into the reviews. The progress and the backup know of them.
 */
import { readFileSync } from "node:fs";
import { expect, type Page } from "../../web/playwright.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { headline, isSound, said, test } from "./quiet_page.ts";
import {
  answerByKeys,
  answerExamTo,
  answerPlacement,
  beginExam,
  examCounts,
  examQuestion,
  isAnswered,
  type Kind,
  keptIn,
  kindOf,
  prompt,
  verdict,
} from "./study_steps.ts";

/** A screen of the study tool by its link; the page says where one is. */
async function toScreen(page: Page, name: string, title: string | RegExp = name): Promise<void> {
  await pressAt(page, page.locator(".study-screens").getByRole("link", { name, exact: true }));
  await expect(headline(page)).toHaveText(title);
}

/** A link inside of a screen: what had the focus is gone, and it goes on at the headline. */
async function follow(page: Page, name: string, title: string | RegExp): Promise<void> {
  await pressAt(page, page.getByRole("link", { name, exact: true }));
  await expect(headline(page)).toHaveText(title);
  await expect(headline(page)).toBeFocused();
}

/** From the planner's first page, by the bar of a phone, or by the library. */
async function toStudy(page: Page): Promise<void> {
  await page.goto("./");
  await expect(headline(page)).toContainText("requests per second");
  const link = (list: string, name: string) => page.locator(list).getByRole("link", { name, exact: true });
  // The areas come with the scripts.
  await expect(page.locator(".areas a").first()).toBeAttached();
  const inBar = link(".areas", "NCA-AIIO");
  if (!(await inBar.isVisible())) {
    await pressAt(page, link(".areas", "Library"));
    // Its screens are listed once it is there.
    await expect(headline(page)).toHaveText("GPUs");
  }
  await pressAt(page, (await inBar.isVisible()) ? inBar : link(".screens", "NCA-AIIO"));
  await expect(headline(page)).toHaveText("Prepare for the NCA-AIIO exam");
  await expect(headline(page)).toBeFocused();
  await isSound(page);
}

const kDay = 86_400_000;

/** An exam in thirty days, twenty minutes a day. */
async function planExam(page: Page): Promise<void> {
  const date = new Date(Date.now() + 30 * kDay);
  const [month, day, year] = [date.getMonth() + 1, date.getDate(), date.getFullYear()].map((part) =>
    String(part).padStart(2, "0"),
  );
  const field = page.getByLabel("Exam date");
  await tabTo(page, field);
  await page.keyboard.type(`${month}${day}${year}`);
  await expect(field).toHaveValue(`${year}-${month}-${day}`);
  await typeAt(page, page.getByLabel("Minutes per day"), "20");
  await expect(page.getByText(/Questions take about \d+ minutes a day/)).toBeVisible();
  const accept = page.getByRole("button", { name: "Use this plan" });
  await pressAt(page, accept);
  await expect(page.getByText("Plan saved.")).toBeVisible();
  await expect(accept).toBeFocused();
  await isSound(page);
}

/** Answers and grades one card; the next one is on show and has the focus. */
async function doCard(page: Page, count: number): Promise<Kind> {
  await expect(headline(page)).toHaveText(`Session: question ${count}`);
  const kind = await kindOf(page);
  await answerByKeys(page);
  await isAnswered(page);
  await expect(verdict(page)).toBeFocused();
  await page.keyboard.press("3");
  await expect(headline(page)).toHaveText(`Session: question ${count + 1}`);
  await expect(headline(page)).toBeFocused();
  return kind;
}

/** Two reloads: one before the answer, one after it. */
async function reloadInSession(page: Page, count: number): Promise<void> {
  await expect(headline(page)).toHaveText(`Session: question ${count}`);
  await prompt(page).waitFor();
  const asked = (await prompt(page).textContent()) ?? "";
  await page.keyboard.press("7");
  const sure = page.getByRole("button", { name: /^70 %/ });
  await expect(sure).toHaveAttribute("aria-pressed", "true");
  await page.reload();
  await expect(prompt(page)).toHaveText(asked);
  await expect(sure).toHaveAttribute("aria-pressed", "true");
  await answerByKeys(page);
  await isAnswered(page);
  const came = (await verdict(page).textContent()) ?? "";
  await page.reload();
  await expect(prompt(page)).toHaveText(asked);
  await expect(verdict(page)).toHaveText(came);
  await isSound(page);
  await page.keyboard.press("2");
  await expect(headline(page)).toHaveText(`Session: question ${count + 1}`);
}

/** The session that follows a placement; tells how many cards were done. */
async function doSession(page: Page, seen: Set<Kind>): Promise<number> {
  await pressAt(page, page.getByRole("button", { name: /^\d+ minutes now$/ }));
  await expect(page).toHaveURL(/#\/study\/session$/);
  await expect(headline(page)).toHaveText("Session: question 1");
  await expect(headline(page)).toBeFocused();
  seen.add(await doCard(page, 1));
  await reloadInSession(page, 2);
  let done = 2;
  for (; done < 6; done += 1) seen.add(await doCard(page, done + 1));
  // Who begins is asked as the exam asks.
  expect([...seen].filter((kind) => kind !== "choice" && kind !== "two")).toEqual([]);
  await pressAt(page, page.getByRole("button", { name: "End the session" }));
  await expect(headline(page)).toHaveText("Session done");
  await expect(headline(page)).toBeFocused();
  await expect(page.getByText(/more answers with a stated confidence|^Mean squared difference/)).toBeVisible();
  await isSound(page);
  return done;
}

/** A lesson with its calculator, its closing question, and its mark. */
async function readLesson(page: Page): Promise<void> {
  await toScreen(page, "Lessons");
  await expect(page.locator(".lesson-list a").first()).toBeVisible();
  await isSound(page);
  await follow(page, "The roofline, or what limits me", "The roofline, or what limits me");
  const results = page.locator(".calculator").first().locator("dd");
  await expect(results.first()).toHaveText(/\w/);
  await expect(results.filter({ hasText: "…" })).toHaveCount(0);
  const before = (await results.allTextContents()).join("; ");
  await typeAt(page, page.getByLabel("Sequences per step", { exact: true }).first(), "1024");
  await expect.poll(async () => (await results.allTextContents()).join("; ")).not.toBe(before);
  await isSound(page);

  const closing = page.locator(".lesson-closing");
  await expect(closing.locator(".question-prompt")).not.toBeEmpty();
  await pressAt(page, closing.getByRole("radio").first(), "Space");
  await pressAt(page, page.getByRole("button", { name: "Check the answer" }));
  await expect(closing.locator(".question-solution")).toBeVisible();
  await isSound(page);
  await pressAt(page, page.getByRole("button", { name: /^(Another question|Try again with new numbers)$/ }));
  await expect(closing.getByRole("heading", { level: 2 })).toBeFocused();
  await expect(closing.getByRole("radio", { checked: true })).toHaveCount(0);
  await pressAt(page, page.getByRole("button", { name: "Mark as read" }));
  await said(page, "Marked as read.");
}

async function doLab(page: Page): Promise<void> {
  await toScreen(page, "Labs");
  await expect(page.locator(".labs-list a").first()).toBeVisible();
  const title = "When a larger batch stops paying";
  await follow(page, title, title);
  await typeAt(page, page.getByRole("spinbutton", { name: "Your prediction" }), "30000");
  await page.keyboard.press("Enter");
  const result = page.locator(".lab-result");
  await expect(result.getByRole("heading")).toHaveText(/^The engine says [\d,]+ tokens\/s/);
  await expect(result.getByRole("heading")).toBeFocused();
  await expect(result).toContainText("You predicted 30,000 tokens/s");
  const bound = page.locator(".calculator-results dd").first();
  await expect(bound).toHaveText(/tokens\/s/);
  const first = (await bound.textContent()) ?? "";
  await typeAt(page, page.getByRole("spinbutton", { name: "Sequences per step" }), "1");
  await expect(bound).not.toHaveText(first);
  await isSound(page);
}

async function searchLedger(page: Page): Promise<void> {
  await toScreen(page, "Ledger");
  // Fewer stand there at first on a phone.
  await expect(page.getByText(/^Showing (?:50|15) of the \d+ statements found/)).toBeVisible();
  const search = page.getByLabel("Search");
  await typeAt(page, search, "nvlink 900");
  await expect(page.getByText(/^Showing (\d+) of the \1 statements found/)).toBeVisible();
  await expect(page.locator(".claims tbody tr").first()).toContainText(/nvlink/i);
  await isSound(page);
  await pressAt(page, page.getByRole("button", { name: "Clear the filters" }));
  await expect(search).toBeFocused();
  await expect(page.getByText(/^Showing (?:50|15) of the \d+ statements found/)).toBeVisible();
}

/** Eight questions of an exam: answered, struck, flagged, over a reload; then handed in. Tells how many of the answers were wrong. */
async function takeExam(page: Page): Promise<number> {
  await toScreen(page, "Practice exam");
  await expect(page.locator(".exam-facts")).toContainText("60 min");
  await isSound(page);
  await beginExam(page, 7);
  await page.keyboard.press("Shift+C");
  await said(page, "Option c struck out.");
  await page.keyboard.press("f");
  await said(page, "Question 1 flagged.");
  await answerExamTo(page, 8, [5]);
  await expect(examCounts(page)).toHaveText("7 of 50 answered, 1 flagged");
  await isSound(page);
  const before = (await page.locator(".exam-map ol").textContent()) ?? "";
  await page.reload();
  await expect(examQuestion(page)).toHaveText("Question 8 of 50");
  await expect(page.locator(".exam-map ol")).toHaveText(before);
  await pressAt(page, page.locator(".exam-map").getByRole("button", { name: "Question 1:" }));
  await expect(examQuestion(page)).toHaveText("Question 1 of 50");
  await expect(examQuestion(page)).toBeFocused();
  await expect(page.locator(".question-option.struck")).toHaveCount(1);

  await pressAt(page, page.getByRole("button", { name: "Hand in …" }));
  const check = page.locator(".exam-check");
  await expect(check.getByRole("heading", { level: 2 })).toBeFocused();
  await expect(check).toContainText("Not fully answered (43)");
  await expect(check).toContainText("Flagged (1)");
  await isSound(page);
  await pressAt(page, page.getByRole("button", { name: "Hand in now" }));
  await expect(headline(page)).toHaveText(/^. \d+ of 50 right/);
  await expect(headline(page)).toBeFocused();
  const right = Number(/(\d+) of 50/.exec((await headline(page).textContent()) ?? "")?.[1]);
  await isSound(page);
  return 7 - right;
}

/** The first mistake is looked at and gets its reason; all of them become reviews. */
async function keepMistakes(page: Page, missed: number): Promise<void> {
  const first = page.locator(".exam-missed").first().locator("> li").first();
  await pressAt(page, first.getByText("Question, answer and explanation"));
  await expect(first.getByRole("heading", { name: "Solution" })).toBeVisible();
  const reason = first.getByRole("button", { name: "Reasoning" });
  await pressAt(page, reason);
  await expect(reason).toHaveAttribute("aria-pressed", "true");
  await expect(reason).toBeFocused();
  await pressAt(page, page.getByRole("button", { name: /^Add wrongly answered questions to the reviews/ }));
  await said(page, `Added to the reviews: ${missed}.`);
  await expect(page.getByText("Wrongly answered questions are in the reviews.")).toBeFocused();
  await expect.poll(async () => (await keptIn(page, "reviews")).filter(isOfExam).length).toBe(missed);
}

const isOfExam = (review: unknown) => (review as { exam?: string }).exam !== undefined;

/** The home knows what was done, and a file of it leaves the browser. */
async function seeProgress(page: Page, reviews: number, exams: number): Promise<void> {
  await toScreen(page, "Home", /^\d+ of \d+ questions seen, /);
  await expect(page.getByText(/The exam is in 30 days/)).toBeVisible();
  await expect(page.getByText(/\d+ to repeat, \d+ new/).first()).toBeVisible();
  await isSound(page);
  await toScreen(page, "Backup", "Backup of what you learned");
  await expect(page.getByText(/^Kept in this browser/)).toContainText(`reviews ${reviews},`);
  const coming = page.waitForEvent("download");
  await pressAt(page, page.getByRole("button", { name: "Save a backup file" }));
  const file = JSON.parse(readFileSync(await (await coming).path(), "utf8"));
  expect(file.reviews).toHaveLength(reviews);
  expect(file.exams).toHaveLength(exams);
  expect(file.settings.examAt).toBeGreaterThan(Date.now());
  await expect(page.getByText(/^Last backup file: today/)).toBeVisible();
  await isSound(page);
}

const kLooks = [
  { name: "on a desktop in the light", colorScheme: "light", width: 1280 },
  { name: "on a phone in the dark", colorScheme: "dark", width: 360 },
] as const;

for (const { name, colorScheme, width } of kLooks) {
  test.describe(`by keyboard alone, ${name}`, () => {
    test.setTimeout(300_000);
    test.use({ colorScheme, viewport: { width, height: 900 } });

    test("from the planner to a plan, the placement and a session", async ({ page }) => {
      await toStudy(page);
      await planExam(page);
      const seen = new Set<Kind>();
      await follow(page, "Take the ten questions", "Placement: question 1");
      await answerPlacement(page, (kind) => seen.add(kind));
      await expect(headline(page)).toBeFocused();
      await isSound(page);
      const done = await doSession(page, seen);
      // Ten cards of the placement beside those of the session.
      await seeProgress(page, 10 + done, 0);
    });

    test("a lesson, a lab and the ledger", async ({ page }) => {
      await page.goto("./#/study");
      await readLesson(page);
      await doLab(page);
      await searchLedger(page);
    });

    test("a lab and an exam, and its mistakes into the reviews", async ({ page }) => {
      await toStudy(page);
      await planExam(page);
      await doLab(page);
      const missed = await takeExam(page);
      await keepMistakes(page, missed);
      // One prediction of the lab beside them.
      await seeProgress(page, 1 + missed, 1);
    });
  });
}
