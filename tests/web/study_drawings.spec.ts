/** Drawings of lessons and questions in a browser: steps by keyboard, the engine's own, and a part that is asked for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "../../web/playwright.ts";
import { tabTo } from "./keyboard.ts";
import { isSound, isSoundEverywhere, openFolds, testAtHome as test } from "./quiet_page.ts";

const drawing = (page: Page, title: string) => page.getByRole("figure", { name: title });

/** Texts of the drawings on show that are smaller than 12 px, leave their box or lie over another text. */
const unreadable = (page: Page) =>
  page.locator(".study-drawing svg.blocks").evaluateAll((all) =>
    all.flatMap((svg) => {
      const texts = [...svg.querySelectorAll("text")];
      const inner = (a: DOMRect, b: DOMRect) => a.left >= b.left && a.right <= b.right && a.top >= b.top - 1;
      const over = (a: DOMRect, b: DOMRect) =>
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4;
      const small = texts.filter((text) => Number.parseFloat(getComputedStyle(text).fontSize) < 12);
      const outside = texts.filter((text) => {
        const body = text.parentElement?.querySelector(".body");
        return body && !inner(text.getBoundingClientRect(), body.getBoundingClientRect());
      });
      const crossed = texts.filter((text, i) =>
        texts.slice(i + 1).some((other) => over(text.getBoundingClientRect(), other.getBoundingClientRect())),
      );
      return [...small, ...outside, ...crossed].map((text) => text.textContent);
    }),
  );

test("a drawing goes step by step, by keyboard, and says each step", async ({ page }) => {
  await page.goto("./#/study/lessons/use-cases");
  const figure = drawing(page, "Answers from a company's own documents");
  await expect(figure.getByRole("img", { name: "Answers from a company's own documents" })).toBeVisible();
  await expect(figure.getByRole("status")).toHaveText("5 steps, one at a time.");
  await expect(figure.locator(".lit")).toHaveCount(0);
  const next = figure.getByRole("button", { name: "Next step" });
  await tabTo(page, next);
  for (let step = 1; step <= 5; step += 1) {
    await page.keyboard.press("Enter");
    await expect(figure.getByRole("status")).toHaveText(new RegExp(`^Step ${step} of 5: `));
    expect(await figure.locator(".lit").count()).toBeGreaterThan(0);
  }
  await expect(next).toBeFocused();
  await expect(next).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Enter");
  await expect(figure.getByRole("status")).toHaveText(/^Step 5 of 5: /);
  await figure.getByText("In words").press("Enter");
  await expect(figure.getByRole("listitem").filter({ hasText: /^User to Retriever: question$/ })).toBeVisible();
});

test("lessons with drawings are sound in every look, and their texts can be read", async ({ page }) => {
  for (const lesson of ["fat-trees", "cpu-and-gpu"]) {
    await page.goto(`./#/study/lessons/${lesson}`);
    await expect(page.locator(".study-drawing svg.blocks").first()).toBeVisible();
    await expect(page.locator(".lesson-closing .question-prompt")).not.toBeEmpty();
    await expect(page.locator(".calculator dd", { hasText: "…" })).toHaveCount(0);
    await expect(page.locator(".study-drawing > .note", { hasText: "The engine is drawing" })).toHaveCount(0);
    await isSoundEverywhere(page);
    expect(await unreadable(page)).toEqual([]);
  }
});

test("the engine draws a fabric, with its own title in words", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto("./#/study/lessons/fat-trees");
  const figure = drawing(page, "Half a scalable unit as a fat tree with rails");
  await expect(figure.getByRole("img")).toHaveAttribute("alt", /16 nodes on 12 switches in two tiers/);
  await openFolds(page, ".study-drawing details");
  await expect(figure.getByRole("listitem").first()).toContainText("16 nodes on 12 switches");
  // It scrolls by itself, and the keyboard gets there.
  await expect(figure.getByRole("group", { name: "Drawing, scrolls sideways" })).toHaveAttribute("tabindex", "0");
  const [inside, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(inside).toBeLessThanOrEqual(width ?? 0);
});

/** A lesson that closes with a question of the pack of an objective. */
async function closeWith(page: Page, lesson: string, objective: string, id: string): Promise<void> {
  const file = join(__dirname, `../../core/study/data/written/${objective}.json`);
  const { questions } = JSON.parse(readFileSync(file, "utf8")) as { questions: { id: string }[] };
  const written = questions.find((one) => one.id === id);
  expect(written).toBeDefined();
  await page.route(`**/study/*/lessons/${lesson}.json`, async (route) => {
    const whole = await (await route.fetch()).json();
    await route.fulfill({ json: { ...whole, closing: { written, objective } } });
  });
  await page.goto(`./#/study/lessons/${lesson}`);
}

test("a question about a picture names the missing part after the answer", async ({ page }) => {
  await closeWith(page, "dpu", "2.9", "2.9-picture-board");
  const question = page.locator(".lesson-closing .question");
  const figure = question.getByRole("figure", { name: "Eight GPUs on one board" });
  await expect(figure.locator("svg text", { hasText: "?" })).toBeVisible();
  await figure.getByText("In words").click();
  await expect(figure).toContainText("missing part");
  expect(await figure.evaluate((one) => one.outerHTML)).not.toMatch(/NVSwitch/i);
  await isSound(page);
  await question.getByRole("radio").first().check();
  await page.getByRole("button", { name: "Check the answer" }).press("Enter");
  await expect(question.locator(".verdict")).toHaveText(/Right|Wrong/);
  await expect(figure.locator("svg text", { hasText: "NVSwitch" })).toBeVisible();
  await expect(figure.locator("svg text", { hasText: "?" })).toHaveCount(0);
  await isSoundEverywhere(page);
});

test("on a phone the part that is asked for is in sight", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await closeWith(page, "dpu", "1.2", "1.2-picture-between-workers");
  const figure = page.locator(".lesson-closing .question").locator(".study-drawing");
  const asked = figure.locator(".box.asked .body");
  await asked.waitFor();
  await expect(figure.getByRole("group", { name: "Drawing, scrolls sideways" })).toBeVisible();
  const [box, region] = [await asked.boundingBox(), await figure.locator(".drawing-scroll").boundingBox()];
  expect(box?.x ?? -1).toBeGreaterThanOrEqual(region?.x ?? 0);
  expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual((region?.x ?? 0) + (region?.width ?? 0));
});

test.describe("forced colours", () => {
  test.use({ contextOptions: { forcedColors: "active" } });
  test("keep borders and texts", async ({ page }) => {
    await page.goto("./#/study/lessons/cpu-and-gpu");
    const box = page.locator(".study-drawing svg.blocks .box").first();
    await expect(box).toBeVisible();
    const looks = await box.evaluate((one) => {
      const [body, text] = [one.querySelector(".body"), one.querySelector("text")];
      const [of, on] = [body, text].map((part) => part && getComputedStyle(part));
      return { fill: of?.fill, stroke: of?.stroke, ink: on?.fill };
    });
    expect(looks.stroke).not.toBe(looks.fill);
    expect(looks.ink).not.toBe(looks.fill);
    await isSound(page);
  });
});
