import { isDeepStrictEqual } from "node:util";
import { test as base, expect, type Page } from "../../web/playwright.ts";
import { unexplained } from "./explained.ts";
import { isSound, openFolds } from "./quiet_page.ts";

/** Every test fails on a console error, an uncaught exception, a refused resource or a request to another place. */
const test = base.extend<{ page: Page; requests: string[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from this pattern
  requests: async ({}, use) => use([]),
  page: async ({ page, requests, baseURL }, use) => {
    const faults: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("request", (request) => {
      requests.push(request.url());
      if (new URL(request.url()).origin !== new URL(baseURL ?? "").origin) faults.push(`request to ${request.url()}`);
    });
    await page.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => {
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    await use(page);
    expect(faults).toEqual([]);
  },
});

const headline = (page: Page) => page.getByRole("heading", { level: 1 });
const figure = (page: Page, place: string) => page.locator(`button.figure[data-place="${place}"]`).first();

/** The engine has taken over: the first number has an explanation. */
async function whenReady(page: Page): Promise<void> {
  await figure(page, "/plans/0/gpu_count").click();
  await expect(page.getByRole("dialog").getByText("Exact value")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

/** All figures of the page, by place. */
const figures = (page: Page) =>
  page
    .locator("button.figure")
    .evaluateAll((all) => all.map((item) => [item.getAttribute("data-place"), item.textContent] as const));

/** Edits, and waits until the address has taken the edit. */
async function settled(page: Page, edit: () => Promise<unknown>): Promise<void> {
  const before = page.url();
  await edit();
  await expect.poll(() => page.url()).not.toBe(before);
}

test("opens with numbers, before and without scripts", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
  const page = await context.newPage();
  await page.goto("./");
  await expect(headline(page)).toContainText(/\d+ × .+ serve 50 requests per second of Llama/i);
  await expect(page.locator(".tile button.figure").first()).toHaveText(/\d/);
  await expect(page.locator("svg.bar")).toBeVisible();
  expect(await page.locator("noscript").textContent()).toContain("allow JavaScript");
  // Four numbers with their intervals and odds, what holds them, and what it costs.
  const above = await page.locator(".answer button.figure:visible").count();
  expect(above).toBeGreaterThanOrEqual(8);
  expect(above).toBeLessThanOrEqual(18);
  await context.close();
});

test("the engine takes over without a visible change", async ({ page, browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
  const still = await context.newPage();
  await still.goto("./");
  const prerendered = await figures(still);
  await context.close();

  await page.goto("./");
  await whenReady(page);
  expect(await figures(page)).toEqual(prerendered);
  await expect(page).toHaveURL(/\/some\/folder\/$/);
});

/** The file of the engine that follows the first answer is there. */
const whenWhole = (requests: string[]) =>
  expect.poll(() => requests.some((url) => url.includes("engine_rest.wasm"))).toBe(true);

test("loads what first-route.txt lists, then form, chart and the rest of the engine, and nothing else", async ({
  page,
  requests,
  baseURL,
}) => {
  const filesOf = async (list: string) => (await (await page.request.get(list)).text()).trim().split("\n");
  const listed = [...(await filesOf("./first-route.txt")), ...(await filesOf("./after-first-look.txt"))];
  await page.goto("./");
  // The chart's points come with the first answer.
  await expect(page.locator(".pareto svg.chart")).toBeVisible();
  await whenWhole(requests);
  await expect.poll(() => requests.some((url) => url.includes("regions.json"))).toBe(true);
  listed.push(listed.find((file) => file.endsWith("/engine.wasm"))?.replace("engine.wasm", "engine_rest.wasm") ?? "");
  const loaded = requests.map((url) => url.slice((baseURL ?? "").length) || "index.html");
  const chart = [...new Set(loaded)].filter((file) => /^assets\/(?:pareto_chart|marks)-/.test(file));
  expect(chart).toHaveLength(2);
  expect([...new Set(loaded)].sort()).toEqual([...listed, ...chart].sort());
});

test("a changed model changes the numbers, and the link reopens them", async ({ page, requests, context }) => {
  await page.goto("./");
  await whenReady(page);
  const first = await figures(page);
  const sentence = (await headline(page).textContent()) ?? "";
  await whenWhole(requests);
  const loaded = requests.length;

  await settled(page, () => page.getByLabel("Model").selectOption("llama-3.1-8b"));
  await expect(headline(page)).not.toHaveText(sentence);
  await settled(page, () => page.getByLabel("Peak requests/s", { exact: true }).fill("120"));
  await expect(headline(page)).toContainText("120 requests per second");
  await settled(page, () => page.getByLabel("Output tokens").fill("256"));
  await settled(page, () => page.getByRole("checkbox", { name: /B200/ }).uncheck());
  await expect(page.locator(".choices .plans")).not.toContainText("B200");
  expect(requests.slice(loaded)).toEqual([]);

  const link = page.url();
  expect(link).toContain("#/?s=1.");
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByLabel("Model")).toHaveValue("llama-3.1-8b");
  await expect(other.getByLabel("Peak requests/s", { exact: true })).toHaveValue("120");
  await expect(other.getByRole("checkbox", { name: /B200/ })).not.toBeChecked();
  await expect.poll(async () => isDeepStrictEqual(await figures(other), await figures(page))).toBe(true);
  expect(await figures(page)).not.toEqual(first);
  await other.close();

  await page.getByRole("button", { name: "Back to the example" }).click();
  await expect(headline(page)).toHaveText(sentence);
  await expect.poll(() => page.url()).not.toContain("#");
  await expect.poll(() => figures(page)).toEqual(first);
});

test("back and forward walk between links", async ({ page }) => {
  await page.goto("./");
  await whenReady(page);
  await page.getByLabel("Peak requests/s", { exact: true }).fill("80");
  await expect.poll(() => page.url()).toContain("#");
  const eighty = page.url().split("#")[1];
  await page.evaluate(() => {
    location.hash = "";
  });
  await expect(page.getByLabel("Peak requests/s", { exact: true })).toHaveValue("50");
  await page.goBack();
  await expect.poll(() => page.url().split("#")[1]).toBe(eighty);
  await expect(page.getByLabel("Peak requests/s", { exact: true })).toHaveValue("80");
});

test("an unreadable link shows the example and says so", async ({ page }) => {
  for (const hash of ["#/?s=1.0!!!!", "#/?s=1.1AAAA", "#nonsense", "#/?s=7.0W10"]) {
    await page.goto("about:blank");
    await page.goto(`./${hash}`);
    await expect(page.getByText("This link is broken or too long")).toBeVisible();
    await expect(headline(page)).toContainText("serve 50 requests per second");
  }
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText("This link is broken or too long")).toHaveCount(0);
});

test("a number leads to its equation, its inputs and a source", async ({ page }) => {
  await page.goto("./");
  await whenReady(page);
  const panel = page.getByRole("dialog");
  const target = figure(page, "/plans/0/estimates/0/latency/ttft_s");
  await target.click();
  await panel.getByRole("button", { name: "Close" }).click();
  await expect(target, "focus returns to the number").toBeFocused();

  await figure(page, "/plans/0/estimates/0/latency/tpot_s").click();
  await expect(panel.locator(".equation").first()).toBeVisible();
  const title = (await panel.getByRole("heading", { level: 2 }).textContent()) ?? "";
  await panel.locator(".trace-inputs button").first().click();
  await expect(panel.getByRole("heading", { level: 2 })).not.toHaveText(title);
  await expect(panel.getByRole("heading", { level: 2 })).toBeFocused();
  await panel.getByRole("button", { name: "Back" }).click();
  await expect(panel.getByRole("heading", { level: 2 })).toHaveText(title);
});

for (const view of ["", "speed", "money", "build", "risk"])
  test(`every number of the plan's ${view || "answer"} has an explanation with a source`, async ({ page }) => {
    await page.goto(`./#/${view}`);
    await whenReady(page);
    await openFolds(page, "details:not(.all-inputs)");
    // What folds hold is loaded when they are opened.
    if (view === "speed") await expect(page.locator(".fold .day").first()).toBeVisible();
    if (view === "risk") await expect(page.locator(".assumptions")).toBeVisible();
    expect(await unexplained(page, "body")).toEqual([]);
  });

test("the chart and its table hold the same marks, by rent and by GPUs", async ({ page }) => {
  await page.goto("./");
  await whenReady(page);
  const chart = page.locator(".pareto");
  await chart.getByText("The points as a table").click();
  // The table is drawn once the fold reports that it stands open.
  await expect(chart.locator("tbody tr").first()).toBeVisible();
  const rows = await chart.locator("tbody tr").count();
  expect(rows).toBeGreaterThan(5);
  const names = await chart.locator("tbody th").allInnerTexts();
  for (const measure of ["$ per hour", "GPUs"]) {
    await chart.getByRole("radio", { name: measure, exact: true }).check({ force: true });
    await expect(chart.locator(".choosable[data-mark^=point]")).toHaveCount(rows);
    for (const name of new Set(names)) await expect(chart.locator(".legend li", { hasText: name })).toBeVisible();
  }
});

test("a mark of a plan shows the plan, any other mark its row in the table", async ({ page }) => {
  await page.goto("./");
  await whenReady(page);
  const chart = page.locator(".pareto");
  const second = chart.locator('[data-mark="plan 1"]');
  const sharesPlace = async (mark: typeof second) => {
    const [ring, at] = [
      await chart.locator(".chosen circle").boundingBox(),
      await mark.locator("circle").boundingBox(),
    ];
    expect(Math.abs((ring?.x ?? 0) + (ring?.width ?? 0) / 2 - (at?.x ?? 0) - (at?.width ?? 0) / 2)).toBeLessThan(1);
    expect(Math.abs((ring?.y ?? 0) + (ring?.height ?? 0) / 2 - (at?.y ?? 0) - (at?.height ?? 0) / 2)).toBeLessThan(1);
  };
  await sharesPlace(chart.locator('[data-mark="plan 0"]'));
  const before = await headline(page).textContent();
  await second.click();
  await expect(headline(page)).not.toHaveText(before ?? "");
  await sharesPlace(second);

  // By keyboard: one stop, arrows from mark to mark.
  await expect(chart.locator(".choosable[tabindex='0']")).toHaveCount(1);
  await chart.locator(".choosable[tabindex='0']").focus();
  await chart.locator('[data-mark="point 0"]').focus();
  await expect(chart.locator(".readout")).toContainText("per token");
  await page.keyboard.press("ArrowRight");
  await expect(chart.locator('[data-mark="point 1"]')).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chart.locator("tbody tr").nth(1)).toBeFocused();
});

test("an impossible limit says why, and a way out leads to a plan", async ({ page }) => {
  await page.goto("./");
  await whenReady(page);
  await page.getByLabel("Each token within").fill("0.5");
  await expect(headline(page)).toHaveText("No plan meets these targets");
  await expect(page.locator(".rejected > li")).toHaveCount(3);
  await page
    .getByRole("button", { name: /^Apply: / })
    .first()
    .click();
  await expect(page.getByLabel("Each token within")).not.toHaveValue("0.5");
  await expect(headline(page)).toContainText("serve 50 requests per second");
});

test("with no GPU ticked the engine looks at its own list", async ({ page }) => {
  await page.goto("./");
  await whenReady(page);
  for (const name of [/B200/, /H100/, /H200/]) await page.locator(".gpus").getByRole("checkbox", { name }).uncheck();
  await expect(page.getByText("No GPU is ticked")).toBeVisible();
  await expect(headline(page)).toContainText("serve 50 requests per second");
  await page.getByText("Other GPUs").click();
  await page.getByRole("checkbox", { name: "A100 SXM4 80GB" }).check();
  await expect.poll(async () => (await figures(page)).length).toBeGreaterThan(0);
  await expect(page.getByText("Other GPUs (1 chosen)")).toBeVisible();
});

test("a faulty value is named at its field, and the last numbers stay", async ({ page }) => {
  await page.goto("./");
  await whenReady(page);
  const sentence = (await figure(page, "/plans/0/gpu_count").textContent()) ?? "";
  const rate = page.getByLabel("Peak requests/s", { exact: true });
  await rate.fill("-1");
  await expect(rate).toHaveAttribute("aria-invalid", "true");
  await expect(page.locator("#rate-fault")).not.toBeEmpty();
  await expect(page.getByText("There is an error in the input")).toBeVisible();
  expect(await figure(page, "/plans/0/gpu_count").textContent()).toBe(sentence);
  await rate.fill("50");
  await expect(page.getByText("There is an error in the input")).toHaveCount(0);
});

test("memory is shown in GB or GiB, and its parts add up", async ({ page }) => {
  await page.goto("./");
  await page.locator(".memory summary").click();
  for (const unit of ["GB", "GiB"]) {
    await page.getByRole("radio", { name: unit, exact: true }).check({ force: true });
    await expect(page.locator(".memory table td").first()).toContainText(` ${unit}`);
    const rows = (await page.locator(".memory table td").allInnerTexts()).map((text) => {
      expect(text).toContain(` ${unit}`);
      return Math.round(Number.parseFloat(text.replaceAll(",", "")) * 10);
    });
    const total = rows.pop();
    expect(rows.reduce((sum, part) => sum + part, 0)).toBe(total);
  }
});

test("another plan can be shown and linked to", async ({ page }) => {
  await page.goto("./");
  await whenReady(page);
  const show = page.locator(".plans").getByRole("button", { name: /^Show / });
  test.skip((await show.count()) === 0, "the example has one plan only");
  const sentence = (await headline(page).textContent()) ?? "";
  await show.first().click();
  await expect(headline(page)).not.toHaveText(sentence);
  await expect.poll(() => page.url()).toContain("#/?p=2");
  await page.reload();
  await expect(headline(page)).not.toHaveText(sentence);
});

test("works under the strict policy as a header too", async ({ page }) => {
  await page.goto("/strict/");
  await whenReady(page);
  await page.getByLabel("Model").selectOption("llama-3.1-8b");
  await expect(headline(page)).toContainText("8B");
});

base.describe("without the copy kept for use offline, which would start a broken engine again", () => {
  base.use({ serviceWorkers: "block" });

  base("a crashed engine is replaced once; then inputs stay and it can be started again", async ({ page }) => {
    let broken = true;
    let loads = 0;
    await page.route("**/engine/*/engine.mjs", async (route) => {
      loads += 1;
      await (broken ? route.abort() : route.continue());
    });
    await page.goto("./");
    await expect(page.getByText("The engine has stopped")).toBeVisible();
    expect(loads).toBe(2);
    await expect(headline(page)).toContainText("serve 50 requests per second");
    await settled(page, () => page.getByLabel("Input tokens").fill("1024"));
    await expect(page.getByText("The engine has stopped")).toBeVisible();
    broken = false;
    await page.getByRole("button", { name: "Restart the engine" }).click();
    await expect(page.getByText("The engine has stopped")).toHaveCount(0);
    await expect(page.getByLabel("Input tokens")).toHaveValue("1024");
    await whenReady(page);
  });
});

const kLooks = [
  { name: "light", width: 1280, colorScheme: "light", forcedColors: "none" },
  { name: "dark", width: 1280, colorScheme: "dark", forcedColors: "none" },
  { name: "a phone of 360 pixels", width: 360, colorScheme: "light", forcedColors: "none" },
  { name: "a dark phone of 360 pixels", width: 360, colorScheme: "dark", forcedColors: "none" },
  { name: "forced colours", width: 1280, colorScheme: "dark", forcedColors: "active" },
] as const;

for (const { name, width, ...media } of kLooks) {
  test(`accessible: ${name}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia(media);
    await page.goto("./");
    await whenReady(page);
    if (media.forcedColors === "none" && media.colorScheme === "light") await isSound(page);
    await openFolds(page, "details:not(.all-inputs)");
    await figure(page, "/plans/0/estimates/0/latency/tpot_s").click();
    await expect(page.getByRole("dialog")).toBeVisible();
    if (width < 400) {
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Change the inputs" }).click();
    }
    await page.getByLabel("Peak requests/s", { exact: true }).fill("-1");
    await expect(page.getByText("There is an error in the input")).toBeVisible();
    await isSound(page);
  });
}

test("on a phone the form waits folded, and opens where the engine has a complaint", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto("./");
  await whenReady(page);
  const door = page.getByRole("button", { name: "Change the inputs" });
  const rate = page.getByLabel("Peak requests/s", { exact: true });
  await expect(door).toHaveAttribute("aria-expanded", "false");
  await expect(rate).toBeHidden();
  await door.click();
  await settled(page, () => rate.fill("120"));
  await expect(headline(page)).toContainText("120 requests per second");
  await settled(page, () => rate.fill("-1"));
  await expect(page.getByText("There is an error in the input")).toBeVisible();
  await page.reload();
  await expect(page.getByText("There is an error in the input")).toBeVisible();
  await expect(rate).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(door).toBeHidden();
});

test("what is paid by each year stands with renting or owning, and is read from the same draws", async ({ page }) => {
  await page.goto("./#/money");
  await whenReady(page);
  const place = page.getByRole("region", { name: "Rent or own" });
  await place.getByText("Total paid by the end of each year").click();
  const year = place.getByRole("slider");
  await expect(year).toHaveAttribute("aria-valuetext", /year 4\./);
  await year.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(year).toHaveAttribute("aria-valuetext", /year 3\./);
});

test("an edit outlives a visit to another screen, however soon the link there is followed", async ({ page }) => {
  await page.goto("./");
  await expect(page.locator(".pareto svg.chart")).toBeVisible();
  const rate = page.getByLabel("Peak requests/s", { exact: true });
  const back = page.locator(".areas").getByRole("link", { name: "Plan", exact: true });
  const follow = (screen: string) =>
    page.evaluate((name) => {
      location.hash = `#/${name}`;
    }, screen);

  // Back before the address had time to take the edit.
  await rate.fill("120");
  await follow("cost");
  await expect(headline(page)).toContainText("years at");
  await back.click();
  await expect(rate).toHaveValue("120");
  await expect(headline(page)).toContainText("120 requests per second");

  // Back after the address took it, by a link that was drawn before. A later edit has reached the address, so this one has.
  await rate.fill("70");
  await follow("cost");
  await page.locator("#in-gpu_count").fill("16");
  await expect(page).toHaveURL(/#\/cost\?s=1\./);
  await follow("about");
  await expect(headline(page)).toHaveText(/About/);
  await back.click();
  await expect(rate).toHaveValue("70");
  await expect.poll(() => page.url()).toContain("#/?s=1.");
});

test("what if: each wish is answered next to the plan, costs no less where it asks for more, and can be taken", async ({
  page,
}) => {
  await page.goto("./");
  await whenReady(page);
  const part = page.locator(".fold").filter({ has: page.getByRole("heading", { name: "What if" }) });
  await part.locator("summary").first().click();
  const usd = async (name: string) => {
    const row = part.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
    const text = (await row.locator("td").nth(1).textContent()) ?? "";
    return Number(text.replace(/[^\d.]/g, "")) * (/million/.test(text) ? 1e6 : 1);
  };
  await expect(part.getByText("Working…")).toHaveCount(0);
  const now = await usd("As planned");
  for (const more of ["Twice the load", "Targets met with a probability of 95 %", "Nothing is bought"])
    expect(await usd(more), more).toBeGreaterThanOrEqual(now);
  expect(await usd("Any GPU")).toBeLessThanOrEqual(now);
  await part.getByRole("button", { name: "Use it: Twice the load" }).click();
  await expect(page.getByLabel("Peak requests/s", { exact: true })).toHaveValue("100");
  await expect(headline(page)).toContainText("100 requests per second");
});
