/** Walks over every screen with everything open: each number explains itself, totals are their parts, one number has one text. */
import { expect, type Page, test } from "../../web/playwright.ts";

const kPlanLike = ["", "report"];
const kExplained = [
  "serving",
  "training",
  "deployments",
  "layouts",
  "architecture",
  "fabric",
  "cost",
  "claims",
  "rules",
];
const kPlain = ["mig", "statements", "data", "data/gpus/h100-sxm5-80gb", "data/models", "compare", "about"];

/** Numbers that open no explanation, and why. */
const kUnexplained: readonly [selector: string, reason: string][] = [
  ["svg", "drawn: the same numbers stand in the table beside the drawing, as text"],
  [".legend", "the drawing's own words; the table beside it has the same numbers, explained"],
  [".side, nav, header, footer, .report-tools", "what the user gives, and the frame"],
  [".input-list", "the user's own inputs, in the report"],
  [".assumptions", "assumed inputs, each with its source in the same row"],
  [".facts, .catalog", "facts of the catalog, each with its source in the same row or on its own page"],
  [".pareto table, .chart-figure table", "marks of a chart: candidates that the search has weighed, not results"],
  [".span-row", "quantiles of the draws: the note above says of how many, the table beside has them"],
  ["dl.quantities .quantities, .quantities:has(> div > dd > span)", "sizes of a layout: choices of the search"],
  ["pre, code, kbd", "commands and files to copy"],
  [
    ".told",
    "counts of dropped candidates, limits that the user gave, names of rules: the engine sends no trace of them",
  ],
  ["#headline", "the sentence repeats the user's own rate"],
  ["summary", "how many rows wait folded"],
  [".lists, .scenarios, .table-tools", "how many rows there are, and dates"],
];

/** A number with at most a unit of a few words. */
const kNumeric = "^(?!\\d+th )[−-]?\\$?\\d[\\d,.]*(?:e[+-]?\\d+)?(?: ?(?:%|[a-zA-Zµ/²³·-]+(?: [a-zA-Z/-]+){0,3}))?$";

async function open(page: Page, screen: string): Promise<void> {
  await page.goto(`./#/${screen}`);
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(/The engine is at work/);
  if (kPlanLike.includes(screen)) await expect(page.locator("button.figure").first()).toBeVisible();
  // The first explanation brings those of all numbers of the answer.
  const first = page.locator("main button.figure").first();
  if ((await first.count()) > 0) {
    await first.click();
    await expect(page.getByRole("dialog").getByText("Exact value")).toBeVisible();
    await page.keyboard.press("Escape");
  }
  // What one fold holds may bring more of them.
  for (let depth = 0; depth < 6; depth += 1) {
    const opened = await page.evaluate(() => {
      const closed = [
        ...document.querySelectorAll<HTMLDetailsElement>("main :not(.side) > details:not([open])"),
      ].filter((fold) => fold.closest(".side") === null);
      for (const fold of closed) fold.open = true;
      return closed.length;
    });
    if (opened === 0) break;
    await page.waitForTimeout(250);
  }
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
        found.push(`${text} in ${at.closest("section, article")?.querySelector("h2")?.textContent ?? "?"}`);
      }
      return found;
    },
    [kNumeric, kUnexplained.map(([selector]) => selector).join(", ")] as const,
  );

/** Places whose explanation names no source and no input. */
const unexplained = (page: Page) =>
  page.evaluate(async () => {
    const drawn = () => new Promise((resolve) => setTimeout(resolve));
    const without: string[] = [];
    const seen = new Set<string>();
    for (const item of document.querySelectorAll<HTMLElement>("main button.figure")) {
      const place = item.dataset.place ?? "";
      if (seen.has(place)) continue;
      seen.add(place);
      item.click();
      for (let i = 0; i < 50 && item.getAttribute("aria-expanded") !== "true"; i += 1) await drawn();
      await drawn();
      if (!/: \S|Your input/.test(document.querySelector("dialog .source")?.textContent ?? "")) without.push(place);
    }
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    return without;
  });

interface Shown {
  place: string;
  value: string;
}
const shown = (page: Page): Promise<Shown[]> =>
  page.locator("main button.figure").evaluateAll((all) =>
    all
      // Rounded so that the parts of a bar add up.
      .filter((item) => item.closest(".memory table") === null)
      .map((item) => ({
        place: (item as HTMLElement).dataset.place ?? "",
        value: item.querySelector(".value")?.textContent ?? "",
      })),
  );

function textsOf(all: readonly Shown[]): Map<string, Set<string>> {
  const texts = new Map<string, Set<string>>();
  for (const { place, value } of all) texts.set(place, (texts.get(place) ?? new Set()).add(value));
  return texts;
}

/** The number that a text says, and how far it may be off for being rounded. */
function said(text: string): { value: number; slack: number } {
  const match = /^(−?)\$?([\d,.]+)(?: (million|billion))?$/.exec(text.trim());
  if (match === null) return { value: Number.NaN, slack: 0 };
  const scale = match[3] === "billion" ? 1e9 : match[3] === "million" ? 1e6 : 1;
  const digits = (match[2] ?? "").replaceAll(",", "");
  const decimals = digits.split(".")[1]?.length ?? 0;
  return { value: (match[1] === "" ? 1 : -1) * Number(digits) * scale, slack: (scale * 10 ** -decimals) / 2 };
}

/** Totals of an answer by the end of their place, and their parts beside them. */
const kTotals: Record<string, readonly string[]> = {
  annual_usd: ["annual_capital_usd", "annual_opex_usd"],
  "racks/total": ["racks/compute", "racks/other"],
};

/** Totals of which all parts are on show, and what is wrong with them. */
function totalsOf(all: readonly Shown[]): { place: string; wrong: string }[] {
  const texts = new Map(all.map(({ place, value }) => [place, value]));
  return [...texts].flatMap(([place, total]) => {
    const end = Object.keys(kTotals).find((key) => place.endsWith(`/${key}`));
    if (end === undefined) return [];
    const parts = (kTotals[end] ?? []).map((part) => texts.get(place.slice(0, -end.length) + part));
    if (parts.some((part) => part === undefined)) return [];
    const numbers = parts.map((part) => said(part ?? ""));
    const sum = numbers.reduce((so, { value }) => so + value, 0);
    const slack = numbers.reduce((so, one) => so + one.slack, said(total).slack);
    const wrong = Math.abs(sum - said(total).value) <= slack ? "" : `${parts.join(" + ")} is not ${total}`;
    return [{ place, wrong }];
  });
}

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
    const totals = totalsOf(all);
    expect(totals.length).toBeGreaterThanOrEqual(["", "cost", "architecture"].includes(screen) ? 1 : 0);
    expect(totals.filter(({ wrong }) => wrong !== "")).toEqual([]);
    expect(await wrongBars(page)).toEqual([]);
    expect(await unexplained(page)).toEqual([]);
  });
}

test("the plan and its report say the same of every number", async ({ page }) => {
  await open(page, "");
  const plan = textsOf(await shown(page));
  await open(page, "report");
  const both = (await shown(page)).filter(({ place }) => plan.has(place));
  expect(both.length).toBeGreaterThan(10);
  expect(both.filter(({ place, value }) => !plan.get(place)?.has(value))).toEqual([]);
});

/** On these screens the engine explains nothing, or the numbers are facts with a source. */
for (const screen of kPlain) {
  test(`${screen}: no number looks as if it could be explained and cannot`, async ({ page }) => {
    await open(page, screen);
    expect(await page.locator("main button.figure").count()).toBe(0);
  });
}
