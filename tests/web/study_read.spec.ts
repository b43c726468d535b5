/** Screens of the study tool that are read: lessons, ledger, formulas, glossary, selector, coverage. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "../../web/playwright.ts";
import { headline, isSound, testAtHome as test } from "./quiet_page.ts";

const lessonFiles = readdirSync(join(__dirname, "../../core/study/data/lessons"))
  .filter((name) => name.endsWith(".md"))
  .sort();
const lessons = lessonFiles.map((name) => name.replace(/^\d+-|\.md$/g, ""));
/** Those of the second exam have none. */
const withoutCalculator = new Set(lessons.filter((_, i) => Number.parseInt(lessonFiles[i] ?? "", 10) > 36));

/** Every calculator of the page shows a value of the engine in each of its places. */
async function calculatorsAnswer(page: Page): Promise<void> {
  const calculators = page.locator(".calculator");
  await expect(calculators.first()).toBeAttached();
  for (const calculator of await calculators.all()) {
    const results = calculator.locator("dd");
    await expect(results.first()).toBeAttached();
    await expect(calculator.locator("dd", { hasText: "…" })).toHaveCount(0);
    for (const text of await results.allTextContents())
      expect(text).not.toMatch(/not in this answer|NaN|undefined|^$/i);
    await expect(calculator.locator(".fault, [role=alert]").filter({ hasText: /\S/ })).toHaveCount(0);
  }
}

test("the list leads to every lesson, those of the chosen exam first", async ({ page }) => {
  await page.goto("./#/study/lessons");
  await expect(headline(page)).toHaveText("Lessons");
  const links = page.locator(".lesson-list a");
  await expect(links).toHaveCount(lessons.length);
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect([...addresses].sort()).toEqual(lessons.map((id) => `#/study/lessons/${id}`).sort());
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["Lessons for NCA-AIIO"]);
  const others = page.getByText("Lessons for NCP-AIN");
  await expect(links.last()).toBeHidden();
  await others.press("Enter");
  await expect(links.last()).toBeVisible();
});

test.describe("lessons", () => {
  for (const id of lessons) {
    test(id, async ({ page }) => {
      await page.goto(`./#/study/lessons/${id}`);
      await expect(page.locator(".lesson-text h2").first()).toBeVisible();
      if (!withoutCalculator.has(id)) await calculatorsAnswer(page);
      await expect(page.locator(".lesson-text .study-drawing").first()).toBeVisible();
      const math = await page.locator(".lesson-text math").evaluateAll((all) =>
        all.map((one) => ({
          space: one.namespaceURI,
          inner: one.firstElementChild?.namespaceURI,
          width: one.getBoundingClientRect().width,
        })),
      );
      expect(math.length).toBeGreaterThan(0);
      for (const one of math) {
        expect(one.space).toBe("http://www.w3.org/1998/Math/MathML");
        expect(one.inner).toBe("http://www.w3.org/1998/Math/MathML");
        expect(one.width).toBeGreaterThan(0);
      }
      await expect(page.locator(".lesson-closing .question-prompt")).not.toBeEmpty();
      for (const source of await page.locator("[aria-labelledby=lesson-sources] a").all())
        expect(await source.getAttribute("href")).toMatch(/^https?:\/\//);
    });
  }
});

test("fractions stand above each other", async ({ page }) => {
  await page.goto("./#/study/lessons/roofline");
  const fraction = page.locator(".lesson-text mfrac").first();
  await expect(fraction).toBeVisible();
  const [above, below] = await fraction.evaluate((one) =>
    [...one.children].map((child) => child.getBoundingClientRect()),
  );
  expect(above?.bottom ?? 0).toBeLessThanOrEqual((below?.top ?? 0) + 2);
});

test("a lesson is walked, answered and marked by keyboard, and the mark outlasts a reload", async ({ page }) => {
  await page.goto("./#/study/lessons/roofline");
  await page.getByLabel("Sequences per step", { exact: true }).first().fill("1024");
  await page.keyboard.press("Tab");
  await expect(page.locator(".calculator").first()).toContainText("Arithmetic");
  await page.locator(".lesson-closing").getByRole("radio").first().focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Check the answer" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".question-solution")).toBeVisible();
  await page.getByRole("button", { name: "Try again with new numbers" }).press("Enter");
  await expect(page.getByRole("button", { name: "Check the answer" })).toBeDisabled();
  await page.getByRole("button", { name: "Mark as read" }).press("Enter");
  await expect(page.getByText("Marked as read.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Mark as unread" })).toBeVisible();
  await page.getByRole("link", { name: "Next: Splitting a model over GPUs" }).press("Enter");
  await expect(headline(page)).toHaveText("Splitting a model over GPUs");
  await page.getByRole("link", { name: "All lessons" }).click();
  await expect(page.locator(".lesson-mark", { hasText: "Read" })).toHaveCount(1);
});

test("read marks work where the browser keeps nothing", async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("denied", "QuotaExceededError");
    };
  });
  await page.goto("./#/study/lessons/roofline");
  await page.getByRole("button", { name: "Mark as read" }).click();
  await expect(page.getByRole("button", { name: "Mark as unread" })).toBeVisible();
  await expect(page.getByText("This browser cannot save anything")).toBeVisible();
});

test("an unknown lesson says so", async ({ page }) => {
  await page.goto("./#/study/lessons/nothing");
  await expect(headline(page)).toHaveText("There is no lesson “nothing”.");
});

test("the ledger is searched, and its filters stand in the address", async ({ page }) => {
  await page.goto("./#/study/ledger");
  await expect(page.getByText("Showing 50 of the 549 statements found (549 in all)")).toBeVisible();
  await page.getByLabel("Search").fill("nvlink 900");
  await page.getByLabel("Verdict").selectOption("misleading");
  await expect.poll(() => page.url()).toMatch(/ledger\?text=nvlink\+900&verdict=misleading$/);
  const rows = page.locator(".claims tbody tr");
  await expect(rows).not.toHaveCount(50);
  const count = await rows.count();
  expect(count).toBeGreaterThan(0);
  for (const row of await rows.all()) await expect(row).toContainText("misleading");
  await page.reload();
  await expect(page.getByLabel("Search")).toHaveValue("nvlink 900");
  await expect(rows).toHaveCount(count);
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect.poll(() => page.url()).toMatch(/ledger$/);
  await page.getByRole("button", { name: "Show 50 more" }).press("Enter");
  await expect(rows).toHaveCount(100);
  await page.getByRole("button", { name: "Show all 549" }).press("Enter");
  await expect(rows).toHaveCount(549);
  await page.getByLabel("Search").fill("zzz");
  await expect(page.getByText("No statement contains all of these words.")).toBeVisible();
});

test("a card shows what some notes say and then what is correct", async ({ page }) => {
  await page.goto("./#/study/ledger/cards");
  await expect(page.getByRole("heading", { level: 2 })).toContainText("training memory");
  await expect(page.getByRole("heading", { name: "What some notes say" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "What is correct" })).toHaveCount(0);
  await page.getByRole("button", { name: "Show what is correct" }).press("Enter");
  await expect(page.getByRole("heading", { name: "What is correct" })).toBeVisible();
  await page.getByRole("button", { name: "Next card" }).press("Enter");
  await expect(page.getByText("Card 2 of 28")).toBeVisible();
  await expect(page.getByRole("heading", { level: 2 })).toBeFocused();
  await page.getByRole("button", { name: "Previous card" }).press("Enter");
  await page.getByRole("button", { name: "Show what is correct" }).press("Enter");
  await page.getByRole("link", { name: "S004-017" }).click();
  await expect(page.locator(".claims tbody tr")).toHaveCount(1);
});

test("formulas show examples of the engine and live calculators", async ({ page }) => {
  await page.goto("./#/study/formulas?text=bubble");
  const line = page.locator(".formula-list > li").first();
  await expect(line.locator(".equation")).toBeVisible();
  await line.locator("summary").click();
  await line.getByRole("button", { name: "Show an example" }).click();
  await expect(line.locator(".formula-example .equation")).toContainText(/\d/);
  await page.getByText("Try it live").first().click();
  await calculatorsAnswer(page);
});

test("the formula sheet prints on two pages with every formula in full", async ({ page }) => {
  await page.goto("./#/study/formulas");
  await expect(page.locator(".formula-list .equation").first()).toBeVisible();
  for (const format of ["A4", "Letter"]) {
    const pdf = (await page.pdf({ format })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
  }
  await page.setViewportSize({ width: 726, height: 1055 });
  await page.emulateMedia({ media: "print" });
  const wide = await page.locator(".formula-list li").evaluateAll((all) =>
    all
      .filter((one) => {
        const edge = one.getBoundingClientRect().right;
        return [...one.querySelectorAll(".formula")].some((inner) => inner.getBoundingClientRect().right > edge + 1);
      })
      .map((one) => one.textContent),
  );
  expect(wide).toEqual([]);
});

test("the glossary is searched and leads to lessons", async ({ page }) => {
  await page.goto("./#/study/glossary");
  await expect(page.getByText(/^\d+ of \d+ terms$/)).toBeVisible();
  await page.getByRole("button", { name: "R", exact: true }).click();
  await expect(page.getByRole("heading", { name: "R", exact: true })).toBeFocused();
  await page.getByLabel("Search").fill("rdma");
  await expect(page.locator(".terms dt").first()).toContainText("RDMA");
  await page.locator(".terms > div").first().getByRole("link").first().click();
  await expect(page).toHaveURL(/study\/lessons\//);
  await expect(page.locator(".lesson-text h2").first()).toBeVisible();
});

test("the selector ends in a plan, its reasons and the planner", async ({ page }) => {
  await page.goto("./#/study/selector");
  await page.getByLabel("Agents").check();
  await page.getByRole("combobox", { name: "Requests per second at the peak" }).selectOption("2");
  await page.getByRole("button", { name: "Work out a plan" }).press("Enter");
  const answer = page.locator(".selector-answer");
  await expect(answer.getByRole("heading", { level: 2 })).toContainText("Llama-3.1-8B");
  await expect(answer.getByRole("heading", { level: 2 })).toBeFocused();
  for (const heading of ["Why this plan", "Rules that shaped the design", "Rent or own, and why"])
    await expect(answer.getByRole("heading", { name: heading })).toBeVisible();
  expect(await answer.locator("li").count()).toBeGreaterThan(5);
  await page.getByText("What study guides say").click();
  await expect(page.locator(".selector-claims li").first()).toBeVisible();
  await expect.poll(() => page.url()).toMatch(/purpose=agents&peak=2$/);
  await page.getByRole("link", { name: "Open this in the planner" }).click();
  await expect(headline(page)).toContainText(/serve 2 requests per second of Llama-3.1-8B/);
  await page.goBack();
  await expect(page.getByLabel("Agents")).toBeChecked();
});

test("the selector says what stands in the way", async ({ page }) => {
  await page.goto("./#/study/selector?team=nobody&data=on-premises");
  await page.getByRole("button", { name: "Work out a plan" }).click();
  await expect(page.getByRole("heading", { name: "No plan meets all of this" })).toBeVisible();
  await expect(page.locator(".selector-answer li").first()).toContainText("There are no staff to run machines");
});

test("About leads to what is covered where", async ({ page }) => {
  await page.goto("./#/about");
  await page.getByRole("link", { name: "What is covered and where" }).click();
  await expect(page.getByText("552 of 552 rows, 552 of them covered")).toBeVisible();
  await page.getByLabel("Search").fill("SE-26");
  await page.getByRole("link", { name: "infiniband-ethernet" }).click();
  await expect(page.locator(".lesson-text h2").first()).toBeVisible();
});

const kSound = [
  "lessons",
  "lessons/roofline",
  "lessons/launching",
  "ledger",
  "ledger/cards",
  "formulas",
  "glossary?text=memory",
  "selector",
  "coverage?text=roce",
];
for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 } });
      for (const screen of kSound) {
        test(`${screen} is accessible and no wider than the page`, async ({ page }) => {
          await page.goto(`./#/study/${screen}`);
          await expect(page.locator("main .card p, main .card table, main .card dl").first()).toBeVisible();
          await expect(page.locator(".calculator dd", { hasText: "…" })).toHaveCount(0);
          if (/lessons\//.test(screen)) await expect(page.locator(".lesson-closing .question-prompt")).not.toBeEmpty();
          if (screen === "selector") {
            await page.getByRole("button", { name: "Work out a plan" }).click();
            await expect(page.locator(".selector-answer")).toBeVisible();
            await page.getByText("What study guides say").click();
          }
          await isSound(page);
        });
      }
    });
  }
}

test.describe("in Chinese", () => {
  test.use({ locale: "zh-CN" });
  test("the frame speaks Chinese, the lesson stays English and says so", async ({ page }) => {
    await page.goto("./#/study/lessons/roofline");
    await expect(page.getByRole("button", { name: "标为已读" })).toBeVisible();
    await expect(page.locator(".lesson-text")).toHaveAttribute("lang", "en");
    await isSound(page);
  });
});
