/** What the tests of the study tool do on its screens, with keys alone. */
import { expect, type Page } from "../../web/playwright.ts";
import { tabTo, typeAt } from "./keyboard.ts";

export const prompt = (page: Page) => page.locator(".question-prompt");
export const verdict = (page: Page) => page.locator(".verdict");

/** The heading of the question of a running exam. */
export const examQuestion = (page: Page) => page.locator(".exam-question h2");
/** What the map of a running exam counts. */
export const examCounts = (page: Page) => page.locator(".exam-map .note");

export type Kind = "choice" | "two" | "order" | "match" | "number";

/** The kind of the question on show, by its controls. */
export async function kindOf(page: Page): Promise<Kind> {
  await prompt(page).waitFor();
  return page.evaluate(() => {
    const has = (selector: string) => document.querySelector(`.question ${selector}`) !== null;
    if (has(".question-order")) return "order";
    if (has(".question-match")) return "match";
    if (has(".question-number")) return "number";
    return has(".question-option [type=checkbox]") ? "two" : "choice";
  });
}

/** Gives some whole answer by its controls, and leaves the focus on the last of them; options are chosen by their letters from where it is. */
async function fillIn(page: Page, kind: Kind): Promise<void> {
  if (kind === "choice") await page.keyboard.press("b");
  if (kind === "two") {
    await page.keyboard.press("b");
    await page.keyboard.press("c");
  }
  if (kind === "number") {
    await tabTo(page, page.getByLabel(/^Your answer/));
    await page.keyboard.type("12.5");
  }
  if (kind === "order") {
    const first = page.getByRole("button", { name: /^Move down: / }).first();
    const moved = (await first.getAttribute("aria-label")) ?? "";
    await tabTo(page, first);
    await page.keyboard.press("Enter");
    // The focus goes with the step.
    await expect(page.getByRole("button", { name: moved, exact: true })).toBeFocused();
  }
  if (kind === "match") {
    for (const menu of await page.locator(".question-match select").all()) {
      await tabTo(page, menu);
      await page.keyboard.press("ArrowDown");
    }
  }
}

/** Answers the card of a session. The focus ends where single keys count and Enter checks the answer. */
export async function answerByKeys(page: Page): Promise<void> {
  const kind = await kindOf(page);
  await fillIn(page, kind);
  const isTyped = kind !== "choice" && kind !== "two";
  const check = page.getByRole("button", { name: "Check answer" });
  if (isTyped) await tabTo(page, check);
  else await expect(check).toBeEnabled();
}

/** Checks the answer with Enter. */
export async function isAnswered(page: Page): Promise<void> {
  await page.keyboard.press("Enter");
  await expect(verdict(page)).toHaveText(/Right|Wrong/);
}

/** Answers the ten questions of the placement, from the first one on show to its end. */
export async function answerPlacement(page: Page, each?: (kind: Kind) => void): Promise<void> {
  const headline = page.getByRole("heading", { level: 1 });
  for (let count = 1; count <= 10; count += 1) {
    await expect(headline).toHaveText(`Placement: question ${count}`);
    each?.(await kindOf(page));
    await answerByKeys(page);
    await page.keyboard.press("8");
    await isAnswered(page);
    await expect(verdict(page)).toBeFocused();
    await page.keyboard.press("Enter");
  }
  await expect(headline).toHaveText("Placement done");
}

/** Begins the exam of a seed from the screen that comes before it. */
export async function beginExam(page: Page, seed: number): Promise<void> {
  await typeAt(page, page.getByLabel("Seed"), String(seed));
  await page.keyboard.press("Enter");
  await expect(examQuestion(page)).toHaveText("Question 1 of 50");
  await expect(examQuestion(page)).toBeFocused();
}

/** Answers the question of an exam that is on show. The focus ends where letters are keys of the exam. */
export async function answerInExam(page: Page): Promise<void> {
  const kind = await kindOf(page);
  await fillIn(page, kind);
  const flag = page.locator(".exam-question").getByRole("button", { name: /flag/i });
  if (kind === "number" || kind === "match") await tabTo(page, flag);
}

/** Answers the places from the one on show to `last`, but for those left open. */
export async function answerExamTo(page: Page, last: number, open: readonly number[] = []): Promise<void> {
  const first = Number(/\d+/.exec((await examQuestion(page).textContent()) ?? "")?.[0]);
  for (let name = first; name <= last; name += 1) {
    await expect(examQuestion(page)).toHaveText(`Question ${name} of 50`);
    // A new question takes the focus, which must not happen while an answer is typed.
    if (name > first) await expect(examQuestion(page)).toBeFocused();
    if (!open.includes(name)) await answerInExam(page);
    if (name < last) await page.keyboard.press("n");
  }
}

/** Everything that the database of the study tool holds in a table. */
export const keptIn = (page: Page, table: string) =>
  page.evaluate(
    (name) =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open("podwright study");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction(name).objectStore(name).getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result);
          };
        };
      }),
    table,
  );
