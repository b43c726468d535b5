/** The question side as people use it: tasks, numbers with units, places by name, complaints with a mend, and the answer in sight. */
import { expect, type Page } from "../../web/playwright.ts";
import { headline, isSound, test } from "./quiet_page.ts";

async function open(page: Page, width = 1280, height = 900): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.goto("./");
  await page.locator(".pareto svg.chart").waitFor();
  await expect(page.getByLabel("Country", { exact: true })).toHaveValue("United States");
}

const choose = (page: Page, name: string) => page.getByRole("radio", { name, exact: true }).check({ force: true });
const kFault = "There is an error in the input";

test("each task shows its own fields, and another one is one step to undo", async ({ page }) => {
  await open(page);
  const serving = ["#rate", "#mean-rate", "#input-tokens", "#output-tokens", "#ttft", "#tpot"];
  const training = ["#tokens", "#deadline", "#sequence", "#batch"];
  const shows = async (there: string[], gone: string[]) => {
    for (const field of there) await expect(page.locator(field)).toBeVisible();
    for (const field of gone) await expect(page.locator(field)).toHaveCount(0);
  };
  await shows(serving, training);
  await page.locator("#budget").fill("1.62M");
  await choose(page, "Train");
  await shows(training, serving);
  await expect(headline(page)).toContainText("tokens");
  await expect(page.locator(".slider")).toHaveCount(0);
  await expect(page.locator("#budget")).toHaveValue("1.62M");
  await choose(page, "Fine-tune");
  await expect(page.getByRole("radio", { name: "LoRA adapters" })).toBeChecked();
  await shows(training, serving);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("radio", { name: "Train", exact: true })).toBeChecked();
});

test("the slider keeps the ratio of the rates, is never an error and stays under the pointer", async ({ page }) => {
  await open(page);
  const slider = page.locator(".slider input");
  const place = await slider.boundingBox();
  for (const step of ["60", "80", "95", "0", "200"]) {
    await slider.fill(step);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await expect(page.getByText(kFault)).toHaveCount(0);
    const [peak, mean] = await Promise.all(
      ["#rate", "#mean-rate"].map(async (field) => Number(await page.locator(field).inputValue())),
    );
    expect((mean ?? 0) / (peak ?? 1)).toBeCloseTo(0.6, 2);
    expect(await slider.boundingBox()).toEqual(place);
  }
});

test("numbers are read with their units, and what is none of the field is said in plain words", async ({ page }) => {
  await open(page);
  await page.locator("#tpot").fill("0.04 s");
  await expect(page.locator("#tpot-read")).toHaveText("= 40 ms");
  await page.locator("#tpot").blur();
  await expect(page.locator("#tpot")).toHaveValue("40");
  await page.locator("#budget").fill("1.5M CHF");
  await expect(page.locator("#budget-read")).toContainText("No rate for “CHF” is known.");
  await expect(page.locator("#budget")).toHaveAttribute("aria-invalid", "true");
  await page.locator("#budget").fill("$1.5M");
  await expect(page.locator("#budget-read")).toHaveText("= $1.5 million");
  await page.locator("#budget").fill("1.5M EUR");
  await expect(page.locator("#budget-read")).toHaveText("= $1.73 million");
  await choose(page, "Train");
  await page.locator("#tokens").fill("5T");
  await expect(page.locator("#tokens-read")).toHaveText("= 5 trillion tokens");
  await page.locator("#deadline").fill("60d");
  await expect(page.locator("#deadline-read")).toHaveText("= 60 days");
  await expect(headline(page)).toContainText("5 trillion tokens");
  // The same limit in the same unit on the screen that searches deployments.
  await page.goto("./#/deployments");
  await expect(page.getByRole("textbox", { name: "First token within ms" })).toHaveValue("2000");
  await expect(page.getByRole("textbox", { name: "Each token within ms" })).toHaveValue("50");
});

test("the load is said as requests, users or tokens of a day, and is the same", async ({ page }) => {
  await open(page);
  const gpus = () => page.locator("[data-place='/plans/0/gpu_count']").first().textContent();
  const before = await gpus();
  await choose(page, "Users");
  await expect(page.locator("#users")).toHaveValue("1380");
  // What the example has of the day is in sight, and means what the field says.
  await expect(page.locator("#peak-over-mean")).toHaveValue("1.67");
  await expect(page.getByText("For chat, 60 s is customary; empty means 0 s.")).toBeVisible();
  await expect(page.locator("#rate")).toHaveCount(0);
  await expect(page.locator("[data-place='/loads/0/peak_requests_per_s']")).toHaveText("50.1");
  expect(await gpus()).toBe(before);
  // Who thinks sends fewer requests.
  await page.locator("#think-time").fill("30");
  await expect(page.locator("[data-place='/loads/0/peak_requests_per_s']")).toHaveText("24");
  await expect(headline(page)).toContainText("24 requests per second");
  await choose(page, "Tokens/day");
  await expect(page.locator("#tokens-per-day")).toHaveValue(/^3\.1\dB$/);
  await expect(page.locator("[data-place='/loads/0/users']")).toHaveText(/^1,3[78]\d$/);
  await isSound(page);
  // Hours of the day say the mean in place of it, in every way of saying the load.
  await page.getByText("Traffic", { exact: true }).click();
  await page.getByLabel("Requests over the day").selectOption("Office hours");
  await expect(page.locator("#peak-over-mean")).toHaveValue("");
  await choose(page, "Users");
  await expect(page.locator("#peak-over-mean")).toHaveCount(0);
  for (const _ of ["users", "hours"]) await page.getByRole("button", { name: "Undo" }).click();
  for (const _ of ["tokens", "think time", "users"]) await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("#rate")).toHaveValue("50");
});

test("money is shown and typed in the currency chosen, in sentences too", async ({ page }) => {
  await open(page);
  await page.locator("#budget").fill("3M");
  await page.locator("#budget").blur();
  await page.getByLabel("Currency").selectOption("EUR");
  await expect(page.locator("#currency-rate")).toContainText("EUR for one US dollar, mean of 2026-");
  await expect(page.locator("#budget")).toHaveValue("2.6052M");
  await page.locator("#budget").fill("2.5M");
  await expect(page.locator("#budget-read")).toHaveText("= €2.5 million");
  await expect(page.locator("main")).toContainText("€");
  await expect(page.locator(".answer")).not.toContainText("$");
  await isSound(page);
  await expect(page).toHaveURL(/s=1\..*&c=EUR$/);
  // It is kept for the next visit, and the plan is asked in dollars.
  await page.reload();
  await expect(page.getByLabel("Currency")).toHaveValue("EUR");
  await expect(page.locator("#budget")).toHaveValue("2.5M");
  await page.getByLabel("Currency").selectOption("USD");
  await expect(page.locator("#budget")).toHaveValue(/^2\.87\d*M?$|^287\d+/);
});

test("a link shows money to everybody in the currency of who made it", async ({ page, browser, baseURL }) => {
  await open(page);
  await page.locator("#rate").fill("80");
  await expect(page).toHaveURL(/\?s=1\./);
  await page.getByLabel("Currency").selectOption("EUR");
  await expect(page).toHaveURL(/&c=EUR$/);
  const shared = page.url();
  const told = await page.locator(".tile .big").allTextContents();
  // Views and report keep it.
  for (const [name, path] of [
    ["Money", "money"],
    ["Report", "report"],
  ] as const) {
    await page.locator("nav.screens").getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`#/${path}\\?s=1\\..*&c=EUR$`));
  }
  const context = await browser.newContext({ baseURL });
  const other = await context.newPage();
  await other.goto(shared);
  await expect(other.locator(".tile .big")).toHaveText(told);
  await expect(other.getByLabel("Currency")).toHaveValue("EUR");
  await expect(other.locator(".pareto .switch")).toContainText("€ per hour");
  await expect(other.locator(".pareto svg.chart")).toContainText("€");
  await expect(other.locator(".pareto svg.chart")).not.toContainText("$");
  // In dollars the address says nothing, and the choice of the link is nobody's for the next visit.
  await other.getByLabel("Currency").selectOption("USD");
  await expect(other).toHaveURL(/^[^&]*&v=[^&]*$/);
  await other.goto("./#/?c=GBP");
  await expect(other.locator(".answer")).toContainText("£");
  await other.goto("about:blank");
  await other.goto("./");
  await expect(other.getByLabel("Currency")).toHaveValue("USD");
  await context.close();
});

test("a country is asked by its name, and data can be kept in it", async ({ page }) => {
  await open(page);
  const country = page.getByLabel("Country", { exact: true });
  await country.fill("Germ");
  await country.blur();
  await expect(country).toHaveValue("Germany");
  await country.fill("United");
  await country.blur();
  await expect(page.getByText("No known country or cloud region has this name.")).toBeVisible();
  await country.fill("germany");
  await country.blur();
  await expect(country).toHaveValue("Germany");
  await page.getByLabel("Data must stay in the country").check();
  await choose(page, "Buy");
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.getByRole("button", { name: "Copy request" }).waitFor();
  await expect(page).toHaveURL(/s=1\./);
  const link = page.url();
  await page.goto("./#/about");
  await page.goto(link);
  await expect(country).toHaveValue("Germany");
  await expect(page.getByLabel("Data must stay in the country")).toBeChecked();
  await expect(page.getByRole("radio", { name: "Buy", exact: true })).toBeChecked();
});

for (const width of [1280, 360]) {
  test(`a complaint names the field by its label and mends it, ${width} px`, async ({ page }) => {
    await open(page, width).catch(() => undefined);
    if (width === 360) await page.getByRole("button", { name: "Change the inputs" }).click();
    await page.locator("#mean-rate").fill("80");
    const fault = page.locator("#mean-rate-fault");
    await expect(fault).toContainText("“Mean requests/s” is above “Peak requests/s”.");
    await expect(page.getByText(kFault)).toBeVisible();
    expect(await fault.textContent()).not.toMatch(/_/);
    expect(await fault.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
    await isSound(page);
    await fault.getByRole("button", { name: "Set Mean requests/s to 50" }).click();
    await expect(page.locator("#mean-rate")).toHaveValue("50");
    await expect(page.getByText(kFault)).toHaveCount(0);
  });
}

test("fields that exclude each other are named, and a button keeps one of them", async ({ page }) => {
  await page.goto("./#/layouts");
  await page.getByLabel("Find an input").fill("cluster sizes");
  await page.getByRole("textbox", { name: "Cluster sizes" }).fill("8, 16");
  const fault = page
    .locator(".fault")
    .filter({ hasText: "Only one of these may be given: “GPUs” and “Cluster sizes”." });
  await expect(fault.first()).toBeVisible();
  await fault.first().getByRole("button", { name: "Keep only Cluster sizes" }).click();
  await expect(page.getByText(kFault)).toHaveCount(0);
});

test("all inputs open with few controls and are found by what people call them", async ({ page }) => {
  await open(page);
  const controls = () => page.locator("form.inputs :is(input, select, textarea)").count();
  const before = await controls();
  await page.getByText("All inputs and examples").click();
  const find = page.getByLabel("Find an input");
  await expect(find).toBeVisible();
  expect((await controls()) - before).toBeLessThanOrEqual(12);
  for (const [typed, field] of [
    ["Germany", "Country or region"],
    ["currency", "Purchase budget"],
    ["concurrent", "Peak requests/s"],
    ["PUE", "PUE"],
  ] as const) {
    await find.fill(typed);
    await expect(page.locator(".find-input + div .schema-fields")).toContainText(field);
  }
  await find.fill("no such thing");
  await expect(page.getByText("No input has this name.")).toBeVisible();
});

test("the form stands beside the answer or behind a door, and the answer is in sight while it is edited", async ({
  page,
}) => {
  const form = page.locator("form.inputs");
  const bar = page.locator(".answer-bar");
  for (const width of [1440, 1024]) {
    await open(page, width, 800);
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).boundingBox();
      if (box === null) throw new Error(`${selector} is not drawn`);
      return box;
    };
    const [answer, inputs, plans] = [await boxOf(".answer"), await boxOf("form.inputs"), await boxOf(".choices")];
    expect(inputs.x).toBeGreaterThanOrEqual(answer.x + answer.width);
    expect(inputs.y).toBeLessThan(answer.y + 20);
    expect(plans.y - (answer.y + answer.height)).toBeLessThan(40);
    await expect(bar).toBeHidden();
    await page.locator(".columns").scrollIntoViewIfNeeded();
    await expect(headline(page)).not.toBeInViewport();
    await expect(bar).toBeInViewport();
    await expect(bar).toContainText("23 × B200");
    await isSound(page);
  }
  await open(page, 900, 800);
  await expect(page.locator("#rate")).toBeHidden();
  const door = await form.boundingBox();
  expect(door?.height).toBeLessThan(160);
  await page.getByRole("button", { name: "Change the inputs" }).click();
  await page.locator("#budget").scrollIntoViewIfNeeded();
  await expect(bar).toBeInViewport();
  await isSound(page);
});

test("on a phone every view of the plan is in sight, and nothing is cut or told at length", async ({ page }) => {
  await open(page, 360, 780);
  const links = page.locator("nav.screens a");
  await expect(links).toHaveText(["Answer", "Speed", "Money", "Build", "Run it", "Risk", "Report"]);
  for (const view of ["Speed", "Money", "Build", "Run it", "Risk", "Report"]) {
    await links.getByText(view, { exact: true }).click();
    await expect(page.locator('nav.screens a[aria-current="page"]')).toHaveText(view);
    for (const link of await links.all()) await expect(link).toBeInViewport({ ratio: 1 });
    await expect(page.locator('[aria-busy="true"], .deferred.pending, .opening')).toHaveCount(0, { timeout: 45_000 });
    await expect(page.locator("main h2").first()).toBeVisible();
    const cut = await page.locator("main").evaluate((main) => {
      const isCut = (item: Element) => item.scrollWidth > item.clientWidth + 1;
      const tables = [...main.querySelectorAll(".wide-table")].filter(isCut).map((table) => table.textContent);
      return [...tables, ...(isCut(document.documentElement) ? ["the page"] : [])];
    });
    expect(cut, view).toEqual([]);
  }
  // The numbers of each way of paying wait under its name.
  await links.getByText("Money", { exact: true }).click();
  const ways = page.locator(".phone-fold");
  await expect(ways.getByText("Own the base and rent the rest").first()).toBeVisible();
  await expect(ways.locator("dt:visible")).toHaveCount(0);
  await ways.locator("summary").first().click();
  await expect(ways.locator("dt:visible").first()).toBeVisible();
});

test("a field that a sentence asks for is called by its label, which leads to its input", async ({ page }) => {
  await page.goto("./#/risk");
  const sentence = page.locator("main").getByText("How long a repair takes has no dated source");
  await expect(sentence).toContainText("Give repair time.");
  await sentence.getByRole("button", { name: "repair time" }).click();
  const input = page.locator("form.inputs").getByLabel("Repair time");
  await expect(input).toBeFocused();
  await expect(input).toBeInViewport();
  await expect(page.locator(".answer-bar")).toBeInViewport();
  await isSound(page);
});

test("the question has a scroll of its own, and the answer stays in sight", async ({ page }) => {
  await open(page, 1280, 800);
  const form = page.locator("form.inputs");
  await form.getByText("All inputs and examples").scrollIntoViewIfNeeded();
  await form.hover();
  await page.mouse.wheel(0, 3000);
  await expect.poll(() => form.evaluate((box) => box.scrollTop)).toBeGreaterThan(200);
  await expect(headline(page)).toBeInViewport();
  await page.mouse.move(300, 500);
  await page.mouse.wheel(0, 1500);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
  await expect(page.getByRole("button", { name: "Back to the example" })).toBeInViewport();

  await page.setViewportSize({ width: 360, height: 780 });
  await page.getByRole("button", { name: "Change the inputs" }).click();
  await page.locator("#budget").scrollIntoViewIfNeeded();
  await expect(page.locator(".answer-bar")).toBeInViewport();
  await expect(page.locator(".answer-bar")).toContainText("B200");
});
