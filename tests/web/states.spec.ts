/** Accessible in every state, not only in the one that a screen opens in: light on a desktop, dark on a phone with everything open. */
import { test as base, expect, type Page } from "../../web/playwright.ts";
import { headline, isSoundEverywhere, test } from "./quiet_page.ts";

const answered = (page: Page) => expect(page.locator(".pareto svg.chart")).toBeVisible();

/** What leads to a state, and what then is there. */
const kStates: Record<string, (page: Page) => Promise<void>> = {
  "no plan meets the targets": async (page) => {
    await page.goto("./");
    await answered(page);
    await page.getByLabel("Each token within").fill("0.5");
    await expect(headline(page)).toHaveText("No plan meets these targets");
  },
  "an edit, with what it changed": async (page) => {
    await page.goto("./");
    await answered(page);
    await page.getByLabel("Peak requests/s", { exact: true }).fill("120");
    await expect(headline(page)).toContainText("120 requests per second");
    await expect(page.getByRole("button", { name: "Undo" })).toBeEnabled();
  },
  "a run that trains": async (page) => {
    await page.goto("./");
    await answered(page);
    await page.getByLabel("Train", { exact: true }).click();
    await expect(headline(page)).not.toContainText("requests per second");
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  },
  "a plan by another": async (page) => {
    await page.goto("./#/?p=2");
    await answered(page);
  },
  "a link that cannot be read": async (page) => {
    await page.goto("./#/?s=1.broken");
    await expect(page.getByText("link is broken or too long")).toBeVisible();
  },
  "an address that leads nowhere": async (page) => {
    // A word that every object has, too.
    await page.goto("./#/constructor");
    await answered(page);
    await expect(page.locator("head link[rel=preload]")).toHaveCount(0);
  },
  "the commands, with what was found": async (page) => {
    await page.goto("./");
    await answered(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search the commands" }).fill("budget");
    await expect(page.getByRole("dialog").getByRole("option").first()).toBeVisible();
  },
  "the commands, with nothing found": async (page) => {
    await page.goto("./");
    await answered(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search the commands" }).fill("zzzzzz");
    await expect(page.getByRole("dialog").getByRole("option")).toHaveCount(0);
  },
  "an explanation, and what leads to it": async (page) => {
    await page.goto("./");
    await answered(page);
    await page.locator('button.figure[data-place="/plans/0/estimates/0/latency/tpot_s"]').first().click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Exact value")).toBeVisible();
    await dialog.locator(".trace-inputs button").first().click();
    await expect(dialog.getByRole("button", { name: "Back" })).toBeVisible();
  },
  "a request that does not fit": async (page) => {
    await page.goto("./#/serving");
    await page.getByRole("button", { name: "Too large to fit" }).click();
    await expect(headline(page)).toHaveText("This request cannot be met");
  },
  "a faulty request of a part": async (page) => {
    await page.goto("./#/serving");
    await expect(headline(page)).toHaveText(/tokens\/s/);
    await page.locator("#in-input_tokens").fill("-1");
    await expect(page.getByText("There is an error in the input")).toBeVisible();
  },
  Chinese: async (page) => {
    await page.goto("./");
    await answered(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search the commands" }).fill("简体");
    await page.keyboard.press("Enter");
    await expect(page.locator("html")).toHaveAttribute("lang", "zh-Hans");
  },
};

for (const [state, reach] of Object.entries(kStates)) {
  test(`accessible: ${state}`, async ({ page }) => {
    await reach(page);
    await isSoundEverywhere(page);
  });
}

base.describe("before the engine answers, and when it never will", () => {
  base.use({ serviceWorkers: "block" });

  base("accessible: while the engine is loaded", async ({ page }) => {
    let answer = () => {};
    const isSeen = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/engine/**", async (route) => {
      await isSeen;
      await route.continue();
    });
    await page.goto("./");
    await expect(headline(page)).toContainText("serve 50 requests per second");
    await isSoundEverywhere(page);
    answer();
    await answered(page);
  });

  base("accessible: the engine has stopped", async ({ page }) => {
    await page.route("**/engine/*/engine.mjs", (route) => route.abort());
    await page.goto("./");
    await expect(page.getByText("The engine has stopped")).toBeVisible();
    await isSoundEverywhere(page);
  });

  /** Holds back the form's code until it is let go. */
  async function formHeld(page: Page): Promise<() => void> {
    const held: (() => void)[] = [];
    await page.route("**/assets/question-*.js", async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await page.goto("./");
    await expect.poll(() => held.length).toBeGreaterThan(0);
    return () => {
      for (const go of held) go();
    };
  }

  base("what is typed before the form's code has come is not lost", async ({ page }) => {
    const letGo = await formHeld(page);
    const rate = page.getByLabel("Peak requests/s", { exact: true });
    await rate.fill("4711");
    letGo();
    await expect(headline(page)).toContainText("4,711");
    await expect(rate).toHaveValue("4711");
  });

  base("a task chosen before the form's code has come is the task", async ({ page }) => {
    const letGo = await formHeld(page);
    await page.locator('input[name="task"][value="train"]').check({ force: true });
    letGo();
    await expect(page.locator("#deadline")).toBeVisible();
    await expect(headline(page)).toContainText(/train/i);
  });
});
