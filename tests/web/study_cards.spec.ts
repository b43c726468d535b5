/** Recall cards: a session of terms by keyboard, own cards from the form to a restored backup, notes and bookmarks, and cards that are not to be asked. */
import { readFileSync } from "node:fs";
import { expect, type Page } from "../../web/playwright.ts";
import { backupText, kNothing, type StudyData } from "../../web/src/study/backup.ts";
import { markSet } from "../../web/src/study/card_marks.ts";
import type { QuestionPack } from "../../web/src/study/pack.ts";
import { pressAt, tabTo } from "./keyboard.ts";
import { headline, isSoundEverywhere, said, test } from "./quiet_page.ts";
import { review } from "./study/samples.ts";
import { answerByKeys, isAnswered, keptIn, prompt } from "./study_steps.ts";

const deck = (page: Page, name: string) =>
  page.locator(".deck-list li").filter({ has: page.getByRole("heading", { name, exact: true }) });
/** New, due, known. */
const counts = (page: Page, name: string) => deck(page, name).locator("dd").allTextContents();

async function openCards(page: Page): Promise<void> {
  await page.goto("./#/study/cards");
  await expect(headline(page)).toHaveText("Cards");
}

/** Turns the card of a session that is on, and grades it. */
async function doCard(page: Page, title: string, count: number, grade: string): Promise<void> {
  await expect(headline(page)).toHaveText(`${title}: card ${count}`);
  await prompt(page).first().waitFor();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Answer" })).toBeFocused();
  await page.keyboard.press(grade);
}

async function openFile(page: Page, text: string): Promise<void> {
  await page.goto("./#/study/backup");
  await page
    .getByLabel("Choose a backup file")
    .setInputFiles({ name: "b.json", mimeType: "application/json", buffer: Buffer.from(text) });
}

async function restore(page: Page, text: string): Promise<void> {
  await openFile(page, text);
  await page.getByRole("button", { name: "Import" }).click();
  await expect(page.getByText(/^Imported/)).toBeVisible();
}

async function savedBackup(page: Page): Promise<string> {
  await page.goto("./#/study/backup");
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save a backup file" }).click();
  return readFileSync(await (await coming).path(), "utf8");
}

test("terms are recalled by keyboard, over a reload, and counted", async ({ page }) => {
  await page.goto("./#/study");
  await pressAt(page, page.locator(".study-screens").getByRole("link", { name: "Cards", exact: true }));
  await expect(headline(page)).toHaveText("Cards");
  const [fresh] = await counts(page, "Terms, both directions");
  expect(Number(fresh)).toBeGreaterThan(400);
  await expect(deck(page, "Your own cards").getByText("None of your own cards is due or new.")).toBeVisible();
  await isSoundEverywhere(page);

  await pressAt(page, page.getByRole("link", { name: "Study terms" }));
  await expect(headline(page)).toHaveText("Terms: card 1");
  await expect(headline(page)).toBeFocused();
  await expect(page.getByText("What does this term mean?")).toBeVisible();
  await isSoundEverywhere(page);
  await page.keyboard.press("Space");
  await expect(page.getByRole("heading", { name: "Answer" })).toBeFocused();
  await said(page, /^Answer: ./);
  for (const name of ["Again", "Hard", "Good", "Easy"])
    await expect(page.getByRole("button", { name: new RegExp(`${name} comes back in \\d`) })).toBeVisible();
  await isSoundEverywhere(page);

  // A reload finds the card turned; nothing is in the log before a grade.
  const term = await prompt(page).first().textContent();
  expect(await keptIn(page, "reviews")).toEqual([]);
  await page.reload();
  await expect(page.locator(".recall-back")).toBeVisible();
  expect(await prompt(page).first().textContent()).toBe(term);
  await page.keyboard.press("4");
  await doCard(page, "Terms", 2, "Enter");
  await doCard(page, "Terms", 3, "1");
  await expect(headline(page)).toHaveText("Terms: card 4");
  await said(page, /^Again: comes back in 1 minute/);

  // Back to the grades of the last card, which gets another.
  await page.keyboard.press("u");
  await expect(headline(page)).toHaveText("Terms: card 3");
  await expect(page.locator(".recall-back")).toBeVisible();
  await page.keyboard.press("3");
  await expect(headline(page)).toHaveText("Terms: card 4");
  const reviews = (await keptIn(page, "reviews")) as { card: string; grade: number; right: boolean }[];
  expect(reviews.every(({ card }) => card.startsWith("term."))).toBe(true);
  expect(reviews.map(({ grade }) => grade).sort()).toEqual([3, 3, 4]);

  await pressAt(page, page.getByRole("button", { name: "End the session" }));
  await expect(headline(page)).toHaveText("Session done");
  await isSoundEverywhere(page);
  await pressAt(page, page.locator(".session-actions").getByRole("link", { name: "Cards" }));
  await expect(headline(page)).toHaveText("Cards");
  expect(await counts(page, "Terms, both directions")).toEqual([String(Number(fresh) - 3), "0", "3"]);
});

test("an own card is made, asked, backed up and restored, and a deleted one stays away", async ({ page }) => {
  await openCards(page);
  const add = page.getByRole("button", { name: "Add card" });
  await pressAt(page, add);
  await expect(page.getByText("Write the question on the front.")).toBeVisible();
  await expect(page.getByText("Write the answer on the back.")).toBeVisible();
  await expect(page.getByLabel("Front")).toBeFocused();
  await isSoundEverywhere(page);
  await page.keyboard.type("Which port does RoCE v2 use?");
  await page.keyboard.press("Tab");
  await page.keyboard.type("UDP 4791<b>");
  await page.getByLabel("Objective (optional)").selectOption("2.8");
  await pressAt(page, add);
  await said(page, "Card added.");
  await expect(page.getByLabel("Front")).toBeFocused();
  await page.keyboard.type("Doomed");
  await page.keyboard.press("Tab");
  await page.getByLabel("Back").fill("x".repeat(2001));
  await pressAt(page, add);
  await expect(page.getByText("The back has 2001 characters. At most 2000 fit.")).toBeVisible();
  await expect(page.getByLabel("Back")).toBeFocused();
  await page.getByLabel("Back").fill("Soon gone");
  await pressAt(page, add);
  await expect(page.getByRole("heading", { name: "2 cards of your own" })).toBeVisible();
  await isSoundEverywhere(page);

  await pressAt(page, page.getByRole("link", { name: "Study your own cards" }));
  await expect(page.getByText("Which port does RoCE v2 use?")).toBeVisible();
  await doCard(page, "Your own cards", 1, "4");
  await doCard(page, "Your own cards", 2, "3");
  await expect(headline(page)).toHaveText("Session done");

  const older = await savedBackup(page);
  await openCards(page);
  await pressAt(page, page.getByRole("button", { name: "Delete: Doomed" }));
  await expect(page.getByRole("button", { name: "Bring it back" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Soon gone")).toBeVisible();
  await pressAt(page, page.getByRole("button", { name: "Delete: Doomed" }));
  await expect(page.getByText("Soon gone")).toHaveCount(0);
  await pressAt(page, page.getByRole("button", { name: "Change: Which port does RoCE v2 use?" }));
  await expect(page.getByLabel("Front")).toBeFocused();
  await tabTo(page, page.getByLabel("Back"));
  await page.keyboard.press("End");
  await page.keyboard.type(", always");
  await pressAt(page, page.getByRole("button", { name: "Save changes" }));
  await said(page, "Card changed.");

  // The older file brings neither the deleted card nor the older text.
  await openFile(page, older);
  await expect(page.getByText("Importing this file would change nothing.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Import" })).toBeDisabled();

  const newer = await savedBackup(page);
  await page.getByRole("button", { name: "Erase everything…" }).click();
  await page.getByRole("button", { name: "Erase", exact: true }).click();
  await expect(page.getByText("Everything was erased.")).toBeVisible();
  await openCards(page);
  await expect(page.getByText("You have no cards of your own yet.")).toBeVisible();
  await restore(page, newer);
  await openCards(page);
  await expect(page.getByText("UDP 4791<b>, always")).toBeVisible();
  expect(await counts(page, "Your own cards")).toEqual(["0", "0", "1"]);
});

test("a question has a bookmark and a note, which come back with it", async ({ page }) => {
  await page.goto("./#/study/session/objective/1.4");
  await answerByKeys(page);
  await isAnswered(page);
  const asked = (await prompt(page).textContent()) ?? "";
  await page.keyboard.press("b");
  await said(page, "Bookmark set.");
  await expect(page.getByRole("button", { name: "Bookmarked" })).toHaveAttribute("aria-pressed", "true");
  await pressAt(page, page.getByRole("button", { name: "Add a note" }));
  await expect(page.getByLabel("Your note")).toBeFocused();
  await page.keyboard.type("1 first line");
  await page.keyboard.press("Enter");
  await page.keyboard.type("second <i>line</i>");
  await isSoundEverywhere(page);
  await pressAt(page, page.getByRole("button", { name: "Save the note" }));
  await said(page, "Note saved.");
  await expect(page.getByRole("button", { name: "Change the note" })).toBeFocused();
  await page.reload();
  await expect(page.getByText("second <i>line</i>")).toBeVisible();
  await isSoundEverywhere(page);

  await openCards(page);
  const line = page.locator(".own-list li").filter({ hasText: asked });
  await pressAt(page, line.getByRole("button", { name: /^Remove the bookmark/ }));
  await expect(page.getByText(/^No bookmarks/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Bookmarked questions" })).toBeFocused();
});

test("what is not to be asked again never comes, until it is taken back", async ({ page }) => {
  const kept = await (await page.request.get("./offline.js")).text();
  const [file = ""] = /study\/\w+\/questions\.json/.exec(kept) ?? [];
  const pack = (await (await page.request.get(`./${file}`)).json()) as QuestionPack;
  const cards = [
    ...(pack.written["1.4"] ?? []).map(({ id }) => id),
    ...pack.templates.filter(({ objective }) => objective === "1.4").map(({ id }) => id),
  ];
  expect(cards.length).toBeGreaterThan(3);
  // All but two are suspended in a file; one of the two by hand.
  const marks = cards.slice(2).map((card) => markSet(kNothing, card, "suspended", true, Date.now()));
  const data: StudyData = { ...kNothing, marks };
  await restore(page, backupText(data, Date.now()));
  await page.goto("./#/study/session/objective/1.4");
  await expect(headline(page)).toHaveText("Practise 1.4: question 1");
  const first = (await prompt(page).textContent()) ?? "";
  await pressAt(page, page.getByRole("button", { name: "Do not ask again" }));
  await said(page, /^It will not be asked again/);
  await expect(prompt(page)).not.toHaveText(first);
  await expect(headline(page)).toBeFocused();
  await answerByKeys(page);
  await isAnswered(page);
  await page.keyboard.press("3");
  await expect(headline(page)).toHaveText("Session done");
  const reviews = (await keptIn(page, "reviews")) as { card: string }[];
  expect(reviews.map(({ card }) => card)).toHaveLength(1);
  expect(cards.slice(0, 2)).toContain(reviews[0]?.card);

  await openCards(page);
  const line = page.locator(".own-list li").filter({ hasText: first });
  await expect(line).toBeVisible();
  await isSoundEverywhere(page);
  await pressAt(page, line.getByRole("button", { name: /^Ask again/ }));
  await said(page, "It will be asked again.");
  await expect(line).toHaveCount(0);
  // A new session has it again.
  await page.evaluate(() => localStorage.removeItem("podwright study session"));
  await page.goto("./#/study/session/objective/1.4");
  await page.reload();
  await expect(headline(page)).toHaveText("Practise 1.4: question 1");
  await expect(prompt(page)).toHaveText(first);
});

test("a term that is due joins the daily session", async ({ page }) => {
  const time = Date.now() - 60 * 86_400_000;
  const seen = review("r1", { card: "term.dpu", question: "term.dpu", objective: "2.8", answer: null, time });
  await restore(page, backupText({ ...kNothing, reviews: [seen] }, Date.now()));
  await page.goto("./#/study/session");
  // The terms are loaded while the first question is answered, or a little later.
  let count = 1;
  for (; count < 6; count += 1) {
    await expect(headline(page)).toHaveText(new RegExp(`^Session: (question|card) ${count}$`));
    if (/card/.test((await headline(page).textContent()) ?? "")) break;
    await answerByKeys(page);
    await isAnswered(page);
    await page.keyboard.press("3");
  }
  expect(count).toBeGreaterThan(1);
  await doCard(page, "Session", count, "3");
  await expect(headline(page)).toHaveText(`Session: question ${count + 1}`);
  const reviews = (await keptIn(page, "reviews")) as { card: string }[];
  expect(reviews.filter(({ card }) => card === "term.dpu")).toHaveLength(2);
  await openCards(page);
  expect((await counts(page, "Terms, both directions")).slice(1)).toEqual(["0", "1"]);
});
