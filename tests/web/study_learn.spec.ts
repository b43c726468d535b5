/** The study tool with the real engine: placement, a session by keyboard alone, reloads that lose nothing, backup, storage that is refused. */
import { readFileSync } from "node:fs";
import { expect, type Page } from "../../web/playwright.ts";
import { backupText, kNothing } from "../../web/src/study/backup.ts";
import { pressAt } from "./keyboard.ts";
import { headline, isSound, isSoundEverywhere, test } from "./quiet_page.ts";
import { examRecord, review } from "./study/samples.ts";
import { answerByKeys, answerPlacement, isAnswered, kindOf, prompt, verdict } from "./study_steps.ts";

/** What the backup screen says is kept. */
async function keptReviews(page: Page): Promise<number> {
  await page.goto("./#/study/backup");
  const text = await page.getByText(/^Kept in this browser/).textContent();
  return Number(/reviews (\d+)/.exec(text ?? "")?.[1]);
}

test("placement, a session by keyboard, reloads in the middle, and a backup that comes back", async ({ page }) => {
  await page.goto("./#/study");
  await expect(headline(page)).toHaveText("Prepare for the NCA-AIIO exam");
  await pressAt(page, page.getByRole("link", { name: "Take the ten questions" }));
  await answerPlacement(page);
  await expect(page.getByText("Most to gain:")).toBeVisible();

  await pressAt(page, page.getByRole("button", { name: "20 minutes now" }));
  await expect(page).toHaveURL(/#\/study\/session$/);
  await expect(headline(page)).toHaveText("Session: question 1");
  await answerByKeys(page);
  await isAnswered(page);
  await expect(verdict(page)).toBeFocused();
  await expect(page.getByRole("button", { name: /suggested|ask again soon/ })).toHaveCount(1);
  await page.keyboard.press("3");
  await expect(headline(page)).toHaveText("Session: question 2");
  await expect(headline(page)).toBeFocused();

  // Undo goes back to the grades of the last card, and its answer can be taken back too.
  await page.keyboard.press("u");
  await expect(headline(page)).toHaveText("Session: question 1");
  await expect(verdict(page)).toBeVisible();
  await page.keyboard.press("u");
  await expect(verdict(page)).toBeHidden();
  await headline(page).focus();
  await isAnswered(page);
  await page.keyboard.press("4");
  await expect(headline(page)).toHaveText("Session: question 2");

  // A reload while answering keeps the question and how sure the learner is; one after the answer keeps the answer.
  const asked = await prompt(page).textContent();
  await page.keyboard.press("7");
  await expect(page.getByRole("button", { name: /^70 %/ })).toHaveAttribute("aria-pressed", "true");
  await page.reload();
  await expect(prompt(page)).toHaveText(asked ?? "");
  await expect(page.getByRole("button", { name: /^70 %/ })).toHaveAttribute("aria-pressed", "true");
  await answerByKeys(page);
  await isAnswered(page);
  const came = await verdict(page).textContent();
  await page.reload();
  await expect(prompt(page)).toHaveText(asked ?? "");
  await expect(verdict(page)).toHaveText(came ?? "");
  await page.keyboard.press("2");
  await expect(headline(page)).toHaveText("Session: question 3");
  await page.getByRole("button", { name: "End the session" }).click();
  await expect(headline(page)).toHaveText("Session done");
  await expect(page.getByText(/more answers with a stated confidence/)).toBeVisible();
  await isSound(page);

  await page.goto("./#/study");
  await expect(page.getByRole("link", { name: "20 minutes now" })).toBeVisible();
  expect(await keptReviews(page)).toBe(12);
  await page.goto("./#/study/lessons/course-map");
  await page.getByRole("button", { name: /read/i }).first().click();
  await page.goto("./#/study/backup");
  await expect(page.getByText(/lessons read 1\./)).toBeVisible();
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save a backup file" }).click();
  const file = await (await coming).path();
  await expect(page.getByText(/^Last backup file: today/)).toBeVisible();
  expect(JSON.parse(readFileSync(file, "utf8")).reviews).toHaveLength(12);

  await page.getByRole("button", { name: "Erase everything…" }).click();
  await expect(page.getByRole("button", { name: "Keep", exact: true })).toBeFocused();
  await isSound(page);
  await page.getByRole("button", { name: "Erase", exact: true }).click();
  await expect(page.getByText("Nothing is kept yet.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Nothing is kept yet.")).toBeVisible();

  await page.getByLabel("Choose a backup file").setInputFiles({
    name: "backup.json",
    mimeType: "application/json",
    buffer: readFileSync(file),
  });
  await expect(page.getByRole("row", { name: "New reviews 12" })).toBeVisible();
  await expect(page.getByRole("row", { name: "New lessons read 1" })).toBeVisible();
  await expect(page.getByText("Nothing is kept yet.")).toBeVisible();
  await page.getByRole("button", { name: "Import" }).click();
  await expect(page.getByText("Imported: 13 new, 0 replaced.")).toBeVisible();
  await page.reload();
  expect(await keptReviews(page)).toBe(12);
  await expect(page.getByText(/lessons read 1\./)).toBeVisible();
});

test("other files leave this browser: the log as a table and the questions for Anki", async ({ page }) => {
  await page.goto("./#/study/backup");
  for (const [name, lines] of [
    ["Save the log as CSV", /^id,time,card,question/],
    ["Save questions and cards for Anki", /^#separator:tab\n#html:true\n[\s\S]*\npodwright\/t\.kv-cache\t/],
  ] as const) {
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    expect(readFileSync(await (await coming).path(), "utf8")).toMatch(lines);
  }
});

test("a file that is no backup is told apart, and changes nothing", async ({ page }) => {
  await page.goto("./#/study/backup");
  const give = (text: string) =>
    page
      .getByLabel("Choose a backup file")
      .setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await give("not JSON");
  await expect(page.getByRole("alert")).toContainText("not JSON");
  await give('{"schema":"something else"}');
  await expect(page.getByRole("alert")).toContainText("not a backup of this tool");
  await expect(page.getByText("Nothing is kept yet.")).toBeVisible();
});

test("where the browser keeps nothing, that is said, and a session works", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "indexedDB", { value: undefined });
  });
  await page.goto("./#/study");
  await expect(page.getByText(/The browser saves nothing for this site/)).toBeVisible();
  await page.getByRole("link", { name: /^Skip: / }).click();
  for (const count of [1, 2]) {
    await expect(headline(page)).toHaveText(`Session: question ${count}`);
    await answerByKeys(page);
    await isAnswered(page);
    await page.keyboard.press("3");
  }
  await expect(headline(page)).toHaveText("Session: question 3");
  await expect(page.getByText(/The browser saves nothing for this site/)).toBeVisible();
  await isSound(page);
  expect(await keptReviews(page)).toBe(2);
});

test("a question that is left before it is painted hears no keys any more", async ({ page }) => {
  await page.addInitScript(() => {
    const hearing = new Set<unknown>();
    const { addEventListener, removeEventListener } = document;
    document.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      if (given[0] === "keydown") hearing.add(given[1]);
      addEventListener.apply(document, given);
    };
    document.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      hearing.delete(given[1]);
      removeEventListener.apply(document, given);
    };
    Object.assign(window, { hearing });
  });
  const hearing = () => page.evaluate(() => (window as unknown as { hearing: Set<unknown> }).hearing.size);
  await page.goto("./#/study");
  await page.getByRole("link", { name: /^Skip: / }).click();
  await prompt(page).waitFor();
  const one = await hearing();
  for (let visit = 0; visit < 5; visit += 1) {
    await page.evaluate(() => (location.hash = "#/study/glossary"));
    await expect(headline(page)).toHaveText("Glossary");
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          new MutationObserver((_, watch) => {
            if (document.querySelector(".question-prompt") === null) return;
            watch.disconnect();
            location.hash = "#/study/glossary";
            resolve();
          }).observe(document.body, { childList: true, subtree: true });
          location.hash = "#/study/session";
        }),
    );
    await expect(headline(page)).toHaveText("Glossary");
  }
  await page.evaluate(() => (location.hash = "#/study/session"));
  await prompt(page).waitFor();
  expect(await hearing()).toBe(one);
});

test("a session that is opened from the menu takes Enter for its question", async ({ page }) => {
  await page.goto("./#/study/glossary");
  await page.getByRole("navigation", { name: "Study screens" }).getByRole("link", { name: "Session" }).click();
  await expect(headline(page)).toHaveText("Session: question 1");
  await expect(headline(page)).toBeFocused();
  await answerByKeys(page);
  await isAnswered(page);
});

test("single keys can be switched off", async ({ page }) => {
  await page.goto("./#/study/session");
  await kindOf(page);
  await page.getByText("Keys", { exact: true }).click();
  await page.getByLabel("Use single-key shortcuts").uncheck();
  await headline(page).focus();
  await page.keyboard.press("7");
  await expect(page.getByRole("button", { name: /^70 %/ })).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("n");
  await expect(verdict(page)).toBeHidden();
});

/** A log with everything that the home draws. */
const kDay = 86_400_000;
function someLog(now: number): string {
  const objectives = ["1.2", "2.1", "2.7", "3.3", "1.8", "2.4"];
  const reviews = Array.from({ length: 36 }, (_, i) =>
    review(`r${i}`, {
      // Some of them are cards that the pack does not have any more.
      card: i < 20 ? `once-${i}` : (["t.kv-cache", "t.weights-memory", "t.allreduce-time"][i % 3] ?? ""),
      question: `t.weights-memory/${i}`,
      objective: objectives[i % 6] ?? "1.2",
      time: now - 20 * kDay + (i * kDay) / 2,
      right: i % 3 !== 0,
      grade: i % 3 === 0 ? 1 : 3,
      confidence: [0.5, 0.7, 0.9, 0.99][i % 4],
      ...(i % 3 === 0 ? { traps: ["bits-for-bytes", "other-width", "four-times-rule"].slice(i % 2) } : {}),
      session: "s",
    }),
  );
  const settings = { exam: "nca-aiio", examAt: now + 30 * kDay, minutesPerDay: 25 };
  return backupText({ ...kNothing, reviews, exams: [examRecord("e1")], settings }, now);
}

async function openLog(page: Page): Promise<void> {
  await page.goto("./#/study/backup");
  await page
    .getByLabel("Choose a backup file")
    .setInputFiles({ name: "b.json", mimeType: "application/json", buffer: Buffer.from(someLog(Date.now())) });
  await page.getByRole("button", { name: "Import" }).click();
  await expect(page.getByText(/^Imported/)).toBeVisible();
}

test("the home shows where the learner stands, and leads to what is weak", async ({ page }) => {
  await page.goto("./#/study");
  await expect(headline(page)).toHaveText("Prepare for the NCA-AIIO exam");
  await isSoundEverywhere(page);

  await openLog(page);
  await isSoundEverywhere(page);
  await page.goto("./#/study");
  await expect(headline(page)).toHaveText(/^\d+ of \d+ questions seen, 30 days to go, /);
  await expect(page.getByText(/The exam is in 30 days/)).toBeVisible();
  await expect(page.getByText(/\d+ to repeat, \d+ new/).first()).toBeVisible();
  await expect(page.getByText(/^You are overconfident/)).toBeVisible();
  await expect(page.getByText(/^Answer 40 more exam-style questions/)).toBeVisible();
  await expect(page.getByText("Bits for bytes")).toBeVisible();
  await expect(page.getByText(/takes a figure in bits for one in bytes/)).toBeVisible();
  await expect(page.getByText("Your log is only in this browser.")).toBeVisible();
  await isSoundEverywhere(page);

  await page.getByLabel("Exam date").fill("2020-01-01");
  await expect(page.getByText("This date has passed.")).toBeVisible();
  await page.getByRole("button", { name: "No date" }).click();
  await page.getByLabel("Minutes per day").fill("4");
  await expect(page.getByText("Enter a whole number of minutes from 5 to 240.")).toBeVisible();
  await page.getByLabel("Minutes per day").fill("30");
  await page.getByRole("button", { name: "Use this plan" }).click();
  await expect(page.getByText(/No exam date is set/)).toBeVisible();
  await expect(page.getByRole("link", { name: "30 minutes now" })).toBeVisible();

  await page.getByRole("link", { name: "Practise these: bits-for-bytes" }).click();
  await expect(headline(page)).toHaveText("Practise Bits for bytes: question 1");
});

test("questions of every kind are accessible, before and after the answer", async ({ page }) => {
  test.setTimeout(180_000);
  const seen = new Set<string>();
  await page.goto("./#/study/session/objective/1.2");
  for (let count = 1; count <= 40 && seen.size < 5; count += 1) {
    await expect(headline(page)).toHaveText(`Practise 1.2: question ${count}`);
    const kind = await kindOf(page);
    const isNew = !seen.has(kind);
    seen.add(kind);
    if (isNew) await isSoundEverywhere(page);
    await answerByKeys(page);
    await isAnswered(page);
    if (isNew) await isSoundEverywhere(page);
    await page.keyboard.press("3");
  }
  expect([...seen].sort()).toEqual(["choice", "match", "number", "order", "two"]);
});

test("an answered question opens in the planner with its own numbers", async ({ page }) => {
  await page.goto("./#/study/lessons/fat-trees");
  const closing = page.locator(".lesson-closing");
  await closing.getByRole("radio").first().check();
  await closing.getByRole("button", { name: "Check the answer" }).click();
  const asked = (await prompt(page).textContent()) ?? "";
  const right = (await closing.locator("li.good .option-text").textContent()) ?? "";
  const numberOf = (words: RegExp, text: string) => words.exec(text)?.[1]?.replaceAll(",", "") ?? "";

  await closing.getByText("See this case in the planner:").getByRole("link", { name: "Fabric" }).click();
  await expect(page).toHaveURL(/#\/fabric\?s=1\./);
  await expect(page.getByLabel("Nodes", { exact: true })).toHaveValue(numberOf(/([\d,]+) nodes? with/, asked));
  await expect(page.getByLabel("Rails", { exact: true })).toHaveValue(numberOf(/([\d,]+) NICs? each/, asked));
  await expect(page.getByLabel("Switch ports", { exact: true })).toHaveValue(numberOf(/([\d,]+) ports/, asked));
  // The answer stands in the sentence of the screen: leaves and spines together.
  await expect
    .poll(async () => {
      const sentence = (await headline(page).textContent()) ?? "";
      return Number(numberOf(/([\d,]+) leaf/, sentence)) + Number(numberOf(/([\d,]+) spine/, sentence));
    })
    .toBe(Number(right.replaceAll(",", "")));
  await isSound(page);
});
