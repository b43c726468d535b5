/** Every screen with the real engine: it answers, nothing is wrong on the console, it is accessible, and it fits its window. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "../../web/playwright.ts";
import { kScreens as allScreens } from "../../web/src/route.ts";
import { textOfPdf } from "./pdf_text.ts";
import { headline, isSound, isSoundEverywhere, test } from "./quiet_page.ts";

/** The config.json of a model, as people download it. */
const kConfig = JSON.stringify(
  JSON.parse(readFileSync(join(__dirname, "../../examples/config_json_model.json"), "utf8")).model,
  null,
  2,
);

/** What stands in the first heading once the engine has answered. */
const kScreens: Record<string, RegExp> = {
  speed: /serve 50 requests per second/,
  money: /serve 50 requests per second/,
  build: /serve 50 requests per second/,
  run: /serve 50 requests per second/,
  risk: /serve 50 requests per second/,
  serving: /generate .+ tokens\/s with/,
  training: /A training step of .+ takes/,
  deployments: /serve .+ up to/,
  layouts: /The best layout of/,
  architecture: /Enterprise RA/,
  fabric: /leaf and .+ spine switches/,
  mig: /hold every model/,
  cost: /years at/,
  claims: /impossible|possible/,
  statements: /Statements from study material/,
  rules: /Quick formulas/,
  data: /GPUs/,
  host: /Machines/,
  compare: /Compare/,
  report: /serve 50 requests per second/,
  about: /About/,
};

test("every screen is in the list, or has tests of its own", () => {
  const own = ["plan", "study"];
  expect([...Object.keys(kScreens), ...own].sort()).toEqual([...allScreens].sort());
});

test("every screen works under the policy as a header, which binds the workers too", async ({ page }) => {
  test.setTimeout(120_000);
  for (const [screen, heading] of [["", /serve 50 requests/] as const, ...Object.entries(kScreens)]) {
    await page.goto(`/strict/#/${screen}`);
    await expect(headline(page)).toHaveText(heading);
    await expect(page.locator(".deferred.pending, .waiting, [aria-busy=true]")).toHaveCount(0);
  }
});

for (const [screen, heading] of Object.entries(kScreens)) {
  test(`${screen}: answers, is accessible on a desktop and on a dark phone`, async ({ page }) => {
    await page.goto(`./#/${screen}`);
    await expect(headline(page)).toHaveText(heading);
    await isSoundEverywhere(page);
  });
}

test("an edit is answered, undone by a key's command, and travels in the link", async ({ page, context }) => {
  await page.goto("./#/serving");
  const count = page.locator("#in-input_tokens");
  await expect(headline(page)).toHaveText(/tokens\/s/);
  const before = await headline(page).textContent();
  const address = page.url();
  await count.fill("4096");
  await expect(headline(page)).not.toHaveText(before ?? "");
  await expect.poll(() => page.url()).not.toBe(address);
  expect(page.url()).toContain("#/serving?s=1.");
  const after = await headline(page).textContent();

  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.locator("#in-input_tokens")).toHaveValue("4096");
  await expect(headline(other)).toHaveText(after ?? "");
  await other.close();

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(count).toHaveValue("2048");
  await expect(headline(page)).toHaveText(before ?? "");
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(count).toHaveValue("4096");
});

test("what does not fit leads to what does, by a button", async ({ page }) => {
  await page.goto("./#/serving");
  await page.getByRole("button", { name: "Too large to fit" }).click();
  await expect(headline(page)).toHaveText("This request cannot be met");
  await page
    .getByRole("button", { name: /^Apply: / })
    .first()
    .click();
  await expect(headline(page)).toHaveText(/serve \d+ of \d+ requests of .+ at once/);
});

test("where only some are served at once, a button asks for the fewest replicas that serve all", async ({ page }) => {
  await page.goto("./#/serving");
  await page.getByRole("button", { name: "70 B on four GPUs" }).click();
  await expect(headline(page)).toHaveText(/^4 × /);
  await page.locator("#in-load-concurrency").fill("2000");
  await expect(headline(page)).toHaveText(/serve \d+ of 2000 requests of .+ at once/);
  const more = page.getByRole("button", { name: /^Replicas 1 → \d+$/ });
  const replicas = Number(((await more.textContent()) ?? "").split("→")[1]);
  await more.click();
  await expect(headline(page)).toHaveText(new RegExp(`^${4 * replicas} × .+ generate`));
  await expect(page.locator('button.figure[data-place="/admitted_concurrency"]').first()).toHaveText("2,000");
  await isSound(page);
  // One fewer does not.
  await page.locator("#in-parallelism-data").fill(String(replicas - 1));
  await page.locator("#in-gpu_count").fill(String(4 * (replicas - 1)));
  await expect(headline(page)).toHaveText(/serve [\d,]+ of 2000 requests of .+ at once/);
  await page.getByRole("button", { name: "Undo" }).click();
});

test("a screen that cannot begin with the plan says that its example is none of it", async ({ page }) => {
  for (const [screen, said] of [
    ["fabric", "Enter the number of nodes"],
    ["mig", "Enter the models"],
    ["training", "nothing in the plan shown can be tried here"],
  ] as const) {
    await page.goto(`./#/${screen}`);
    await expect(page.locator(".foreign")).toContainText(said);
  }
  await page.goto("./#/cost");
  await expect(page.locator(".about-screen")).toContainText("This started from the numbers of the plan shown");
  await page.locator("#in-horizon_years").fill("7");
  await expect(headline(page)).toContainText("Over 7 years");
  await expect(page.locator(".about-screen")).not.toContainText("This started from");
  await expect(page.locator(".foreign")).toHaveCount(0);
});

test("the fan of what is paid: bands never cross, and a year is spoken with five numbers", async ({ page }) => {
  await page.goto("./#/cost");
  await page.locator(".examples button").first().click();
  const fan = page.locator("figure.fan");
  await expect(fan.getByRole("heading")).toHaveText(
    /by the end of year 5, before resale: Owned \$[\d,]+, Rented \$[\d,]+/,
  );
  const year = fan.getByRole("slider");
  await expect(year).toHaveAttribute(
    "aria-valuetext",
    /year 5\. Owned: .* in 5 % of the draws, .* in 95 %\. Rented: .* in 95 %\./,
  );
  const before = await fan.locator(".fan-said").textContent();
  await year.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(year).toHaveAttribute("aria-valuetext", /year 4\./);
  await expect(fan.locator(".fan-said")).not.toHaveText(before ?? "");
  await page.keyboard.press("Home");
  await expect(year).toHaveAttribute("aria-valuetext", /year 0\..*\$0\.00 in 95 %\./);
  await page.keyboard.press("End");

  await fan.getByText("The same as a table").click();
  const rows = await fan
    .locator("tbody tr")
    .evaluateAll((all) =>
      all.map((row) =>
        [...row.querySelectorAll("button.figure")].map((cell) => Number((cell.textContent ?? "").replace(/[$,]/g, ""))),
      ),
    );
  expect(rows).toHaveLength(12);
  for (const row of rows) {
    expect(row).toHaveLength(5);
    expect(row).toEqual([...row].sort((a, b) => a - b));
  }
  await fan.locator("tbody button.figure").nth(7).click();
  await expect(page.getByRole("dialog").getByText("Exact value")).toBeVisible();
  await page.keyboard.press("Escape");
  await isSound(page);
});

test("the report of a plan is in the plan's area, and the way back leads to that plan", async ({ page }) => {
  await page.goto("./");
  await expect(page.locator(".pareto svg.chart")).toBeVisible();
  await page.locator("#rate").fill("80");
  await expect(headline(page)).toContainText("serve 80 requests per second");
  await expect(page).toHaveURL(/\?/);
  await page.locator("nav.screens").getByRole("link", { name: "Money", exact: true }).click();
  await page.locator("nav.screens").getByRole("link", { name: "Report", exact: true }).click();
  await expect(page.locator(".report .appendix")).toBeVisible();
  const marked = page.locator('nav [aria-current="page"]');
  await expect(marked).toHaveText(["Plan", "Report"]);
  await expect(headline(page)).toContainText("serve 80 requests per second");
  await page.goBack();
  await expect(marked).toHaveText(["Plan", "Money"]);
  await page.goForward();
  await expect(marked).toHaveText(["Plan", "Report"]);
  await page.locator("nav.screens").getByRole("link", { name: "Answer", exact: true }).click();
  await expect(headline(page)).toContainText("serve 80 requests per second");
});

test("a report keeps its plan when it is loaded again", async ({ page }) => {
  await page.goto("./");
  await expect(page.locator(".pareto svg.chart")).toBeVisible();
  await page.locator("#rate").fill("120");
  await expect(headline(page)).toContainText("120 requests per second");
  await expect.poll(() => page.url()).toContain("s=1.");
  await page.locator(".screens").getByRole("link", { name: "Report", exact: true }).click();
  await expect(page.locator(".report .appendix")).toBeVisible();
  await expect(headline(page)).toContainText("120 requests per second");
  await page.reload();
  await expect(headline(page)).toContainText("120 requests per second");
});

test("quotes: a table is read or refused by line, each is shown next to its list price, and travels", async ({
  page,
  context,
}) => {
  await page.goto("./");
  const part = page.locator(".all-inputs").filter({ hasText: "Your quotes" });
  await part.locator("summary").first().click();
  const file = page.getByLabel("Add quotes from a table (CSV)");
  const give = (text: string) =>
    file.setInputFiles({ name: "quotes.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await give("type,price\nrent,two\nlease,3\n");
  await expect(part.getByRole("alert")).toContainText(/Line 2: The price "two".*Line 3: The type "lease"/s);

  await give(readFileSync(join(__dirname, "../../examples/quotes.csv"), "utf8"));
  await expect(part).toContainText(
    "Quotes added from quotes.csv: 3. Also set: Network, price per GPU; Support, share of the servers.",
  );
  const view = (name: string) => page.locator(".screens").getByRole("link", { name, exact: true }).click();
  const prices = page.getByRole("table").filter({ hasText: "Q-2210" });
  await view("Money");
  await expect(prices.getByRole("row", { name: /S-31 vendor-c/ })).toContainText("it is for H200");
  await view("Answer");
  await page
    .getByRole("button", { name: /^Show .*H200/ })
    .first()
    .click();
  await view("Money");
  await expect(prices.getByRole("row", { name: /S-31 vendor-c/ })).toContainText(/\$262,000 per server.*typical.*Used/);
  await isSound(page);

  // What only the other type has is left over, and may be removed.
  await part.getByText("S-31").click();
  await part.locator("#in-quotes-2-type").selectOption("rent");
  // A country has its name here too, and its help no other currency than the field.
  await part
    .getByText(/^More inputs/)
    .last()
    .click();
  const country = part.locator("#in-quotes-2-country");
  await country.fill("France");
  await country.blur();
  await expect(country).toHaveValue("France");
  await expect(part.locator("#in-quotes-2-country-fault")).toBeEmpty();
  await expect(part.locator("#in-quotes-2-usd_per_gpu_hour-help")).not.toContainText("USD");
  await country.fill("");
  await expect(part.locator(".mends button")).toHaveCount(2);
  await part.locator("#in-quotes-2-type").selectOption("server");

  // The same table again: names that stand twice are the engine's complaint, at the field.
  await give(readFileSync(join(__dirname, "../../examples/quotes.csv"), "utf8"));
  await expect(part.locator("#in-quotes-3-name-fault")).toContainText("is the name of /quotes/0 too");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(part.locator(".item-field")).toHaveCount(3);

  await part.getByText("Q-2210").click();
  await part.getByRole("button", { name: "Remove this one" }).first().click();
  await expect(prices).toHaveCount(0);
  const other = await context.newPage();
  // The address follows once the edits have settled.
  await expect(async () => {
    await other.goto(page.url());
    await expect(other.getByText("Your quotes (2)")).toBeVisible({ timeout: 3000 });
  }).toPass();
});

/** A file as a drag carries it. */
const droppedFile = (page: Page, name: string, text: string) =>
  page.evaluateHandle(
    ([called, inside]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([inside], called));
      return transfer;
    },
    [name, text] as const,
  );

test("a model comes in as a dropped config.json or as pasted text", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("./#/serving");
  await expect(headline(page)).toHaveText(/tokens\/s/);
  await page.getByText("Another model: paste its config.json").click();
  const box = page.getByRole("textbox", { name: "Description as JSON" });
  const drop = async (name: string, text: string) =>
    box.dispatchEvent("drop", { dataTransfer: await droppedFile(page, name, text) });
  await drop("notes.txt", "no json");
  await expect(page.getByRole("alert")).toContainText("This is not JSON yet");
  await drop("list.json", "[1]");
  await expect(page.getByRole("alert")).toContainText("not an object");
  await drop("config.json", kConfig);
  await expect(page.getByText("Described in the request itself")).toBeVisible();
  await expect(box).toHaveValue(/Qwen3ForCausalLM/);
  await expect.poll(() => page.url()).toContain("#/serving?s=1.");
  const dropped = await headline(page).textContent();

  // The same text from the clipboard gives the same answer.
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Described in the request itself")).toHaveCount(0);
  await page.evaluate((text) => navigator.clipboard.writeText(text), kConfig);
  if (!(await box.isVisible())) await page.getByText("Another model: paste its config.json").click();
  await box.fill("");
  await box.press("Control+V");
  await expect(page.getByText("Described in the request itself")).toBeVisible();
  await expect(headline(page)).toHaveText(dropped ?? "");
  await isSound(page);
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
  await expect(page.locator(".changed thead th")).toHaveText(["Input", "fifty", "hundred and twenty"]);
  await expect(page.locator(".changed tbody tr")).toHaveText("Peak requests/s50 requests/s120 requests/s");
  await expect(page.locator(".results thead th")).toHaveText(["Number", "fifty", "hundred and twenty"]);
  const cost = page.locator(".results tbody tr", { has: page.getByRole("rowheader", { name: "Cost per year" }) });
  await expect(cost.locator(".compared > button.figure")).toHaveCount(2);
  await expect(cost.locator(".difference")).toHaveText([/^\+\$[\d,.]+( million)? \(\+[\d.]+ %\)$/]);
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
  await expect(page.locator("#tokens")).toHaveValue("1T");
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
  await expect(page.locator(".facts tbody tr", { hasText: "Memory bandwidth" })).toContainText("[1]");
  await expect(page.locator(".numbered a").first()).toHaveAttribute("href", /^https:/);
  await isSound(page);
});

test("prices of the library are narrowed by GPU, country and kind, and a GPU has its rents by country", async ({
  page,
}) => {
  const choice = (name: string) => page.getByRole("combobox", { name, exact: true });
  await page.goto("./#/data/gpus/h100-sxm5-80gb");
  const countries = page.locator("table", { has: page.getByRole("columnheader", { name: "Newest price" }) });
  await expect(countries.locator("tbody tr", { hasText: "Germany" })).toContainText(/\$[\d.]+/);
  await page.getByRole("link", { name: /^All \d+ offers of H100 SXM5 80GB$/ }).click();
  await expect(choice("GPU")).toHaveValue("h100-sxm5-80gb");
  await choice("Country").selectOption("Germany");
  const rows = page.locator(".catalog tbody tr");
  for (const row of await rows.all()) await expect(row).toContainText(/H100 SXM5 80GB.*Germany.*\d+ days/);
  await choice("GPU").selectOption("");
  await choice("Country").selectOption("United States");
  await choice("Kind of provider").selectOption("Neocloud");
  await expect(rows.first()).toContainText("Neocloud");
  await page.getByRole("button", { name: "On demand, per GPU-hour" }).click();
  await expect(page.locator('th[aria-sort="descending"]')).toHaveCount(1);
  await isSoundEverywhere(page);

  await page.goto("./#/data/models/deepseek-v4-pro");
  await expect(page.locator(".facts tr", { hasText: "Total parameters" })).toContainText("1.6 trillion, as published");
  await expect(page.locator(".facts tr", { hasText: "Kind of model" })).toContainText("mixture of experts");
});

test("old prices are marked by the day of the request, wherever they are shown", async ({ page }) => {
  const policy = { as_of: "2027-06-01", most_age_days: 400 };
  const changes = Buffer.from(JSON.stringify([["/economics/price_policy", policy]])).toString("base64url");
  await page.goto(`./#/?s=1.0${changes}`);
  await expect(page.locator(".answer .badge.old")).toHaveText(/^\d{3} days old$/);
  await page.goto(`./#/money?s=1.0${changes}`);
  await expect(page.locator(".rest .badge.old").first()).toHaveText(/^\d{3} days old$/);
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

async function markdownOf(page: Page): Promise<string> {
  const [kept] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save as Markdown" }).click(),
  ]);
  return readFileSync(await kept.path(), "utf8");
}

test("the report as Markdown is the report of the page", async ({ page }) => {
  await page.goto("./#/report");
  await expect(page.locator(".report .fan")).toBeVisible();
  await page.getByLabel("Title of the report").fill("GPUs for chat");
  await page.getByLabel("Decision asked for").fill("Buy 16 GPUs.\nBy the end of March.");
  // Another page and back: what was written stays.
  await page.goto("./#/money");
  await page.goto("./#/report");
  await expect(page.locator(".report .fan")).toBeVisible();
  const text = await markdownOf(page);
  expect(text).toMatch(/^# GPUs for chat\n/);
  expect(text).toContain("## Decision asked for\n\nBuy 16 GPUs.\n\nBy the end of March.\n");
  const plain = (said: string) => said.replaceAll(/\s+/g, " ").trim();
  const headings = await page.locator(".report :is(h2, h3)").allTextContents();
  expect(headings).toEqual(
    expect.arrayContaining(["What the recommended way costs", "What would change the decision"]),
  );
  for (const heading of headings) expect(text).toContain(`# ${plain(heading)}\n`);
  for (const said of await page.locator(".report :is(.figure, .texts li, .decision)").allTextContents())
    expect(text).toContain(plain(said).replaceAll("|", "\\|"));
  expect(text).not.toContain("undefined");
});

test("a report says what a year costs in parts, and by how much the alternatives differ", async ({ page }) => {
  await page.goto("./#/report");
  await expect(page.locator(".report .plans")).toBeVisible();
  const parts = page.locator(".card", { hasText: "What the recommended way costs" });
  await expect(parts.locator("dt", { hasText: /^Electricity$/ })).toBeVisible();
  await expect(parts.locator("dt", { hasText: /^Residual value of the servers at the end$/ })).toBeVisible();
  const rows = page.locator(".card", { hasText: "Alternatives and how they differ" }).locator("tbody tr");
  await expect(rows.filter({ hasText: "Owned, with site and staff" })).toContainText(/\+\$\d+,000 \(\+[\d.]+ %\)/);
  await expect(page.locator(".report .fan .note").first()).toContainText("not subtracted: $");
});

test("folds of a report are open on paper, also those that were closed", async ({ page }) => {
  await page.goto("./#/report");
  await expect(page.locator(".report .fan")).toBeVisible();
  await page.locator(".report details").evaluateAll((folds) => {
    for (const fold of folds as HTMLDetailsElement[]) fold.open = false;
  });
  const text = textOfPdf(await page.pdf({ format: "A4" }));
  for (const said of ["Memoryinuse", "takingthemachinesdown", "p95"]) expect(text).toContain(said);
});

test("ages of prices in a report count to its day", async ({ page }) => {
  await page.clock.setFixedTime(new Date("2027-10-10T12:00:00Z"));
  await page.goto("./#/report");
  const prices = page.getByRole("table").filter({ hasText: "Price as of" });
  await expect(prices.locator("tbody tr").first()).toContainText(/2026-10-10, 365 days old/);
  await expect(page.getByText("Ages are counted to 2027-10-10.")).toBeVisible();
  // A server of one's own machine is no address for others.
  await expect(page.locator(".made-with")).not.toContainText("127.0.0.1");
});

test("an error in the form is at the top of the report, and no trace of editing is in it", async ({ page }) => {
  await page.goto("./");
  await expect(page.locator(".pareto svg.chart")).toBeVisible();
  await page.locator("#rate").fill("80");
  await expect(page.locator(".was").first()).toBeVisible();
  await page.locator("#country").fill("Europe");
  await page.getByLabel("Data must stay in the country").check();
  await page.locator(".screens").getByRole("link", { name: "Report", exact: true }).click();
  for (const media of ["screen", "print"] as const) {
    await page.emulateMedia({ media });
    await expect(page.locator(".report").getByRole("alert")).toContainText(/Country or region.*must stay in a country/);
    await expect(page.locator(".report :is(.was, .ways):visible")).toHaveCount(0);
  }
  await page.emulateMedia({ media: "screen" });
  expect(await markdownOf(page)).not.toMatch(/Apply:|\bwas \$/);
});

test("the report prints whole", async ({ page }) => {
  await page.goto("./#/report");
  await expect(headline(page)).toHaveText(/serve 50 requests/);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".report-tools")).toBeHidden();
  await expect(page.locator(".screens")).toBeHidden();
  await expect(page.locator(".report-title")).toHaveText("GPU plan for Llama-3.1-70B");
  await expect(page.locator(".report .made-with")).toContainText(/^\d{4}-\d\d-\d\d, Podwright/);
  await expect(page.getByText("Select a number to see where it comes from")).toBeHidden();
  await expect(page.getByText("Example: chat service")).toBeHidden();
  const prices = page.getByRole("table").filter({ hasText: "Price as of" });
  await expect(prices.locator("tbody tr").first()).toContainText(/20\d\d-\d\d-\d\d/);
  await expect(page.getByRole("heading", { name: "Bill of materials" })).toBeVisible();
});
