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

  const kEngine = "**/engine/**";
  const kFormCode = "**/assets/question-*.js";

  /** Opens the page and holds back some of its files, from the first on, until they are let go. */
  async function held(page: Page, files: string): Promise<() => void> {
    let letGo = () => {};
    const isLetGo = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const isAsked = page.waitForRequest(files);
    await page.route(files, async (route) => {
      await isLetGo;
      await route.continue();
    });
    await page.goto("./", { waitUntil: "commit" });
    await isAsked;
    return letGo;
  }

  base("accessible: while the engine is loaded", async ({ page }) => {
    const letGo = await held(page, kEngine);
    await expect(headline(page)).toContainText("serve 50 requests per second");
    await isSoundEverywhere(page);
    letGo();
    await answered(page);
  });

  base("accessible: the engine has stopped", async ({ page }) => {
    await page.route("**/engine/*/engine.mjs", (route) => route.abort());
    await page.goto("./");
    await expect(page.getByText("The engine has stopped")).toBeVisible();
    await isSoundEverywhere(page);
  });

  base("what is typed before the form's code has come is not lost", async ({ page }) => {
    const letGo = await held(page, kFormCode);
    const rate = page.getByLabel("Peak requests/s", { exact: true });
    await rate.fill("4711");
    letGo();
    await expect(headline(page)).toContainText("4,711");
    await expect(rate).toHaveValue("4711");
  });

  base("what is typed into a form that was quicker than the start is not lost", async ({ page }) => {
    await page.addInitScript(() => {
      const soon = globalThis.setTimeout;
      globalThis.setTimeout = ((work: () => void, ms = 0) => soon(work, ms + 500)) as typeof setTimeout;
      addEventListener("input", () => {
        globalThis.setTimeout = soon;
      });
    });
    const letGo = await held(page, kEngine);
    const rate = page.getByLabel("Peak requests/s", { exact: true });
    await expect(page.locator("#model option").nth(1)).toBeAttached();
    await rate.fill("4711");
    // Parts of the page that are taken over before the start.
    expect(await page.locator(".far").count()).toBeGreaterThan(0);
    await expect(page.locator(".far")).toHaveCount(0);
    await page.waitForTimeout(1000);
    letGo();
    await expect(headline(page)).toContainText("4,711");
    await expect(rate).toHaveValue("4711");
  });

  base("a task chosen before the form's code has come is the task", async ({ page }) => {
    const letGo = await held(page, kFormCode);
    await page.locator('input[name="task"][value="train"]').check({ force: true });
    letGo();
    await expect(page.locator("#deadline")).toBeVisible();
    await expect(headline(page)).toContainText(/train/i);
  });
});
