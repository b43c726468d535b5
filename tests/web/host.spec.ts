/** The host screen with the real engine: the operator's journey by keyboard alone, faults that keep what was given, kept hosts. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, type Page } from "../../web/playwright.ts";
import { kBench } from "../../web/scripts/pictures.ts";
import { headline, isSound, isSoundEverywhere, openFolds, testAtHome as test } from "./quiet_page.ts";

const root = resolve(__dirname, "../..");
const cli = resolve(process.env.PODWRIGHT_CLI ?? join(root, "build/native/podwright"));
const kSample = readFileSync(join(root, "web/src/host/sample_profile.json"), "utf8");

/** Files as a drag carries them. */
async function dropped(page: Page, files: readonly { name: string; text: string }[]) {
  return page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const { name, text } of all) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
}

/** Presses Tab, or Shift and Tab, until what has the focus has this name. */
async function tabTo(page: Page, name: RegExp, key = "Tab"): Promise<void> {
  for (let i = 0; i < 120; i += 1) {
    await page.keyboard.press(key);
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const label = element?.id === undefined ? null : document.querySelector(`label[for="${element.id}"]`);
      const text = element instanceof HTMLTextAreaElement ? "" : element?.textContent;
      return `${element?.getAttribute("aria-label") ?? ""} ${label?.textContent ?? ""} ${text ?? ""} ${element?.closest("label")?.textContent ?? ""}`;
    });
    if (name.test(focused)) return;
  }
  throw new Error(`the Tab key does not reach ${name}`);
}

/** Pastes the text into its box, which waits folded once something was read, and reads it, with keys alone. */
async function readOther(page: Page, text: string, key = "Tab"): Promise<void> {
  await tabTo(page, /^ *Read other files/, key);
  await page.keyboard.press("Enter");
  await tabTo(page, /paste the text/);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+V");
  await tabTo(page, /Read this text/);
  await page.keyboard.press("Enter");
}

async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+K");
  await expect(page.getByRole("combobox", { name: /commands|命令/ })).toBeFocused();
  await page.keyboard.insertText(words);
  await page.keyboard.press("Enter");
}

async function openSample(page: Page): Promise<void> {
  await page.goto("./#/host/sample");
  await expect(page.getByText("Made-up sample")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Use in plans" })).toBeVisible({ timeout: 40_000 });
}

test("the operator's journey, by keyboard alone", async ({ page, context }, info) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("./");
  await expect(headline(page)).toContainText("serve 50 requests per second");
  const unmeasured = await headline(page).textContent();

  // To the host screen by its command.
  await expect(page.locator(".pareto svg.chart")).toBeVisible();
  await command(page, "host");
  await expect(headline(page)).toHaveText("Machines");

  // It shows a sample. A measurement of an engine in its place: its figures, and no name of the machine.
  await readOther(page, kBench);
  await expect(page.getByText("host names: 1")).toBeVisible();
  const shown = (await page.locator("main").textContent()) ?? "";
  expect(shown).toContain("1,280 tokens/s");
  expect(shown.replace(/paste.*?Read/s, "")).not.toContain("rack-7-node-3");
  await tabTo(page, /Compare with an estimate/);
  await page.keyboard.press("Enter");
  // Only its file knows this model.
  await expect(page.getByRole("columnheader", { name: /Estimate for 4 × H100 .* with Llama-3.1-70B/ })).toBeVisible();
  await expect(page.getByText("What the file does not say is taken from the Serving screen")).toBeVisible();

  // A profile: the check warns of throttling.
  await readOther(page, kSample, "Shift+Tab");
  await expect(page.getByText(/hardware slowdown due to heat in 62 % of the samples/).first()).toBeVisible({
    timeout: 40_000,
  });
  await expect(page.locator(".light.watch").first()).toContainText(/GPU \d+ needs a look/);
  await expect(page.getByRole("cell", { name: /989/ }).first()).toBeVisible();

  // Its rates go into the plan. No machine of this GPU is a reference yet, so the plan stays as it is, and the page says so.
  const before = page.locator(".before-after dd");
  await expect(before).toHaveCount(2, { timeout: 40_000 });
  const [without, measured] = await before.allTextContents();
  expect(without).toBe(measured);
  await expect(page.getByText(/No reference profile of this GPU yet: verdicts only/).first()).toBeVisible();
  await expect(page.getByText(/Rates that plans use: 1 of 7\./)).toBeVisible();
  await tabTo(page, /Use in the plan/);
  await page.keyboard.press("Space");
  await expect(page.getByRole("checkbox", { name: "Use in the plan" })).toBeChecked();

  // The calibration as a file, and the command line with it.
  const downloading = page.waitForEvent("download");
  await tabTo(page, /Save the calibration as a file/, "Shift+Tab");
  await page.keyboard.press("Enter");
  const calibration = info.outputPath("calibration.json");
  await (await downloading).saveAs(calibration);
  await tabTo(page, /Open the plan/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#\/\?s=1\./);
  await expect(headline(page)).toContainText("requests per second");
  await expect(page.getByRole("link", { name: "With a measured machine" })).toBeVisible();
  if (existsSync(cli)) {
    const request = join(root, "examples/chat_70b.json");
    const text = execFileSync(cli, ["plan", request, "--calibration", calibration, "--json"], {
      encoding: "utf8",
      maxBuffer: 64 << 20,
    });
    const { plans } = JSON.parse(text) as { plans: { gpu: string; summary: string }[] };
    expect(plans.find(({ gpu }) => gpu === "h100-sxm5-80gb")?.summary).toBe(measured);
  }

  // It is an edit like any other.
  await page.keyboard.press("Control+Z");
  await expect(page.getByRole("link", { name: "With a measured machine" })).toHaveCount(0);
  await expect(headline(page)).toHaveText(unmeasured ?? "");
});

test("a broken file is told with path and cause, and stays in the box", async ({ page }) => {
  await page.goto("./#/host");
  const box = page.getByLabel("Or paste the text of a file");
  const broken = kBench.replace('"duration":20', '"duration":"long"');
  await box.fill(broken);
  await page.getByRole("button", { name: "Read this text" }).click();
  const faults = page.getByRole("alert");
  await expect(faults).toContainText("pasted text /duration");
  await expect(faults).toContainText("vllm bench serve");
  await expect(box).toHaveValue(broken);
  await isSound(page);

  await box.fill("gpu,rate\nd0,5\n");
  await page.getByRole("button", { name: "Read this text" }).click();
  await expect(faults).toContainText("looks like a comma-separated table");
  await expect(faults).toContainText("nvidia-smi -q -x");

  await page.locator("#host-files").setInputFiles([
    {
      name: "profile.json",
      mimeType: "application/json",
      buffer: Buffer.from(kSample.replace('"seed": 0', '"seed": 1')),
    },
  ]);
  await expect(faults).toContainText("profile.json /integrity/digest");
  await expect(box).toHaveValue("gpu,rate\nd0,5\n");
});

test("the sample is accessible on a desktop, on a dark phone, and in Chinese", async ({ page }) => {
  test.setTimeout(120_000);
  await openSample(page);
  await expect(page.locator(".before-after dd")).toHaveCount(2, { timeout: 40_000 });
  await openFolds(page);
  await isSoundEverywhere(page);
  await command(page, "简体");
  await expect(headline(page)).toHaveText("机器");
  await expect(page.getByText("数据手册与机器")).toBeVisible();
});

test("hosts are kept, compared, opened again and removed", async ({ page }) => {
  test.setTimeout(120_000);
  await openSample(page);
  const name = page.getByLabel("Save this host as");
  await name.fill("first");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved as first.")).toBeVisible();
  await name.fill("second");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("checkbox", { name: "Tick first for comparison" }).check();
  await page.getByRole("checkbox", { name: "Tick second for comparison" }).check();
  await expect(page.getByText("No result differs by more than its noise.")).toBeVisible();

  await page.reload();
  await page.goto("./#/host");
  await page.getByRole("button", { name: "Open second" }).click();
  await expect(page.getByRole("heading", { name: "Verdict" })).toBeVisible({ timeout: 40_000 });
  await page.getByRole("button", { name: "Remove first" }).click();
  await expect(page.getByRole("button", { name: "Open first" })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("button", { name: "Open second" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Open first" })).toHaveCount(0);
});

/** Requests of AIPerf's profile_export.jsonl: 2 in 2 s with 100 tokens each. */
const kRecords = [0, 1]
  .map((i) =>
    JSON.stringify({
      metadata: {
        request_start_ns: 1_700_000_000_000_000_000 + i * 500_000_000,
        request_end_ns: 1_700_000_001_500_000_000 + i * 500_000_000,
        benchmark_phase: "profiling",
        was_cancelled: false,
      },
      metrics: {
        time_to_first_token: { value: 80, unit: "ms" },
        inter_token_latency: { value: 12, unit: "ms" },
        output_sequence_length: { value: 100, unit: "tokens" },
      },
      error: null,
    }),
  )
  .join("\n");

test("files are dropped on the page, several at once, and told apart", async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto("./#/host");
  const zone = page.locator(".drop-zone");
  await zone.dispatchEvent("dragover", { dataTransfer: await dropped(page, []) });
  await expect(zone).toHaveClass(/over/);
  await zone.dispatchEvent("drop", {
    dataTransfer: await dropped(page, [
      { name: "bench.json", text: kBench },
      { name: "profile_export.jsonl", text: kRecords },
    ]),
  });
  await expect(zone).not.toHaveClass(/over/);
  await expect(page.locator(".given")).toContainText("bench.json, profile_export.jsonl");
  await expect(page.getByText("AIPerf's records of single requests (profile_export.jsonl)")).toBeVisible();
  const shown = page.locator("main");
  await expect(shown).toContainText("1,280 tokens/s");
  await expect(shown).toContainText("100 tokens/s");
  await isSound(page);

  await zone.dispatchEvent("drop", {
    dataTransfer: await dropped(page, [{ name: "profile.json", text: kSample }]),
  });
  await expect(page.getByRole("heading", { name: "Use in plans" })).toBeVisible({ timeout: 40_000 });
  // Nothing that is no file: the page stays as it is.
  await zone.dispatchEvent("drop", { dataTransfer: await dropped(page, []) });
  await expect(page.locator(".given")).toContainText("profile.json");
});

const kHotLog = readFileSync(join(root, "tests/measure/data/hot_h100.xml"), "utf8");
const kAllReduce589 = readFileSync(join(root, "tests/measure/data/all_reduce_589.txt"), "utf8");

test("the hot GPU is named first, an impossible rate is not green, and a broken file blocks no other", async ({
  page,
}) => {
  test.setTimeout(120_000);
  await page.goto("./#/host");
  const zone = page.locator(".drop-zone");
  const verdict = page.locator("section[aria-labelledby=host-machine]");
  const drop = async (files: readonly { name: string; text: string }[]) =>
    zone.dispatchEvent("drop", { dataTransfer: await dropped(page, files) });

  await drop([{ name: "smi.xml", text: kHotLog }]);
  await expect(verdict).toContainText("1 of 8 GPUs needs service. 7 of 8 GPUs are fine.", { timeout: 40_000 });
  const first = verdict.locator(".light").first();
  await expect(first).toHaveClass(/bad/);
  await expect(first).toContainText("GPU 3 needs service: 2 uncorrectable ECC errors, 88 °C (1 °C beyond the limit)");
  for (const text of [
    "a row remap waits for a reset",
    "a power limit of 500 W (700 W by default)",
    "a PCIe link of 8 lanes (16 are possible)",
    "dcgmi diag -r 3 -i 3",
    "nvidia-smi --gpu-reset -i 3",
  ])
    await expect(first).toContainText(text);
  await expect(page.locator("main")).not.toContainText("0 faulty");
  await isSoundEverywhere(page);

  // A file that nobody can read is left out and named; a table without its collective gets a select.
  await drop([
    { name: "smi.xml", text: kHotLog },
    { name: "broken.txt", text: "this is no file of any program" },
    { name: "ar590.txt", text: kAllReduce589 },
  ]);
  const faults = page.getByRole("alert");
  await expect(faults).toContainText("Left out; the other files were read");
  await expect(faults).toContainText("broken.txt");
  await expect(verdict).toContainText("GPU 3 needs service", { timeout: 40_000 });
  await page.getByLabel("ar590.txt is").selectOption("all_reduce");
  const machine = verdict.locator(".light.bad").filter({ hasText: "The machine" });
  await expect(machine).toContainText("All-reduce at 589 GB/s is impossible", { timeout: 40_000 });
  await expect(machine).toContainText("algorithm and bus bandwidth mixed up");
  await expect(page.locator(".light.good").filter({ hasText: "589" })).toHaveCount(0);
  await isSound(page);

  // The GPU is another one: its links are others, and the profile keeps the word.
  await page.getByLabel(/NVIDIA H100 80GB HBM3, .* is/).selectOption("h100-pcie-80gb");
  await expect(verdict).toContainText("PCIe 5 x16 carries 63", { timeout: 40_000 });
  await expect(verdict).toContainText("Your choice. It is kept in the profile.");
});

test("kept hosts have commands: open one, and put its rates into the plan", async ({ page }) => {
  test.setTimeout(180_000);
  await openSample(page);
  await page.getByLabel("Save this host as").fill("rack one");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved as rack one.")).toBeVisible();

  // On another screen, after a reload: the browser has kept it.
  await page.goto("./");
  await page.reload();
  await expect(headline(page)).toContainText("requests per second");
  await page.keyboard.press("Control+K");
  await page.getByRole("combobox", { name: /commands/ }).fill("rack one");
  const found = page.locator("#palette-list [role=option]");
  await expect(found.nth(0)).toHaveText(/Open host rack one/);
  await expect(found.nth(1)).toHaveText(/Use host rack one in/);
  await page.keyboard.press("Escape");
  await command(page, "use host rack");
  await expect(page.getByRole("link", { name: "With a measured machine" })).toBeVisible({ timeout: 40_000 });
  await expect(page).toHaveURL(/#\/\?s=1\./);

  await command(page, "open host rack");
  await expect(headline(page)).toHaveText("Machines");
  await expect(page.getByRole("heading", { name: "Verdict" })).toBeVisible({ timeout: 40_000 });
});

test("the residuals of each fit stand as a chart and as a table", async ({ page }) => {
  test.setTimeout(120_000);
  await openSample(page);
  await page.getByText(/^Fits of GPU 0/).click();
  const plots = page.locator("figure.residuals");
  await expect(plots.first()).toBeVisible();
  await expect(plots.first().getByRole("heading")).toHaveText(
    /Matrix products: -?[\d.]+ % to [\d.]+ % from their fits/,
  );
  const first = plots.first();
  const marks = await first.locator("svg.chart .mark").count();
  expect(marks).toBeGreaterThan(11);
  await first.getByText("The same as a table").click();
  await expect(first.locator("tbody tr")).toHaveCount(marks);
  await isSound(page);
});

test("what these machines can serve is a search on them with their rates", async ({ page }) => {
  test.setTimeout(120_000);
  await openSample(page);
  await page.getByRole("button", { name: /Search on 2 ×/ }).click();
  await expect(page).toHaveURL(/#\/deployments\?s=1\./);
  await expect(headline(page)).toHaveText(/2 × .*H100/, { timeout: 40_000 });
  await expect(page.locator("#in-gpu_count")).toHaveValue("2");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(headline(page)).not.toHaveText(/^2 ×/);
});
