/** The home of the study tool: the first visit up to the first question, the plan towards a date, the forecast, and the line below every screen. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "../../web/playwright.ts";
import { backupText, kNothing } from "../../web/src/study/backup.ts";
import type { Blueprint } from "../../web/src/study/blueprint.ts";
import type { Review } from "../../web/src/study/log.ts";
import type { WrittenPack } from "../../web/src/study/pack.ts";
import { kStudyScreens, studyAddress } from "../../web/src/study/screens/addresses.ts";
import type { StudySettings } from "../../web/src/study/study_settings.ts";
import { headline, isSound, isSoundEverywhere, test } from "./quiet_page.ts";
import { examAnswer, examRecord, review } from "./study/samples.ts";
import { beginExam, prompt } from "./study_steps.ts";

const kDay = 86_400_000;
const data = join(__dirname, "../../core/study/data");

/** Questions of the exam's kind, from every objective in turns. */
function examQuestions(): { id: string; objective: string }[] {
  const { objectives } = JSON.parse(readFileSync(join(data, "blueprints/nca-aiio.json"), "utf8")) as Blueprint;
  const packs = objectives.map(
    ({ id }) => JSON.parse(readFileSync(join(data, `written/${id}.json`), "utf8")) as WrittenPack,
  );
  const lists = packs.map(({ objective, questions }) =>
    questions
      .filter(
        ({ level, asks, kind }) => level === "associate" && asks !== "calculation" && /^choose-two|^choice/.test(kind),
      )
      .map(({ id }) => ({ id, objective })),
  );
  return Array.from({ length: 5 }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}

/** Answers at so many of them, today and before; `right` of ten are right. */
const answersAt = (count: number, right: number, now: number): Review[] =>
  examQuestions()
    .slice(0, count)
    .map(({ id, objective }, i) =>
      review(`r${i}`, {
        card: id,
        question: id,
        objective,
        right: (i * 7) % 10 < right,
        grade: (i * 7) % 10 < right ? 3 : 1,
        time: now - Math.floor((count - 1 - i) / 10) * kDay - (count - i) * 60_000,
      }),
    );

/** Brings a log into this browser, as its owner would. */
async function bring(page: Page, reviews: Review[], settings: StudySettings, now: number, withExam = false) {
  const questions = [...Array(50).keys()].map((i) => ({
    id: `asked-${i}`,
    objective: "1.1",
    kind: "choice",
    difficulty: 1,
    prompt: "?",
    options: [
      { text: "a", right: true },
      { text: "b", right: false },
    ],
    answer: { options: [0] },
    solution: [],
  }));
  const exams = withExam ? [examRecord("mock", { questions, submittedAt: now - 1000 })] : [];
  const answers = withExam ? questions.map((_, i) => examAnswer("mock", i, { answer: [0], time: now - 2000 })) : [];
  const file = backupText({ ...kNothing, reviews, exams, answers, settings }, now);
  await page.goto("./#/study/backup");
  await page
    .getByLabel("Choose a backup file")
    .setInputFiles({ name: "b.json", mimeType: "application/json", buffer: Buffer.from(file) });
  await page.getByRole("button", { name: "Import" }).click();
  await expect(page.getByText(/^Imported/)).toBeVisible();
  await page.goto("./#/study");
}

const foot = (page: Page) => page.locator(".study-foot");

test("from the first visit to the first question in one click, with everything there", async ({ page }) => {
  // What the first question needs is asked for while the visitor reads.
  const ready = page.waitForResponse(/study\/\w+\/questions\/[\d.]+\.json/);
  await page.goto("./#/study");
  await expect(headline(page)).toHaveText("Prepare for the NCA-AIIO exam");
  await expect(page.getByText(/\d+ short lessons, \d+ practice questions/)).toBeVisible();
  await expect(page.getByText(/Everything together takes about \d+ hours/)).toBeVisible();
  await expect(page.getByRole("link", { name: /^Read the first lesson \(\d+ min\)$/ })).toBeVisible();
  await ready;
  await page.waitForLoadState("networkidle");
  let asked = 0;
  page.on("request", () => {
    asked += 1;
  });
  const before = Date.now();
  await page.getByRole("link", { name: "Take the ten questions" }).click();
  await expect(prompt(page)).not.toBeEmpty();
  test.info().annotations.push({ type: "from the click to the question", description: `${Date.now() - before} ms` });
  expect(asked).toBeLessThanOrEqual(1);
  await expect(headline(page)).toHaveText("Placement: question 1");
});

test("the other door of the first visit is the first lesson", async ({ page }) => {
  await page.goto("./#/study");
  await page.getByRole("link", { name: /^Read the first lesson/ }).click();
  await expect(page).toHaveURL(/#\/study\/lessons\/[a-z-]+$/);
  await expect(headline(page)).not.toBeEmpty();
  await page.goto("./#/study");
  await isSoundEverywhere(page);
});

test("a plan with a date shows lessons, questions and three mock exams, done ones ticked", async ({ page }) => {
  const now = Date.now();
  await bring(
    page,
    answersAt(30, 7, now),
    { examAt: now + 30 * kDay, planFrom: now - 2 * kDay, minutesPerDay: 40 },
    now,
    true,
  );
  await expect(headline(page)).toHaveText(
    /^\d+ of \d+ questions seen, 30 days to go, (on track|nearly on track|short of time)$/,
  );
  const plan = page.locator("section", { has: page.getByRole("heading", { name: "Your plan" }) });
  const today = plan.locator(".plan-today");
  await expect(today.getByText(/^Lesson \d+/).first()).toBeVisible();
  await expect(today.getByText(/\d+ to repeat, \d+ new/)).toBeVisible();
  await expect(plan.locator(".plan-mocks li")).toHaveCount(3);
  await expect(plan.locator(".plan-mocks li").first()).toHaveText(/✓ Practice exam 1 done on .*: 50 of 50 right/);
  await expect(plan.getByText(/^Week from .* lessons, \d+ questions/).first()).toBeVisible();
  await expect(plan.getByText(/Practice exam 3/).first()).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Exam date set" })).toContainText("reached");
  await expect(page.getByRole("listitem").filter({ hasText: "All lessons read" })).toContainText(/ 0 of \d+$/);
  await expect(page.getByRole("list", { name: "Answers in the last 14 days" }).getByRole("listitem")).toHaveCount(14);
  await expect(page.getByRole("link", { name: "Scores of your practice exams" })).toBeVisible();
  await isSoundEverywhere(page);

  // A lesson that is read stays in today's list, ticked off.
  const lesson = today
    .getByRole("listitem")
    .filter({ hasText: /^Lesson/ })
    .first();
  const title = (await lesson.getByRole("link").textContent()) ?? "";
  await lesson.getByRole("link").click();
  await page.getByRole("button", { name: /read/i }).first().click();
  await page.goto("./#/study");
  await expect(today.getByRole("listitem").filter({ hasText: title })).toContainText("✓ done");
});

/** Primary buttons and links whose text cannot be read as they are now. */
const faintButtons = (page: Page) =>
  page.locator(".primary:visible").evaluateAll((all) =>
    all.flatMap((one) => {
      const { color, backgroundColor, borderColor } = getComputedStyle(one);
      return color === backgroundColor || color === borderColor ? [`${one.textContent}: ${color}`] : [];
    }),
  );

test("text of a primary button stays while it is pointed at, focused and pressed, light and dark", async ({ page }) => {
  const now = Date.now();
  await bring(page, answersAt(30, 7, now), { examAt: now + 30 * kDay, minutesPerDay: 40 }, now);
  await expect(page.getByRole("link", { name: /^Next today: lesson/ })).toBeVisible();
  for (const screen of ["", "quiz", "exam"] as const) {
    await page.goto(`./${studyAddress(screen)}`);
    const buttons = page.locator(".primary:visible:not([aria-disabled=true], :disabled)");
    await expect(buttons.first()).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const button = buttons.first();
      await button.hover();
      expect(await faintButtons(page)).toEqual([]);
      await button.focus();
      expect(await faintButtons(page)).toEqual([]);
      await page.mouse.down();
      expect(await faintButtons(page)).toEqual([]);
      // Let go elsewhere: nothing is pressed.
      await page.mouse.move(1, 1);
      await page.mouse.up();
    }
  }
});

test("a session takes what today's lessons leave, goes on beside the next lesson, and is followed by a new one", async ({
  page,
}) => {
  const now = Date.now();
  await bring(page, answersAt(30, 7, now - kDay), { examAt: now + 30 * kDay, minutesPerDay: 40 }, now);
  const today = page.locator(".plan-today");
  const questions = today.getByRole("listitem").filter({ hasText: /^Questions/ });
  await expect(questions).toHaveText(/ · \d+ min$/);
  const minutes = Number(/(\d+) min$/.exec((await questions.textContent()) ?? "")?.[1]);
  expect(minutes).toBeLessThan(39);
  await questions.getByRole("link").click();
  await expect(prompt(page)).not.toBeEmpty();
  const left = await page.getByText(/^about \d+ min left$/).textContent();
  // A day is filled but for less than a card.
  expect(Math.abs(Number(/\d+/.exec(left ?? "")?.[0]) - minutes)).toBeLessThanOrEqual(2);

  await page.goto("./#/study");
  const actions = page.locator(".study-first .session-actions");
  await expect(actions.getByRole("link").first()).toHaveText("Continue the session");
  await expect(actions.getByRole("link", { name: /^Next today: lesson/ })).toBeVisible();
  await actions.getByRole("link", { name: "Continue the session" }).click();
  await page.getByRole("button", { name: "End the session" }).click();
  await expect(prompt(page)).toHaveCount(0);

  await page.goto("./#/study");
  await questions.getByRole("link").click();
  await expect(prompt(page)).not.toBeEmpty();
});

test("a near date has a small plan, and without a date the home asks for one", async ({ page }) => {
  const now = Date.now();
  await bring(page, answersAt(5, 7, now), { minutesPerDay: 20 }, now);
  await expect(page.getByText(/^Set an exam date below/)).toBeVisible();
  const field = page.getByLabel("Exam date");
  const date = new Date(now + 2 * kDay);
  const two = (part: number) => String(part).padStart(2, "0");
  await field.fill(`${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`);
  await page.getByRole("button", { name: "Use this plan" }).click();
  await expect(headline(page)).toHaveText(/2 days to go, short of time$/);
  await expect(page.locator(".plan-mocks li")).toHaveCount(1);
  await expect(page.getByText("Lessons outside the plan")).toBeVisible();
  await isSound(page);
});

test("a running practice exam shows on the home and in a session, and blank it does not count", async ({ page }) => {
  await page.goto("./#/study/exam");
  await beginExam(page, 12);
  for (const screen of ["session", ""]) {
    await page.goto(`./#/study/${screen}`);
    await expect(page.locator(".running-exam")).toContainText(/Practice exam is running: \d+ minutes left/);
  }
  await isSound(page);
  await page.getByRole("link", { name: "Continue the exam" }).click();
  await page.getByRole("button", { name: "Hand in …" }).click();
  await expect(page.getByText(/^Nothing is answered yet/)).toBeVisible();
  await page.getByRole("button", { name: "Hand in now" }).click();
  await expect(page.getByText(/^Nothing was answered/)).toBeVisible();
  await page.goto("./#/study");
  await expect(page.locator(".running-exam")).toHaveCount(0);
  await expect(page.getByRole("listitem").filter({ hasText: "Practice exams taken" })).toContainText(/ 0 of 3$/);
});

test("the forecast is silent at 39 answers of the exam's kind, and there at 40", async ({ page }) => {
  const now = Date.now();
  await bring(page, answersAt(39, 8, now), {}, now);
  await expect(page.getByText("Answer 1 more exam-style question to see a forecast.")).toBeVisible();
  await expect(page.getByText(/90 % interval: /)).toBeHidden();
  await bring(page, answersAt(40, 8, now), {}, now);
  await expect(page.getByText(/^\d+ % today \(90 % interval: .* to .*\)\. Expect \d+ of 50 right/)).toBeVisible();
  await expect(page.getByText(/Answer \d+ more question.* forecast/)).toBeHidden();
});

test("statistics are silent with few answers, and say how many they need", async ({ page }) => {
  const now = Date.now();
  const few = answersAt(8, 2, now).map((one) => ({ ...one, confidence: 0.9 }));
  await bring(page, few, {}, now);
  await expect(page.getByText(/Answer 12 more exam-style questions .* ability in each domain/)).toBeVisible();
  await expect(page.getByText(/After 12 more such answers/)).toBeVisible();
  await expect(page.getByText(/No known mistake/)).toBeHidden();
  await expect(page.getByText(/overconfident/)).toBeHidden();
});

test("every screen says whose it is not, and when its questions were checked", async ({ page }) => {
  for (const screen of [...kStudyScreens, "coverage" as const]) {
    await page.goto(`./${studyAddress(screen)}`);
    await expect(foot(page)).toHaveText(
      /^Not affiliated with or endorsed by NVIDIA\. Questions checked [^·]*20\d\d · blueprint \S+, checked [^·]*20\d\d \(NVIDIA-Certified Associate.*\)$/,
    );
  }
  await page.goto(`./${studyAddress("lessons", "course-map")}`);
  await expect(foot(page)).toBeVisible();
});
