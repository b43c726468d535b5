/** The practice exam in a real browser: by keyboard, through reloads, without storage, on a phone. */
import { test as base, expect, type Page } from "../../web/playwright.ts";
import { pressAt } from "./keyboard.ts";
import { headline, isSound, said, test } from "./quiet_page.ts";
import { answerExamTo, beginExam, examCounts, examQuestion, keptIn } from "./study_steps.ts";

const kMinute = 60_000;
const place = (page: Page, name: number) =>
  page.locator(".exam-map").getByRole("button", { name: `Question ${name}:` });

/** Begins the exam of a seed by keyboard. */
async function begin(page: Page, seed: number): Promise<void> {
  await page.goto("./#/study/exam");
  await beginExam(page, seed);
}

/** How the question on show is answered, and whether it has a drawing. */
const kindShown = (page: Page) =>
  page.locator(".exam-question .question").evaluate((here) => {
    const controls = { radio: "[type=radio]", checkbox: "[type=checkbox]", select: "select", number: "input" };
    const [control = "order"] = Object.entries(controls).find(([, one]) => here.querySelector(one) !== null) ?? [];
    return here.querySelector(".question-drawing") === null ? control : `drawing, ${control}`;
  });

test("a practice exam by keyboard, with a reload in the middle", async ({ page }) => {
  test.setTimeout(300_000);
  await page.clock.install();
  await page.goto("./#/study/exam");
  await expect(page.locator(".exam-facts")).toContainText("60 min");
  await expect(page.locator(".exam-facts")).toContainText("70 % (35 right answers) is an assumption: not published");
  await isSound(page);
  await begin(page, 12);
  expect(await page.evaluate(() => scrollY)).toBe(0);

  // The first question has options: strike, flag, arrows.
  await page.keyboard.press("Shift+A");
  await expect(page.locator(".question-option.struck")).toHaveCount(1);
  await expect(page.locator(".question :checked")).toHaveCount(0);
  await page.keyboard.press("Shift+C");
  await page.keyboard.press("Shift+C");
  await said(page, "Option c no longer struck out.");
  await page.keyboard.press("f");
  await said(page, "Question 1 flagged.");
  await page.keyboard.press("b");
  await page.keyboard.press("ArrowLeft");
  await expect(examQuestion(page)).toHaveText("Question 1 of 50");
  await examQuestion(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect(examQuestion(page)).toHaveText("Question 2 of 50");
  await page.keyboard.press("p");
  await expect(page.locator(".question :checked")).toHaveCount(1);
  await expect(place(page, 1)).toHaveAccessibleName("Question 1: answered, flagged, shown now");

  await page.keyboard.press("n");
  await answerExamTo(page, 22, [5, 7]);
  await expect(examCounts(page)).toHaveText("20 of 50 answered, 1 flagged");
  await isSound(page);
  await page.clock.fastForward(12 * kMinute);
  await page.keyboard.press("t");
  await said(page, /^4[678] minutes left/);

  const before = await page.locator(".exam-map ol").textContent();
  await page.reload();
  await expect(examQuestion(page)).toHaveText("Question 22 of 50");
  expect(await page.locator(".exam-map ol").textContent()).toBe(before);
  await expect(page.locator(".exam-time")).toHaveText(/^4[678]:\d\d left$/);
  await pressAt(page, place(page, 1));
  await expect(page.locator(".question-option.struck")).toHaveCount(1);
  await expect(page.locator(".question-option").nth(1).locator("input")).toBeChecked();

  // Half of the time is announced by itself, once.
  await page.clock.fastForward(19 * kMinute);
  await said(page, /^Half of the time has passed: (27|28|29) minutes left/);

  // Letters would take back what two options of the 22nd may have.
  await pressAt(page, place(page, 23));
  await answerExamTo(page, 50);
  await pressAt(page, page.getByRole("button", { name: "Hand in …" }));
  const check = page.locator(".exam-check");
  await expect(check.getByRole("heading", { level: 2 })).toBeFocused();
  await expect(check).toContainText("Not fully answered (2)");
  await expect(check.getByRole("button", { name: /^Go to question/ })).toHaveText(["5", "7", "1"]);
  await isSound(page);
  await pressAt(page, check.getByRole("button", { name: "Go to question 7" }));
  await expect(examQuestion(page)).toHaveText("Question 7 of 50");
  await expect(examQuestion(page)).toBeFocused();
  await pressAt(page, page.getByRole("button", { name: "Hand in …" }));
  // The focus goes to the heading once the check is drawn.
  await expect(check.getByRole("heading", { level: 2 })).toBeFocused();
  await pressAt(page, page.getByRole("button", { name: "Hand in now" }));

  await expect(headline(page)).toHaveText(/^. \d+ of 50 right/);
  await expect(headline(page)).toBeFocused();
  const right = Number(/(\d+) of 50/.exec((await headline(page).textContent()) ?? "")?.[1]);
  await expect(
    page.getByText(/Chance of passing the next exam of this kind: .*Expect \d+ to \d+ of 50 right/),
  ).toBeVisible();
  await expect(page.getByRole("heading", { name: `What was missed (${50 - right})` })).toBeVisible();
  await expect(page.locator(".exam-missed").first().getByText("not answered")).toHaveCount(2);
  await expect(page.locator("svg.exam-curve")).toBeVisible();
  await page.getByText("The same as a table").click();
  await expect(page.getByRole("row", { name: /^70 % 57 %$/ })).toBeVisible();
  await isSound(page);
});

test("two mistakes are opened and tagged, and all that was missed goes into the reviews; a reload keeps it", async ({
  page,
}) => {
  await begin(page, 12);
  await answerExamTo(page, 8);
  await pressAt(page, page.getByRole("button", { name: "Hand in …" }));
  await expect(page.locator(".exam-check").getByRole("heading", { level: 2 })).toBeFocused();
  await pressAt(page, page.getByRole("button", { name: "Hand in now" }));
  await expect(headline(page)).toHaveText(/^. \d+ of 50 right/);
  await expect(headline(page)).toBeFocused();
  const missed = 50 - Number(/(\d+) of 50/.exec((await headline(page).textContent()) ?? "")?.[1]);
  // What was left open says nothing of what is known.
  const wrong = missed - 42;
  await expect(page.getByText("This is estimated from the 8 of 50 questions that you answered")).toBeVisible();
  const items = page.locator(".exam-missed").first().locator("> li");
  for (const [at, reason] of [
    [0, "Reasoning"],
    [1, "Misread"],
  ] as const) {
    const item = items.nth(at);
    await pressAt(page, item.getByText("Question, answer and explanation"));
    await expect(item.getByRole("heading", { name: "Solution" })).toBeVisible();
    await pressAt(page, item.getByRole("button", { name: reason }));
    await expect(item.getByRole("button", { name: reason })).toHaveAttribute("aria-pressed", "true");
  }
  await said(page, `0 knowledge, 1 reasoning, 1 misread, ${missed - 2} without a reason`);
  await pressAt(page, page.getByRole("button", { name: `Add wrongly answered questions to the reviews (${wrong})` }));
  await expect(page.getByText("Wrongly answered questions are in the reviews.")).toBeVisible();
  await said(page, `Added to the reviews: ${wrong}.`);
  await isSound(page);

  await page.reload();
  await expect(page.getByText("Wrongly answered questions are in the reviews.")).toBeVisible();
  await expect(items.first().getByRole("button", { name: "Reasoning" })).toHaveAttribute("aria-pressed", "true");
  const reviews = (await keptIn(page, "reviews")) as { exam?: string; grade: number; mistake?: string }[];
  expect(reviews).toHaveLength(wrong);
  expect(reviews.every(({ exam, grade }) => exam !== undefined && grade === 1)).toBe(true);
  expect(reviews.flatMap(({ mistake }) => mistake ?? []).sort()).toEqual(["misread", "reasoning"]);
  // One press takes it back, too.
  await page.getByRole("button", { name: "Take them back" }).click();
  await expect(page.getByRole("button", { name: /^Add wrongly answered questions/ })).toBeVisible();
  await expect.poll(async () => (await keptIn(page, "reviews")).length).toBe(0);

  await page.getByRole("link", { name: "Another exam" }).click();
  await expect(page.getByRole("heading", { name: "Your exams" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Begin the exam" })).toBeVisible();
});

test("an exam pauses, and hands itself in when its time is over", async ({ page }) => {
  await page.clock.install();
  await begin(page, 3);
  await page.keyboard.press("a");
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("The exam is paused")).toBeVisible();
  await expect(page.locator(".question")).toHaveCount(0);
  // Who pauses may hand in, and comes back to the pause.
  await page.getByRole("button", { name: "Hand in …" }).click();
  await expect(page.getByRole("button", { name: "Hand in now" })).toBeVisible();
  await page.getByRole("button", { name: "Back to the questions" }).click();
  await expect(page.getByText("The exam is paused")).toBeVisible();
  await isSound(page);
  await page.clock.fastForward(100 * kMinute);
  await page.reload();
  await expect(page.locator(".exam-time")).toHaveText(/^(60:00|59:5\d) left$/);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(examQuestion(page)).toBeFocused();
  // The exam sets its timer after it has drawn.
  await page.clock.runFor(200);
  await page.clock.fastForward(59 * kMinute);
  await said(page, /^(1 minute|\d\d seconds) left/);
  await page.clock.fastForward(kMinute);
  await expect(page.getByText("Time was up")).toBeVisible();
  await expect(page.getByText(/60 of 60 min used\. Seed 3\./)).toBeVisible();
});

test("an exam that ran out while the page was closed is handed in, and a strict one has no pause", async ({ page }) => {
  await page.clock.install();
  await page.goto("./#/study/exam");
  await page.getByLabel("Strict: no pause").check();
  await page.getByLabel("Time limit").selectOption({ label: "90 min" });
  await page.getByRole("button", { name: "Begin the exam" }).click();
  await expect(page.locator(".exam-time")).toHaveText(/^(90:00|89:5\d) left$/);
  await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
  await page.goto("./#/study/labs");
  await expect(headline(page)).toHaveText("Labs");
  await page.clock.fastForward(91 * kMinute);
  await page.goto("./#/study/exam");
  await expect(page.getByText("Time was up")).toBeVisible();
  await expect(headline(page)).toHaveText(/^. 0 of 50 right: 35 short of the assumed mark$/);
  await page.goto("./#/study/exam/nothing-of-this-name");
  await expect(headline(page)).toHaveText("This browser has no exam with this name.");
  await isSound(page);
});

test("letters do nothing once they are switched off", async ({ page }) => {
  await begin(page, 12);
  await page.locator(".exam-keys summary").click();
  await page.getByLabel("Letter keys").uncheck();
  await examQuestion(page).focus();
  for (const key of ["b", "n", "f", "Shift+A"]) await page.keyboard.press(key);
  await expect(examCounts(page)).toHaveText("0 of 50 answered, 0 flagged");
  await expect(page.locator(".struck")).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await expect(examQuestion(page)).toHaveText("Question 2 of 50");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`on a phone, ${colorScheme}: before, during, after an exam, and a lab`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    test.setTimeout(180_000);
    await page.goto("./#/study/exam");
    await page.getByRole("radio", { name: /^Engineer's challenge/ }).check();
    await beginExam(page, 28);
    // One question of each kind.
    const seen = new Set<string>();
    for (let name = 1; name <= 50; name += 1) {
      await expect(examQuestion(page)).toHaveText(`Question ${name} of 50`);
      const kind = await kindShown(page);
      if (!seen.has(kind)) await isSound(page);
      // An exam in which nothing is answered has no part in the history.
      if (kind === "radio" && !seen.has(kind)) await page.keyboard.press("b");
      seen.add(kind);
      await page.keyboard.press("n");
    }
    expect([...seen].sort()).toEqual(["checkbox", "drawing, radio", "number", "order", "radio", "select"]);
    await page.getByRole("button", { name: "Hand in …" }).click();
    await isSound(page);
    await page.getByRole("button", { name: "Hand in now" }).click();
    await expect(headline(page)).toHaveText(/[01] of 50 right/);
    await page.getByText("The same as a table").click();
    await page.getByText("Question, answer and explanation").first().click();
    await isSound(page);
    await page.goto("./#/study/exam");
    await expect(page.getByRole("heading", { name: "Your exams" })).toBeVisible();
    await page.locator(".exam-keys summary").click();
    await isSound(page);
    await page.goto("./#/study/labs/break-even-utilisation");
    await page.getByRole("button", { name: "Reveal" }).click();
    await expect(page.locator(".calculator-results dd").first()).toHaveText(/%/);
    await isSound(page);
  });
}

test("without storage everything works, and it is said", async ({ page }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
  });
  await begin(page, 12);
  await expect(page.getByText("The browser saves nothing for this site")).toBeVisible();
  await answerExamTo(page, 3);
  await expect(examCounts(page)).toHaveText("3 of 50 answered, 0 flagged");
  await page.getByRole("button", { name: "Hand in …" }).click();
  await page.getByRole("button", { name: "Hand in now" }).click();
  await expect(headline(page)).toHaveText(/^. \d of 50 right/);
  await page.getByRole("button", { name: /^Add wrongly answered questions/ }).click();
  await expect(page.getByText("Wrongly answered questions are in the reviews.")).toBeVisible();
  await isSound(page);
});

base.describe("without the copy kept for use offline, which would start a broken engine again", () => {
  base.use({ serviceWorkers: "block" });

  base("an engine that fails is said, and asked again", async ({ page }) => {
    let broken = true;
    await page.route("**/engine/*/engine.mjs", (route) => (broken ? route.abort() : route.continue()));
    await page.goto("./#/study/exam");
    await page.getByRole("button", { name: "Begin the exam" }).click();
    await expect(page.getByText("The engine could not make an exam.")).toBeVisible();
    await page.goto("./#/study/labs/gain-of-batching");
    await page.getByRole("button", { name: "Reveal" }).click();
    await expect(page.getByText("The engine gave no answer.")).toBeVisible();
    broken = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { name: /^The engine says/ })).toBeVisible();
    await page.goto("./#/study/exam");
    await page.getByRole("button", { name: "Begin the exam" }).click();
    await expect(examQuestion(page)).toHaveText("Question 1 of 50");
  });
});
