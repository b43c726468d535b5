/** Every screen with the real engine: it answers, nothing is wrong on the console, it is accessible, and it fits its window. */
import { expect } from "../../web/playwright.ts";
import { headline, isSound, test } from "./quiet_page.ts";

/** What stands in the first heading once the engine has answered. */
const kScreens: Record<string, RegExp> = {
  serving: /give .+ tokens\/s of/,
  training: /A training step of .+ takes/,
  deployments: /serve .+ up to/,
  layouts: /Best layout of/,
  architecture: /DGX SuperPOD/,
  fabric: /leaf and .+ spine switches/,
  mig: /hold every model/,
  cost: /years at/,
  claims: /impossible|possible/,
  statements: /Statements of study material/,
  rules: /Quick formulas/,
  data: /GPUs/,
  host: /Host/,
  compare: /Compare/,
  report: /serve 50 requests per second/,
  about: /About/,
};

for (const [screen, heading] of Object.entries(kScreens)) {
  test(`${screen}: answers, is accessible on a desktop and on a dark phone`, async ({ page }) => {
    await page.goto(`./#/${screen}`);
    await expect(headline(page)).toHaveText(heading);
    const text = (await page.locator("main").textContent()) ?? "";
    for (const bad of ["undefined", "NaN", "[object"]) expect(text).not.toContain(bad);
    await isSound(page);
    await page.setViewportSize({ width: 360, height: 780 });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll("details")) fold.open = true;
    });
    await page.waitForTimeout(300);
    await isSound(page);
  });
}

test("an edit is answered, undone by a key's command, and travels in the link", async ({ page, context }) => {
  await page.goto("./#/serving");
  const count = page.locator("#in-input_tokens");
  await expect(headline(page)).toHaveText(/tokens\/s/);
  const before = await headline(page).textContent();
  await count.fill("4096");
  await expect(headline(page)).not.toHaveText(before ?? "");
  await expect.poll(() => page.url()).toContain("#/serving?s=1.");
  const after = await headline(page).textContent();

  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.locator("#in-input_tokens")).toHaveValue("4096");
  await expect(headline(other)).toHaveText(after ?? "");
  await other.close();

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(count).toHaveValue("1024");
  await expect(headline(page)).toHaveText(before ?? "");
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(count).toHaveValue("4096");
});

test("what does not fit leads to what does, by a button", async ({ page }) => {
  await page.goto("./#/serving");
  await page.getByRole("button", { name: "Too large to fit" }).click();
  await expect(headline(page)).toHaveText("This does not work as asked");
  await page
    .getByRole("button", { name: /^Apply: / })
    .first()
    .click();
  await expect(headline(page)).toHaveText(/tokens\/s/);
});

test("commands by keys alone: go, set, keep, compare, dark, Chinese", async ({ page }) => {
  const command = async (words: string) => {
    await page.keyboard.press("Control+k");
    const box = page.getByRole("combobox", { name: /Search the commands|搜索命令/ });
    await expect(box).toBeFocused();
    await box.fill(words);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };
  await page.goto("./");
  await expect(page.locator(".pareto svg.chart")).toBeVisible();
  await command("save fifty");
  await command("peak requests 120");
  await expect(headline(page)).toContainText("120 requests per second");
  await expect.poll(() => page.url()).toContain("s=1.");
  await command("save hundred and twenty");
  await command("go compare");
  await expect(headline(page)).toHaveText("Compare");
  await expect(page.locator(".compare thead th")).toHaveText(["Number", "fifty", "hundred and twenty"]);
  await expect(page.locator(".compare tbody tr").first().locator("button.figure")).toHaveCount(2);
  await isSound(page);

  await command("dark colours");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await command("简体");
  await expect(headline(page)).toHaveText("比较");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-Hans");
  await page.reload();
  await expect(headline(page)).toHaveText("比较");
  await isSound(page);
  await command("English");
  await expect(headline(page)).toHaveText("Compare");
});

test("a plan of another workload, by an example", async ({ page }) => {
  await page.goto("./");
  await expect(page.locator(".pareto svg.chart")).toBeVisible();
  await page.getByText("All inputs and examples").click();
  await page.getByRole("button", { name: "Pre-training, 8 B" }).click();
  await expect(headline(page)).not.toContainText("requests per second");
  await expect(page.locator("#in-workloads-0-tokens")).not.toHaveValue("");
  await isSound(page);
});

test("the catalog is filtered, sorted, and shows the source of each fact", async ({ page }) => {
  await page.goto("./#/data");
  await page.getByLabel("Filter").fill("hopper 80");
  await expect(page.locator(".catalog tbody tr").first()).toContainText("80.0 GB");
  await page.getByRole("button", { name: "Memory bandwidth" }).click();
  await expect(page.locator('th[aria-sort="descending"]')).toHaveCount(1);
  await page.getByRole("link", { name: "H100 SXM5 80GB" }).click();
  await expect(page).toHaveURL(/#\/data\/gpus\/h100-sxm5-80gb$/);
  await expect(page.locator(".facts tbody tr", { hasText: "Memory bandwidth" })).toContainText("3,350 GB/s");
  await expect(page.locator(".facts tbody a").first()).toHaveAttribute("href", /^https:/);
  await isSound(page);
});

test("works without a network after the first visit", async ({ page, context }) => {
  await page.goto("./");
  await expect(page.locator(".pareto svg.chart")).toBeVisible();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await context.setOffline(true);
  await page.reload();
  await expect(page.locator(".pareto svg.chart")).toBeVisible();
  for (const screen of ["cost", "data", "report", "fabric"]) {
    await page.goto(`./#/${screen}`);
    await expect(headline(page)).toHaveText(kScreens[screen] ?? /./);
  }
  await context.setOffline(false);
});

test("the report prints whole", async ({ page }) => {
  await page.goto("./#/report");
  await expect(headline(page)).toHaveText(/serve 50 requests/);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".report-tools")).toBeHidden();
  await expect(page.locator(".screens")).toBeHidden();
  await expect(page.getByRole("heading", { name: "Bill of materials" })).toBeVisible();
});
