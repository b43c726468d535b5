/** Command labs in a real browser: one by keyboard to its end, on a desktop and on a phone; accessible in both. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "../../web/playwright.ts";
import { type CommandLab, commandOf, isQuestion } from "../../web/src/study/commands/lab.ts";
import { tabTo } from "./keyboard.ts";
import { headline, isSound, isSoundEverywhere, test } from "./quiet_page.ts";
import { keptIn } from "./study_steps.ts";

const file = join(__dirname, "../../core/study/data/commands/gpu-memory-holder.json");
const lab = JSON.parse(readFileSync(file, "utf8")) as CommandLab;

const line = (page: Page) => page.getByRole("textbox", { name: "Command line" });
const log = (page: Page) => page.getByRole("log", { name: "Terminal output" });
const step = (page: Page) => page.locator(".command-step h2");
const all = lab.steps.length;

async function type(page: Page, text: string): Promise<void> {
  await expect(line(page)).toBeFocused();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** Everything that goes wrong at the first step, and the ways out. */
async function stumble(page: Page): Promise<void> {
  await type(page, "nvidia-smii");
  await expect(log(page)).toContainText("bash: nvidia-smii: command not found");
  await type(page, "nvidia-smi -L");
  await expect(log(page)).toContainText("GPU 3: NVIDIA H100 PCIe (UUID: GPU-");
  await expect(log(page)).toContainText("The table comes without any option.");
  await expect(step(page)).toHaveText(`Step 1 of ${all}`);
  await type(page, "hint");
  await expect(log(page)).toContainText("NVIDIA's management tool");
  await type(page, "show me");
  await expect(log(page)).toContainText("The command is: nvidia-smi");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(line(page)).toHaveValue("nvidia-smi -L");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("nvidia-s");
  await page.keyboard.press("Tab");
  await expect(line(page)).toHaveValue("nvidia-smi ");
  await page.keyboard.press("Enter");
  await expect(step(page)).toHaveText(`Step 2 of ${all}`);
}

/** The steps from the second on: by their own commands, and by the letter of the right option. */
async function solve(page: Page): Promise<void> {
  for (const [i, one] of lab.steps.entries()) {
    if (i === 0) continue;
    await expect(step(page)).toHaveText(`Step ${i + 1} of ${all}`);
    if (isQuestion(one)) {
      await isSound(page);
      const right = one.options.findIndex((option) => option.right === true);
      await type(page, "abcdef"[right] ?? "");
    } else await type(page, commandOf(one.accept[0] ?? ""));
  }
}

for (const width of [1280, 360]) {
  test(`a command lab by keyboard to its end, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("./#/study/commands");
    const link = page.getByRole("link", { name: lab.title });
    await expect(link).toBeVisible();
    await isSound(page);
    await tabTo(page, link);
    await page.keyboard.press("Enter");
    await expect(headline(page)).toHaveText(lab.title);
    if (width === 1280) await expect(line(page)).toBeInViewport();
    await tabTo(page, line(page));
    expect(await line(page).evaluate((input) => getComputedStyle(input).fontSize)).toBe("16px");
    await stumble(page);
    await isSound(page);
    await solve(page);
    const end = page.getByRole("heading", { name: `Lab done: ${all - 1} of ${all} steps` });
    await expect(end).toBeFocused();
    await expect(page.getByText("Steps that took more than one try: 1.")).toBeVisible();
    await isSoundEverywhere(page);
    const reviews = (await keptIn(page, "reviews")) as { card: string; right: boolean; answer: number }[];
    expect(reviews).toMatchObject([{ card: `lab.command.${lab.id}`, right: true, answer: all - 1 }]);
    await page.goto("./#/study/commands");
    await expect(page.locator("li", { has: page.getByRole("link", { name: lab.title }) })).toContainText(
      `✓ ${all - 1} of ${all} steps`,
    );
  });
}

test("the terminal is left with Escape and Tab, cleared with Ctrl+L, and scrolled with the keyboard", async ({
  page,
}) => {
  await page.goto(`./#/study/commands/${lab.id}`);
  await tabTo(page, line(page));
  await type(page, "hostname");
  await expect(log(page)).toContainText("gpu-04");
  await page.keyboard.type("nvidia-s");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Run" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Control+l");
  await expect(log(page)).toBeEmpty();
  await page.keyboard.press("Shift+Tab");
  await expect(log(page)).toBeFocused();
  await page.goto("./#/study/commands/no-such-lab");
  await expect(page.getByText("There is no command lab with this name.")).toBeVisible();
});
