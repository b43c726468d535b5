/** Closing the loop, in a real browser: from a wrong answer to its section, a quiz of one's own choice, and what to read after an exam. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "../../web/playwright.ts";
import type { WrittenPack } from "../../web/src/study/pack.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { headline, isSound, said, test } from "./quiet_page.ts";
import {
  answerByKeys,
  answerExamTo,
  examCounts,
  examQuestion,
  isAnswered,
  keptIn,
  kindOf,
  prompt,
  verdict,
} from "./study_steps.ts";

const packOf = (objective: string) =>
  JSON.parse(readFileSync(join(__dirname, `../../core/study/data/written/${objective}.json`), "utf8")) as WrittenPack;

/** Answers the question on show, which is of the objective and has one right option, rightly or wrongly. */
async function choose(page: Page, objective: string, isRight: boolean): Promise<void> {
  const asked = await prompt(page).textContent();
  const known = packOf(objective).questions.find((one) => one.prompt === asked);
  const option = known?.options?.find(({ right = false }) => right === isRight);
  await page
    .locator(".question-option label")
    .filter({ has: page.getByText(option?.text ?? "", { exact: true }) })
    .click();
  await page.getByRole("button", { name: "Check answer" }).click();
  await expect(verdict(page)).toHaveText(isRight ? /Right/ : /Wrong/);
}

/** Leaves questions that have no single right option. */
async function toChoice(page: Page): Promise<void> {
  while ((await kindOf(page)) !== "choice") {
    const before = await headline(page).textContent();
    await page.getByRole("button", { name: /^I do not know/ }).click();
    await page.getByRole("button", { name: /suggested|ask again soon/ }).click();
    await expect(headline(page)).not.toHaveText(before ?? "");
  }
}

test("a wrong answer leads to the section that teaches it in one click, a right one keeps the way with the sources", async ({
  page,
}) => {
  await page.goto("./#/study/quiz?n=10&of=2.10&level=associate&asks=recall");
  await page.getByRole("button", { name: "Start the quiz" }).click();
  await expect(headline(page)).toHaveText("Quiz: question 1");
  await toChoice(page);
  await choose(page, "2.10", false);
  const read = page.getByRole("link", { name: /^Read: .+, .+/ });
  await expect(read).toHaveCount(1);
  const [, section = ""] = /, (.+)$/.exec((await read.textContent()) ?? "") ?? [];
  await isSound(page);
  await read.click();
  await expect(page).toHaveURL(/#\/study\/lessons\/[a-z0-9-]+\/[a-z0-9-]+$/);
  const heading = page.locator(".lesson-text :is(h2, h3):focus");
  await expect(heading).toHaveCount(1);
  expect(section).toContain((await heading.textContent()) ?? "?");
  await expect(heading).toBeInViewport();
  await isSound(page);

  // The session goes on where it was.
  await page.goBack();
  await expect(verdict(page)).toHaveText(/Wrong/);
  await page.getByRole("button", { name: /suggested|ask again soon/ }).click();
  await expect(verdict(page)).toHaveCount(0);
  await toChoice(page);
  await choose(page, "2.10", true);
  await expect(page.getByRole("link", { name: /^Read: / })).toHaveCount(0);
  await expect(page.locator(".question .read-link a")).toHaveAttribute(
    "href",
    /^#\/study\/lessons\/[a-z0-9-]+\/[a-z0-9-]+$/,
  );
});

test("the address of a section is opened at its heading, one that is gone at the top", async ({ page }) => {
  await page.goto("./#/study/lessons/dpu/three-modes");
  await expect(page.getByRole("heading", { name: "Three modes" })).toBeFocused();
  await expect(page.getByRole("heading", { name: "Three modes" })).toBeInViewport();
  await page.goto("./#/study/lessons/dpu/nothing-of-this-name");
  await expect(headline(page)).toHaveText("DPU and SuperNIC");
  await isSound(page);
});

test("a lesson ends on one question after the other that it teaches", async ({ page }) => {
  await page.goto("./#/study/lessons/dpu");
  const closing = page.locator(".lesson-closing");
  const asked = new Set<string>();
  for (let count = 0; count < 3; count += 1) {
    const kind = await kindOf(page);
    const text = (await closing.locator(".question-prompt").textContent()) ?? "";
    expect(asked).not.toContain(text);
    asked.add(text);
    if (kind === "choice") await closing.getByRole("radio").first().check();
    else if (kind === "two") for (const at of [0, 1]) await closing.getByRole("checkbox").nth(at).check();
    else if (kind === "match")
      for (const menu of await closing.getByRole("combobox").all()) await menu.selectOption({ index: 1 });
    await closing.getByRole("button", { name: "Check the answer" }).click();
    await closing.getByRole("button", { name: "Another question" }).click();
    await expect(closing.getByRole("heading", { name: "One question to finish" })).toBeFocused();
    await expect(closing.locator(".verdict")).toHaveCount(0);
  }
});

test("a quiz by keyboard: chosen, counted, shared, taken, and chosen again", async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto("./#/study/quiz");
  await expect(headline(page)).toHaveText("Quiz");
  await said(page, /^\d+ questions fit; 10 will be asked\.$/);
  await isSound(page);
  await typeAt(page, page.getByLabel("Number of questions"), "5");
  await pressAt(page, page.getByLabel(/^2\.8 /), "Space");
  await pressAt(page, page.getByLabel(/^2\.10 /), "Space");
  await expect(page.getByLabel("All objectives")).not.toBeChecked();
  await pressAt(page, page.getByRole("checkbox", { name: "Calculation" }), "Space");
  await tabTo(page, page.getByLabel("Level"));
  await page.keyboard.press("a");
  await expect(page.getByLabel("Level")).toHaveValue("associate");
  await said(page, /^\d+ questions fit; 5 will be asked\.$/);
  await expect(page).toHaveURL(/\?n=5&of=2\.8\+2\.10&asks=recall\+scenario$/);

  // The address has it all.
  const fits = await page.locator(".quiz-fits").textContent();
  await page.reload();
  await expect(page.locator(".quiz-fits")).toHaveText(fits ?? "");
  await expect(page.getByLabel("Number of questions")).toHaveValue("5");
  await expect(page.getByLabel(/^2\.10 /)).toBeChecked();

  // A count that cannot be, and choices that nothing fits, are said.
  const start = page.getByRole("button", { name: "Start the quiz" });
  await typeAt(page, page.getByLabel("Number of questions"), "51");
  await expect(page.getByText("Enter a whole number from 5 to 50.")).toBeVisible();
  await expect(start).toBeDisabled();
  await typeAt(page, page.getByLabel("Number of questions"), "5");
  await expect(start).toBeEnabled();
  await tabTo(page, page.getByLabel("Only", { exact: true }));
  await page.keyboard.press("m");
  await said(page, "No question fits: none of these was missed the last time it was asked.");
  await expect(start).toBeDisabled();
  await isSound(page);
  await page.keyboard.press("ArrowDown");
  await expect(start).toBeEnabled();

  await pressAt(page, start);
  for (let count = 1; count <= 5; count += 1) {
    await expect(headline(page)).toHaveText(`Quiz: question ${count}`);
    await expect(page.locator(".session-top")).toContainText(`${count} of 5`);
    await answerByKeys(page);
    await isAnswered(page);
    await page.keyboard.press("Enter");
  }
  await expect(headline(page)).toHaveText(/^Quiz done: \d of 5 right$/);
  await expect(headline(page)).toBeFocused();
  await expect(page.locator(".exam-objectives tbody th[scope=row]")).toHaveCount(2);
  await isSound(page);
  expect(await keptIn(page, "reviews")).toHaveLength(5);

  // The same choices again: what was seen is not new any more.
  await pressAt(page, page.getByRole("link", { name: "Another quiz with these choices" }));
  await expect(page).toHaveURL(/\?n=5&of=2\.8\+2\.10&only=new&asks=recall\+scenario$/);
  const left = Number(/(\d+)/.exec(fits ?? "")?.[1]) - 5;
  await expect(page.locator(".quiz-fits")).toContainText(String(left));
});

test("a quiz in exam mode keeps every answer as a review, and says what to read", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("./#/study/quiz?n=6&of=1.1&asks=recall&level=associate&mode=exam");
  await said(page, /^\d+ questions fit; 6 will be asked\.$/);
  await isSound(page);
  await page.getByRole("button", { name: "Start the quiz" }).click();
  await expect(headline(page)).toHaveText("Quiz");
  await expect(examQuestion(page)).toHaveText("Question 1 of 6");
  await expect(page.locator(".exam-time")).toHaveText("No time limit");
  await isSound(page);
  for (let name = 1; name <= 4; name += 1) {
    await expect(examQuestion(page)).toHaveText(`Question ${name} of 6`);
    await page.keyboard.press("a");
    if ((await kindOf(page)) === "two") await page.keyboard.press("b");
    await page.keyboard.press("n");
  }
  const answered = Number(/(\d) of 6 answered/.exec((await examCounts(page).textContent()) ?? "")?.[1]);
  expect(answered).toBeGreaterThan(0);
  // Another one has to wait.
  await page.goto("./#/study/quiz?mode=exam");
  await expect(page.getByText("An exam or quiz is still open.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Start the quiz" })).toBeDisabled();
  await page.getByRole("link", { name: "Continue it" }).click();
  await page.getByRole("button", { name: "Hand in …" }).click();
  await page.getByRole("button", { name: "Hand in now" }).click();
  await expect(headline(page)).toHaveText(/^Quiz: \d of 6 right$/);
  await expect(page.getByRole("heading", { name: /^Read next, \d+ minutes?$/ })).toBeVisible();
  await expect(page.locator(".exam-objectives tbody th[scope=row]")).toHaveCount(1);
  await isSound(page);
  await expect.poll(async () => (await keptIn(page, "reviews")).length).toBe(answered);
  await page.getByRole("link", { name: "Another quiz with these choices" }).click();
  await expect(page.getByLabel("Number of questions")).toHaveValue("6");
  await expect(page.getByRole("heading", { name: "Earlier quizzes in exam mode" })).toBeVisible();
  await isSound(page);
});

test("a numbered exam: the same for everyone, its result by objectives, and what to read next", async ({ page }) => {
  test.setTimeout(180_000);
  const take = async () => {
    await page.goto("./#/study/exam");
    await page.getByRole("radio", { name: "Question set 2" }).check();
    await expect(page.getByLabel("Seed")).toHaveCount(0);
    await isSound(page);
    await page.getByRole("button", { name: "Begin the exam" }).click();
    await expect(examQuestion(page)).toHaveText("Question 1 of 50");
  };
  await take();
  await answerExamTo(page, 6);
  await page.getByRole("button", { name: "Hand in …" }).click();
  await page.getByRole("button", { name: "Hand in now" }).click();
  await expect(headline(page)).toHaveText(/^. \d of 50 right/);
  await expect(page.getByText(/^Question set 2, handed in/)).toBeVisible();

  const rows = page.locator(".exam-objectives tbody th[scope=row]");
  await expect(rows).toHaveCount(22);
  const asked = await page.locator(".exam-objectives td.numeric").allTextContents();
  const total = asked.reduce((sum, text) => sum + Number(/of (\d+)/.exec(text)?.[1] ?? 0), 0);
  expect(total).toBe(50);
  const next = page.getByRole("heading", { name: /^Read next, \d+ minutes$/ });
  const title = (await next.textContent()) ?? "";
  const places = await page.locator(".exam-read .read-places a").allTextContents();
  expect(places).toHaveLength(8);
  await isSound(page);

  // It comes from what is kept with the exam.
  await page.reload();
  await expect(next).toHaveText(title);
  await expect(
    page
      .locator(".exam-missed > li")
      .first()
      .getByRole("link", { name: /^Read: .+/ }),
  ).toHaveCount(1);
  await expect(rows).toHaveCount(22);
  expect(await page.locator(".exam-read .read-places a").allTextContents()).toEqual(places);
  await page.locator(".exam-read .read-places a").first().click();
  await expect(page).toHaveURL(/#\/study\/lessons\/[a-z0-9-]+/);
  await expect(page.locator(".lesson-text")).toBeVisible();

  await page.goto("./#/study/exam");
  await expect(page.locator(".exam-number").nth(1)).toContainText(/\d of 50, \d+ %/);
  await expect(page.getByRole("row", { name: /set 2 \d of 50/ })).toBeVisible();
  await take();
  await page.getByRole("button", { name: "Hand in …" }).click();
  await page.getByRole("button", { name: "Hand in now" }).click();
  await expect(headline(page)).toHaveText(/0 of 50 right/);
  const exams = (await keptIn(page, "exams")) as { number: number; questions: { id: string }[] }[];
  const [first, second] = exams.map(({ questions }) => questions.map(({ id }) => id));
  expect(exams.map(({ number }) => number)).toEqual([2, 2]);
  expect(second).toEqual(first);
  await page.setViewportSize({ width: 360, height: 740 });
  await isSound(page);
});
