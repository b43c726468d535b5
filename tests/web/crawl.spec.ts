/**
 * Walks over every screen with everything open: each number explains itself by an equation that comes out as printed, totals
 * are their parts, one number has one text.
 */

import example from "../../examples/chat_70b.json" with { type: "json" };
import { expect, type Page, test } from "../../web/playwright.ts";
import type { JsonObject } from "../../web/src/json.ts";
import { encodeLink } from "../../web/src/link.ts";
import { listOf } from "./ask_native.ts";
import { unexplained } from "./explained.ts";
import { labelsOfTwoNumbers, placesOfTwoTexts, type Shown as Read, shownOn, unnamedStatistics } from "./one_number.ts";
import { openFolds } from "./quiet_page.ts";
import { type Known, randomPlan } from "./random_plans.ts";

const kPlanLike = ["", "speed", "money", "build", "risk", "report"];
const kExplained = [
  "serving",
  "training",
  "deployments",
  "layouts",
  "architecture",
  "fabric",
  "mig",
  "cost",
  "claims",
  "rules",
];
const kPlain = ["statements", "data", "data/gpus/h100-sxm5-80gb", "data/models", "compare", "about"];

/** Numbers that open no explanation, and why. */
const kUnexplained: readonly [selector: string, reason: string][] = [
  ["svg", "drawn: the same numbers stand in the table beside the drawing, as text"],
  [".legend", "the drawing's own words; the table beside it has the same numbers, explained"],
  [".side, nav, header, footer, .report-tools", "what the user gives, and the frame"],
  [".input-list", "the user's own inputs, in the report"],
  [".made-with", "day and version of the report"],
  [".assumptions", "assumed inputs, each with its source in the same row"],
  [".facts, .catalog", "facts of the catalog, each with its source in the same row or on its own page"],
  [".pareto table, .chart-figure table", "marks of a chart: candidates that the search has weighed, not results"],
  [".span-row", "quantiles of the draws: the note above says of how many, the table beside has them"],
  ["dl.quantities .quantities, .quantities:has(> div > dd > span)", "sizes of a layout: choices of the search"],
  ["pre, code, kbd", "commands and files to copy"],
  [".told", "names of rules, which are numbers in their document"],
  ["#headline", "the sentence repeats the user's own rate"],
  ["summary", "how many rows wait folded"],
  [".lists, .scenarios, .table-tools", "how many rows there are, and dates"],
];

/** A number with at most a unit of a few words. */
const kNumeric = "^(?!\\d+th )[−-]?\\$?\\d[\\d,.]*(?:e[+-]?\\d+)?(?: ?(?:%|[a-zA-Zµ/²³·-]+(?: [a-zA-Z/-]+){0,3}))?$";

async function open(page: Page, screen: string): Promise<void> {
  await page.goto(`./#/${screen}`);
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(/The engine is working/);
  if (kPlanLike.includes(screen)) await expect(page.locator("button.figure").first()).toBeVisible();
  // The first explanation brings those of all numbers of the answer.
  const first = page.locator("main button.figure").first();
  if ((await first.count()) > 0) {
    await first.click();
    await expect(page.getByRole("dialog").getByText("Exact value")).toBeVisible();
    await page.keyboard.press("Escape");
  }
  await openFolds(page, "main :not(.side, .side *) > details");
}

/** Numbers that are no button and stand in no place of the list. */
const plainNumbers = (page: Page) =>
  page.evaluate(
    ([numeric, allowed]) => {
      const pattern = new RegExp(numeric);
      const walker = document.createTreeWalker(document.querySelector("main") as Node, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.parentElement;
        const text = (node.textContent ?? "").trim();
        if (at === null || !pattern.test(text)) continue;
        if (at.closest("button.figure") !== null || at.closest(allowed) !== null) continue;
        // The words in which a provider sells: a fact of the catalog, whose source is in the same list.
        if (at.closest("dd")?.previousElementSibling?.textContent === "Terms of the contract") continue;
        found.push(`${text} in ${at.closest("section, article")?.querySelector("h2")?.textContent ?? "?"}`);
      }
      return found;
    },
    [kNumeric, kUnexplained.map(([selector]) => selector).join(", ")] as const,
  );

interface Shown {
  place: string;
  value: string;
  unit: string;
  /** The row of a table that the number stands in, else empty. */
  row: string;
}
const shown = (page: Page): Promise<Shown[]> =>
  page.locator("main button.figure").evaluateAll((all) =>
    all
      // Rounded so that the parts of a bar add up.
      .filter((item) => item.closest(".memory table") === null)
      .map((item) => ({
        place: (item as HTMLElement).dataset.place ?? "",
        value: item.querySelector(".value")?.textContent ?? "",
        unit: (item.querySelector(".unit")?.textContent ?? "").trim(),
        row: item.closest("tr")?.textContent ?? "",
      })),
  );

function textsOf(all: readonly Shown[]): Map<string, Set<string>> {
  const texts = new Map<string, Set<string>>();
  for (const { place, value } of all) texts.set(place, (texts.get(place) ?? new Set()).add(value));
  return texts;
}

/** Units of one quantity that parts and total may be written in. */
const kScales: Record<string, number> = {
  ns: 1e-9,
  µs: 1e-6,
  ms: 1e-3,
  min: 60,
  h: 3600,
  days: 86_400,
};

/** The number that a text says, and how far it may be off for being rounded. */
function said(text: string, unit: string): { value: number; slack: number } {
  const match = /^(−?)(\$?)([\d,.]+)(?: (million|billion|trillion))?$/.exec(text.trim());
  if (match === null) return { value: Number.NaN, slack: 0 };
  const [, minus, dollar, written = "", word = ""] = match;
  const scale = (kScales[unit] ?? 1) * ({ million: 1e6, billion: 1e9, trillion: 1e12 }[word] ?? 1);
  const digits = written.replaceAll(",", "");
  const decimals = digits.split(".")[1]?.length ?? 0;
  // Three digits are said, but memory and cents have fixed decimals, and counts are in full.
  const isFull = decimals === 0 && digits.length > 3 && dollar === "";
  const third = 10 ** (Math.floor(Math.log10(Number(digits) || 1)) - 2);
  const step = isFull ? 1 : Math.max(third, decimals === 0 ? 0 : 10 ** -decimals);
  return { value: (minus === "" ? 1 : -1) * Number(digits) * scale, slack: (scale * step) / 2 };
}

/** Totals of an answer by the end of their place, and their parts: where they stand beside it, or what they end in. */
const kTotals: readonly [total: RegExp, parts: readonly string[] | RegExp][] = [
  [/annual_usd$/, ["annual_capital_usd", "annual_opex_usd"]],
  [/(?<=\/on_premises\/by_year\/\d+\/)total_usd$/, ["capital_usd", "opex_usd"]],
  [/(?<=\/cloud\/)total_usd$/, /^by_year\/\d+\/usd$/],
  [/(?<=\/step\/)time_s$/, /^(?!time_s)[a-z_]+(?<!_low|_high)_s$/],
  [/(?<=\/racks\/)total$/, ["compute", "other"]],
  [/(?<=\/racks\/)pdus$/, ["compute_pdus", "other_pdus"]],
  [/(?<=\/storage\/capacity\/)total_tb$/, ["dataset_tb", "checkpoints_tb"]],
];

/** Numbers of a design that lines of its bill say again, by the words of the line. */
const kBilled: readonly [place: RegExp, line: RegExp][] = [
  [/\/nodes$/, /compute/i],
  [/\/compute_fabric\/leaf\/total$/, /, leaf\s*compute/i],
  [/\/compute_fabric\/spine\/total$/, /, spine\s*compute/i],
];

interface Checked {
  place: string;
  wrong: string;
}

function isSum(place: string, total: Shown, parts: readonly Shown[]): Checked {
  const whole = said(total.value, total.unit);
  const numbers = parts.map(({ value, unit }) => said(value, unit));
  const sum = numbers.reduce((so, { value }) => so + value, 0);
  const slack = numbers.reduce((so, one) => so + one.slack, whole.slack);
  const words = parts.map(({ value, unit }) => `${value} ${unit}`).join(" + ");
  return { place, wrong: Math.abs(sum - whole.value) <= slack ? "" : `${words} is not ${total.value} ${total.unit}` };
}

/** Totals of which all parts are on show, and what is wrong with them. */
function totalsOf(all: readonly Shown[]): Checked[] {
  const texts = new Map(all.map((one) => [one.place, one]));
  return [...texts].flatMap(([place, total]) => {
    const [end, parts] = kTotals.find(([pattern]) => pattern.test(place)) ?? [];
    if (end === undefined || parts === undefined) return [];
    const base = place.replace(end, "");
    const found =
      parts instanceof RegExp
        ? [...texts.values()].filter((one) => one.place.startsWith(base) && parts.test(one.place.slice(base.length)))
        : parts.flatMap((part) => texts.get(base + part) ?? []);
    const isWhole = parts instanceof RegExp ? found.length > 1 : found.length === parts.length;
    return isWhole ? [isSum(place, total, found)] : [];
  });
}

/** Numbers of a design beside the lines of its bill of materials. */
function billsOf(all: readonly Shown[]): Checked[] {
  const lines = all.filter(({ place }) => /\/bill_of_materials\/lines\/\d+\/count$/.test(place));
  return kBilled.flatMap(([pattern, words]) => {
    const line = lines.find(({ row }) => words.test(row));
    const design = line?.place.replace(/\/bill_of_materials\/.*$/, "");
    const number = all.find(({ place }) => design !== undefined && place.startsWith(design) && pattern.test(place));
    return line === undefined || number === undefined ? [] : [isSum(number.place, number, [line])];
  });
}

/** How many totals, at least, must be on show with all their parts. */
const kFewestTotals: Record<string, number> = { money: 1, build: 1, cost: 6, training: 1, layouts: 1, architecture: 6 };

/** Tables of the parts of a bar: the last row is the sum. Decimals are equal, so tenths are counted. */
const wrongBars = (page: Page) =>
  page.locator(".memory table").evaluateAll((tables) =>
    tables.flatMap((table) => {
      const rows = [...table.querySelectorAll("td .value")].map((item) =>
        Math.round(10 * Number((item.textContent ?? "").replaceAll(",", ""))),
      );
      const total = rows.pop();
      return rows.length > 0 && rows.reduce((sum, part) => sum + part, 0) === total ? [] : [table.textContent ?? ""];
    }),
  );

for (const screen of [...kPlanLike, ...kExplained]) {
  test(`${screen || "plan"}: every number explains itself, adds up and is said in one way`, async ({ page }) => {
    test.setTimeout(300_000);
    await open(page, screen);
    expect(await plainNumbers(page)).toEqual([]);
    const all = await shown(page);
    expect(all.length).toBeGreaterThan(0);
    const several = [...textsOf(all)].filter(([, texts]) => texts.size > 1);
    expect(several.map(([place, texts]) => `${place}: ${[...texts].join(" and ")}`)).toEqual([]);
    const totals = [...totalsOf(all), ...billsOf(all)];
    expect(totals.length).toBeGreaterThanOrEqual(kFewestTotals[screen] ?? 0);
    expect(totals.filter(({ wrong }) => wrong !== "")).toEqual([]);
    expect(await wrongBars(page)).toEqual([]);
    expect(await unexplained(page)).toEqual([]);
  });
}

for (const screen of ["cost", "training"]) {
  test(`${screen}: equations are whole on a phone too`, async ({ page }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width: 360, height: 780 });
    await open(page, screen);
    expect(await unexplained(page)).toEqual([]);
  });
}

test("the plan's views and its report say the same of every number", async ({ page }) => {
  const all: Shown[] = [];
  for (const view of kPlanLike) {
    await open(page, view);
    all.push(...(await shown(page)));
  }
  const texts = textsOf(all);
  expect(all.length).toBeGreaterThan(texts.size + 20);
  expect([...texts].filter(([, several]) => several.size > 1)).toEqual([]);
});

/** The plan's view, the screen that it leads to, and numbers that both show: by their place in an estimate and in its answer. */
const kByHand: readonly [view: string, name: string, inPlan: string, places: readonly string[], inAnswer: string][] = [
  [
    "speed",
    "Serving",
    "/plans/0/estimates/0",
    ["/latency/ttft_s", "/latency/tpot_s_p95", "/throughput/output_tokens_per_s"],
    "",
  ],
  ["speed", "Deployments", "/plans/0", ["/gpu_count"], "/deployments/0"],
  [
    "money",
    "Cost",
    "/plans/0/cost",
    [
      "/on_premises/annual_usd",
      "/on_premises/capex_usd",
      "/on_premises/energy_usd_per_year",
      "/cloud/usd_per_gpu_hour",
    ],
    "",
  ],
  ["build", "Architecture", "/plans/0", ["/racks/total", "/power/it_kw", "/compute_fabric/leaf/total"], "/designs/0"],
];

for (const [view, name, inPlan, places, inAnswer] of kByHand)
  test(`${name}: what is tried by hand begins with the plan's numbers`, async ({ page }) => {
    await open(page, view);
    const plan = textsOf(await shown(page));
    await page.getByRole("button", { name, exact: true }).click();
    await expect(page.getByRole("heading", { name: "Your workload" })).toHaveCount(0);
    await expect(page.locator(`main button.figure[data-place^="${inAnswer}/"]`).first()).toBeAttached();
    await openFolds(page, "main :not(.side, .side *) > details");
    const byHand = textsOf(await shown(page));
    for (const place of places) {
      expect(plan.get(inPlan + place), place).toBeDefined();
      expect(byHand.get(inAnswer + place), place).toEqual(plan.get(inPlan + place));
    }
  });

/** Of the random plans of crawl.test.tsx: services, runs, two workloads, and some without a plan. */
const kRandom = [0, 2, 7, 10, 16, 39, 64, 119, 152, 221];

/** The numbers of one view of a state, without those of other plans in its folds. */
async function readIn(page: Page, view: string, state: string): Promise<Read[]> {
  await page.goto(`./#/${view}${state}`);
  await expect(page.locator("main .opening")).toHaveCount(0);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  if (view === "") await expect(page.locator(".pareto .waiting")).toHaveCount(0);
  await openFolds(page, "main .rest details:not(.fold)");
  const html = await page.locator("main").evaluate((main) => main.innerHTML);
  return shownOn(view, html).filter(({ place }) => place.startsWith("/plans/"));
}

for (const seed of kRandom) {
  test(`random plan ${seed} says one number for one quantity in all areas`, async ({ page }) => {
    test.setTimeout(180_000);
    const [models, gpus] = await Promise.all([
      listOf<Known["models"][number]>("models"),
      listOf<Known["gpus"][number]>("gpus"),
    ]);
    const request = randomPlan(seed, { models, gpus });
    const hash = await encodeLink(example as JsonObject, { request, plan: 0 }, "/");
    const state = hash.slice(hash.indexOf("?"));
    const all: Read[] = [];
    for (const view of kPlanLike) all.push(...(await readIn(page, view, view === "report" ? "" : state)));
    expect(placesOfTwoTexts(all)).toEqual([]);
    expect(labelsOfTwoNumbers(all)).toEqual([]);
    expect(unnamedStatistics(all)).toEqual([]);
    if (all.length === 0) {
      await page.goto(`./#/${state}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("No plan meets these targets");
      await expect(page.locator(".rejected li").first()).toBeVisible();
      return;
    }
    expect(all.length).toBeGreaterThan(60);
    expect(new Set(all.map(({ screen }) => screen)).size).toBeGreaterThan(3);
    // Kept for comparing, it says the same again.
    await page.goto("./#/compare");
    await page.getByRole("button", { name: "Save", exact: true }).first().click();
    await expect(page.locator(".compare table button.figure").first()).toBeVisible();
    const columns = shownOn("compare", await page.locator("main").evaluate((main) => main.innerHTML));
    // The others are plans of their own.
    const compared = columns.filter(({ label }) => label === columns[0]?.label);
    expect(compared.length).toBeGreaterThan(3);
    expect(placesOfTwoTexts([...all, ...compared])).toEqual([]);
    expect(unnamedStatistics(compared)).toEqual([]);
  });
}

/** On these screens the engine explains nothing, or the numbers are facts with a source. */
for (const screen of kPlain) {
  test(`${screen}: no number looks as if it could be explained and cannot`, async ({ page }) => {
    await open(page, screen);
    expect(await page.locator("main button.figure").count()).toBe(0);
  });
}
