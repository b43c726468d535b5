/**
 * Three people open the site for the first time: a buyer, a researcher, an operator. Each comes to the right answer by keyboard in few
 * inputs and few screens, and no page on the way shows somebody else's scenario. The answers are compared with the engine's own.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page, test } from "../../web/playwright.ts";
import { amountIn } from "./one_number.ts";
import { type Answered, kLooks, kPatienceMs, type Look, lookText, Trip } from "./trip.ts";

test.setTimeout(180_000);

const headline = (page: Page) => page.getByRole("heading", { level: 1 });
const figure = (page: Page, place: string) => page.locator(`main button.figure[data-place="${place}"]`).first();
const kDay = 86_400;
const kGermany = { en: "Germany", zh: "德国" };

/** An amount of a million dollars and more as each language writes it. */
function dollars(usd: number, language: Look["language"]): string {
  const [size, word] = language === "en" ? [1e6, " million"] : [1e4, "万"];
  return `$${Number((usd / size).toPrecision(3))}${word}`;
}

/** A number of the page is the engine's, as far as it is written out. */
async function says(page: Page, place: string, value: number): Promise<void> {
  const shown = amountIn(await figure(page, place).textContent());
  expect(Math.abs(shown / value - 1), `${place}: ${shown} for ${value}`).toBeLessThan(0.006);
}

/**
 * Rent or buy for a chat service in Germany, whose data stay there, for 1.5 million euros.
 * It is for 2,000 users at once.
 */
async function buyer(trip: Trip): Promise<Answered> {
  const { page, look } = trip;
  const country = kGermany[look.language];
  await trip.question();
  await trip.select(page.locator("#model"), "Llama-3.3", "llama-3.3-70b-instruct");
  await trip.choose("load", "users");
  await trip.type(page.locator("#users"), "2000");
  await trip.type(page.locator("#country"), country);
  await trip.tick(page.locator(".check input[aria-describedby=data-fault]"));
  await trip.type(page.locator("#budget"), "1.5M EUR");
  await page.keyboard.press("Tab");
  await trip.settled();
  // Each with an answer of 512 tokens at the limits: 27.55 s.
  await expect(headline(page)).toContainText("72.6");
  await expect(headline(page)).toContainText(country);
  await expect(page.locator(".answer .decision").nth(1)).toContainText(dollars(1.5e6 / 0.8684, look.language));
  await trip.isGood();
  const refused = await page.locator(".answer .decision").nth(1).textContent();

  await trip.open("screens", trip.text("messages", "screens/money"));
  await expect(page.locator(".year")).toBeVisible();
  await trip.isGood();
  const money = await page.locator("main").textContent();

  await trip.open("screens", trip.text("messages", "screens/report"));
  await expect(page.locator(".report .appendix")).toBeVisible();
  await expect(headline(page)).toContainText(country);
  await trip.isGood();
  const answered = await trip.answer();
  const above = answered.answer.plans[0].decision_factors.find(({ rule }: { rule: string }) => rule === "above-budget");
  for (const usd of [above.values.capex_usd, above.values.budget_usd]) {
    expect(refused).toContain(dollars(usd, look.language));
    expect(money).toContain(dollars(usd, look.language));
  }
  return answered;
}

/** Of Qwen3-30B-A3B. */
const kConfig = readFileSync(join(__dirname, "../model/data/configs/qwen3-30b-a3b.json"), "utf8");

/** A mixture of experts of 30 billion parameters on 5 trillion tokens in 60 days. */
async function researcher(trip: Trip): Promise<Answered> {
  const { page } = trip;
  await trip.question();
  await trip.choose("task", "train");
  await expect(page.locator("#deadline")).toBeVisible();
  await trip.press(page.locator("form.inputs summary").filter({ hasText: "config.json" }));
  await trip.paste(page.locator("form.inputs textarea"), kConfig);
  await trip.type(page.locator("#tokens"), "5T");
  await trip.type(page.locator("#deadline"), "60d");
  await page.keyboard.press("Tab");
  await trip.settled();
  await expect(headline(page)).toContainText(trip.text("messages", "ownModel"));
  await expect(headline(page)).toContainText(trip.look.language === "en" ? "5 trillion tokens" : "5万亿");
  const odds = figure(page, "/plans/0/estimates/0/run/deadline_probability");
  await trip.settled();
  await expect(odds).toBeVisible();
  await trip.isGood();
  const [time, probability] = [
    amountIn(await figure(page, "/plans/0/estimates/0/run/time_days").textContent()),
    amountIn(await odds.textContent()),
  ];

  await trip.open("screens", trip.text("messages", "screens/run"));
  const script = page.locator("pre").first();
  await expect(script).toContainText("torchrun", { timeout: kPatienceMs });
  await trip.isGood();
  const scripts = (await page.locator("main pre").allInnerTexts()).join("\n");

  await trip.open("screens", trip.text("messages", "screens/report"));
  await expect(page.locator(".report .appendix")).toBeVisible();
  await trip.isGood();
  const answered = await trip.answer();
  const [plan] = answered.answer.plans;
  expect(time / kDay).toBeCloseTo(plan.estimates[0].run.time_days, 1);
  expect(probability).toBeCloseTo(plan.estimates[0].run.deadline_probability, 3);
  const { tensor, pipeline } = plan.layouts[0].parallelism;
  expect(scripts).toMatch(new RegExp(`--tensor-model-parallel-size[ =]${tensor}\\b`));
  expect(scripts).toMatch(new RegExp(`--pipeline-model-parallel-size[ =]${pipeline}\\b`));
  return answered;
}

const kLog = readFileSync(join(__dirname, "../measure/data/hot_h100.xml"), "utf8");

/** What the log says of each GPU, read as plain text. */
function gpusOfLog(): { index: number; celsius: number; errors: number }[] {
  const parts = kLog.split(/<gpu id=/).slice(1);
  return parts.map((text, index) => ({
    index,
    celsius: Number(/<gpu_temp>(\d+) C/.exec(text)?.[1]),
    errors: Math.max(...[...text.matchAll(/<\w*uncorrectable\w*>(\d+)</g)].map(([, count]) => Number(count)), 0),
  }));
}

/** Is this machine well? Its log says of one GPU that it is not. */
async function operator(trip: Trip): Promise<void> {
  const { page } = trip;
  await trip.open("areas", trip.text("messages", "areas/machines"));
  await trip.give(page.locator("#host-files"), "smi.xml", kLog);
  const verdict = page.locator("section[aria-labelledby=host-machine]");
  const first = verdict.locator(".light").first();
  const gpus = gpusOfLog();
  const hot = gpus.reduce((most, one) => (one.celsius > most.celsius ? one : most));
  expect(gpus.length).toBe(8);
  await expect(first).toHaveClass(/bad/, { timeout: kPatienceMs });
  await expect(first).toContainText(`GPU ${hot.index}`);
  await expect(first).toContainText(`${hot.celsius} °C`);
  await expect(first).toContainText(String(hot.errors));
  await expect(first).toContainText(`nvidia-smi --gpu-reset -i ${hot.index}`);
  await expect(verdict.locator(".light.bad")).toHaveCount(1);
  await trip.isGood();
}

/** As many requests at once on the plan's own machines: all are let in, or the headline says how many are not. */
async function clients(trip: Trip): Promise<void> {
  const { page } = trip;
  await trip.question();
  await trip.select(page.locator("#model"), "Llama-3.3", "llama-3.3-70b-instruct");
  await expect(headline(page)).toContainText("Llama-3.3-70B-Instruct");
  await trip.open("screens", trip.text("messages", "screens/speed"));
  await trip.openBy(
    page.locator("main").getByRole("button", { name: trip.text("messages", "screens/serving"), exact: true }),
  );
  await expect(page.locator(".about-screen")).toContainText(trip.text("texts", "ofThePlan"));
  await expect(headline(page)).toContainText("Llama-3.3-70B-Instruct");
  const planned = await headline(page).locator("button.figure").first().textContent();
  if (trip.look.width === 360) await trip.press(page.locator("form.inputs summary").first());
  await trip.type(page.getByLabel("Find an input"), "concurrency");
  await trip.type(page.locator("#in-load-concurrency"), "2000");
  await trip.press(page.getByRole("button", { name: /^Keep only Requests in flight/ }).first());
  await expect(page.locator(".fault:visible")).toHaveCount(0);
  await trip.settled();
  const admitted = figure(page, "/admitted_concurrency");
  // The headline counts those who wait, exactly where some do.
  await expect(async () => {
    const waits = amountIn(await admitted.textContent()) < 2000;
    expect((await headline(page).textContent())?.includes("of 2000 requests")).toBe(waits);
  }).toPass();
  expect(await headline(page).locator("button.figure").first().textContent()).toBe(planned);
  await trip.isGood();
}

const begin = (browser: Browser, baseURL: string | undefined, look: Look) => Trip.begin(browser, baseURL, look);

for (const look of kLooks) {
  test(`a buyer is told where, for how much, and what the budget does not buy: ${lookText(look)}`, async ({
    browser,
    baseURL,
  }) => {
    const trip = await begin(browser, baseURL, look);
    const { request, answer } = await buyer(trip);
    expect(request.economics.region).toBe("DEU");
    expect(request.constraints.sovereignty).toBe("in-country");
    expect(request.constraints.budget_usd).toBeCloseTo(1.5e6 / 0.8684, 3);
    expect(answer.loads[0].users).toBe(2000);
    for (const { cost, way } of answer.plans) {
      const offers = [cost.cloud, cost.committed, cost.hybrid?.rented_part].filter((offer) => offer !== undefined);
      for (const offer of offers) expect(offer.country).toBe("DEU");
      // What the budget does not buy is not the advice.
      if (cost.on_premises?.capex_usd > request.constraints.budget_usd) expect(way).not.toBe("own");
    }
    await says(trip.page, "/plans/0/ranked_by_usd_per_year", answer.plans[0].ranked_by_usd_per_year);
    await trip.end();
  });

  test(`a researcher gets a plan for the deadline, its odds, and the scripts: ${lookText(look)}`, async ({
    browser,
    baseURL,
  }) => {
    const trip = await begin(browser, baseURL, look);
    const { request, answer } = await researcher(trip);
    expect(request.workloads[0]).toMatchObject({ model: JSON.parse(kConfig), tokens: 5e12, deadline_days: 60 });
    // Its layers are read: 30.5 billion parameters, of which a token meets 3.35.
    const { total, active } = answer.plans[0].estimates[0].model_parameters;
    expect([total, active].map((count) => Math.round(count / 1e7))).toEqual([3053, 335]);
    const { run } = answer.plans[0].estimates[0];
    expect(run.time_days).toBeLessThanOrEqual(60);
    expect(run.deadline_probability).toBeGreaterThanOrEqual(0.8);
    await trip.end();
  });

  test(`an operator is told which GPU is hot: ${lookText(look)}`, async ({ browser, baseURL }) => {
    const trip = await begin(browser, baseURL, look);
    await operator(trip);
    await trip.end();
  });
}

for (const look of kLooks.filter(({ language }) => language === "en"))
  test(`two thousand at once are let in, or the shortfall is the headline: ${lookText(look)}`, async ({
    browser,
    baseURL,
  }) => {
    const trip = await begin(browser, baseURL, look);
    await clients(trip);
    await trip.end();
  });
