/** The custom element in a browser, under a strict policy. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test, violationsOf } from "../../web/playwright.ts";
import { decodeLink } from "../../web/src/link.ts";
import { kPage, opened, pageFolder, shown, spaced } from "./element_page.ts";
import { hostileNames, randomName, randomNumbers } from "./hostile.ts";
import { chat, emptyFolder, podwright, project, root, runIn } from "./project.ts";
import { kTrustedTypes, type Served, served } from "./served.ts";

const request = readFileSync(chat, "utf8");
const answerTo = async (path: string) => JSON.parse((await podwright("plan", path, "--json")).stdout);

const kBundled = '</main><script type="module" src="./main.js"></script>';

let plain: Served;
let trusting: Served;
test.beforeAll(async () => {
  const folder = pageFolder("pages");
  [plain, trusting] = await Promise.all([served(folder), served(folder, kTrustedTypes)]);
});
test.afterAll(() => {
  plain.close();
  trusting.close();
});

for (const [name, options] of [
  ["light, wide", { viewport: { width: 1280, height: 900 } }],
  ["dark, a phone", { viewport: { width: 360, height: 800 }, colorScheme: "dark" }],
] as const) {
  test(`shows what the engine says, without a violation: ${name}`, async ({ browser }) => {
    const page = await browser.newPage(options);
    const complaints = await opened(page, trusting);
    const text = spaced(await shown(page, { request, site: "https://example.org/podwright/" }));
    const [best] = (await answerTo(chat)).plans;
    expect(text).toContain(best.summary);
    expect(text).toContain(best.decision.message);
    for (const { value, low, high, target, probability } of best.headlines) {
      expect(text).toContain(value.text);
      if (low) expect(text).toContain(`90 % interval ${low.text} to ${high.text}`);
      if (target) expect(text).toContain(target.text);
      if (probability) expect(text).toContain(`met with a probability of ${probability.text}`);
    }
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page.screenshot({ path: join(root, `build/npm/element-${options.viewport.width}.png`) });
    expect(complaints).toEqual([]);
    await page.close();
  });
}

test("says that the cost of a year is that of one run, where one is asked", async ({ page }) => {
  await opened(page, plain);
  const run = readFileSync(join(root, "examples/plan_pretraining_8b.json"), "utf8");
  const text = spaced(await shown(page, { request: run }));
  expect(text).toContain("Cost per year");
  expect(text).toContain("typical, one run in the year, 90 % interval");
  expect(await shown(page, { request })).not.toContain("one run in the year");
});

test("leads to the same question on a site", async ({ page }) => {
  await opened(page, plain);
  const changed = JSON.stringify({ ...JSON.parse(request), constraints: { gpus: ["b200-sxm"] } });
  await shown(page, { request: changed, site: "https://example.org/podwright/" });
  const link = page.getByRole("link", { name: "Open the plan" });
  const address = new URL((await link.getAttribute("href")) ?? "");
  expect(`${address.origin}${address.pathname}`).toBe("https://example.org/podwright/");
  expect(await decodeLink(JSON.parse(request), address.hash)).toMatchObject({
    kind: "state",
    request: JSON.parse(changed),
  });
  await page.locator("podwright-plan").evaluate((node) => node.setAttribute("site", "javascript:alert(1)"));
  await expect(link).toHaveCount(0);
  expect(await shown(page, { request, site: "http://[" })).toContain("Cost per year");
});

test("speaks Chinese where the page does", async ({ page }) => {
  const complaints = await opened(page, plain);
  const text = spaced(await shown(page, { request, lang: "zh-Hans" }));
  for (const part of [
    "23 × B200 SXM (HGX/DGX) 每秒服务 50 个 llama-3.1-70b 请求",
    "首个词元时间",
    "90 % 区间",
    "每年费用",
    "自有 16 块 GPU，最多再租用 7 块",
    "$111万",
    "23 块 GPU 中的 16 块",
  ])
    expect(text).toContain(part);
  expect(text).not.toMatch(/million|[a-z]{3,} [a-z]{3,}/);
  expect(await violationsOf(page)).toEqual([]);
  await page.locator("podwright-plan").evaluate((node) => node.setAttribute("lang", "en"));
  await expect(page.getByText("Time to first token")).toBeVisible();
  expect(complaints).toEqual([]);
});

test("says errors in Chinese, and times of runs", async ({ page }) => {
  await opened(page, plain);
  const wrong = '{"kind": "plan", "workloads": [], "nonsense": 1}';
  expect(await shown(page, { request: wrong, lang: "zh" })).toContain("/nonsense：这里不能给出");
  const run = JSON.parse(readFileSync(join(root, "examples/plan_pretraining_8b.json"), "utf8"));
  const text = spaced(await shown(page, { request: JSON.stringify(run) }));
  expect(text).toMatch(/在 [\d.]+ 天 内用 1万亿 词元训练 llama-3\.1-8b/);
  expect(text).toMatch(/每年费用\$[\d,]+典型值，一年一次训练，90 % 区间 \$[\d,]+ 至 \$[\d,]+按需租用/);
  expect(text).not.toContain("days");
});

test("says why there is no plan, and where a request is wrong", async ({ page }) => {
  await opened(page, plain);
  const file = join(root, "tests/golden/requests/infeasible_plan_budget.json");
  const none = await answerTo(file);
  const text = await shown(page, { request: readFileSync(file, "utf8") });
  expect(text).toContain("No plan meets these targets");
  const [reason] = [...(none.reasons ?? []), ...none.rejected];
  expect(spaced(text)).toContain(reason.message);
  expect(spaced(text)).toContain("Asked: First token within 2 s; Each token within 50 ms; Budget $100,000");
  const wrong = await shown(page, { request: '{"kind": "plan", "workloads": [], "nonsense": 1}' });
  expect(wrong).toContain("There is an error in the request");
  expect(wrong).toContain("/nonsense");
  expect(await shown(page, { request: "{" })).toContain("The text is not JSON");
  expect(await violationsOf(page)).toEqual([]);
});

test("says all reasons with their ways out", async ({ page }) => {
  await opened(page, plain);
  const { kind, workloads } = JSON.parse(request);
  const tight = { kind, workloads: [{ ...workloads[0], tpot_s_p95_max: 0.0005 }] };
  await shown(page, { request: JSON.stringify(tight) });
  const { reasons } = await page
    .locator("podwright-plan")
    .evaluate((node) => (node as HTMLElement & { answer: { reasons: { message: string }[] } }).answer);
  expect(reasons.length).toBeGreaterThan(4);
  await page.getByText(`${reasons.length - 4} more`).click();
  const items = page.locator("podwright-plan li");
  await expect(items).toHaveCount(reasons.length);
  for (const [i, { message }] of reasons.entries()) {
    const text = spaced((await items.nth(i).textContent()) ?? "");
    expect(text).toContain(message.replace("tpot p95", "time per output token, 95th percentile"));
    expect(text).toMatch(/What would help: .*Each token within → [\d.]+ ms/);
  }
  expect(await violationsOf(page)).toEqual([]);
});

test("takes the request as a value, and computes in a worker where it is told to", async ({ page }) => {
  const complaints = await opened(page, plain);
  const element = page.locator("podwright-plan");
  await element.evaluate((node, text) => {
    node.setAttribute("worker", "");
    (node as HTMLElement & { request: unknown }).request = JSON.parse(text);
  }, request);
  await expect(element).toContainText("Cost per year");
  expect(page.workers()).toHaveLength(1);
  expect(await element.evaluate((node) => (node as HTMLElement & { answer: { kind: string } }).answer.kind)).toBe(
    "plan",
  );
  expect(complaints).toEqual([]);
});

test("the engine in a worker gives the bytes of the program", async ({ page }) => {
  const complaints = await opened(page, plain);
  const [text, gpus, after, refused] = await page.evaluate(
    (asked) =>
      (window as unknown as { askWorker(asked: string): Promise<[string, number, string, string[]]> }).askWorker(asked),
    request,
  );
  expect(`${text}\n`).toBe((await podwright("plan", chat, "--json")).stdout);
  expect(gpus).toBeGreaterThan(10);
  expect(after).toBe("The worker was stopped.");
  expect(refused).toEqual(["not-json", "not-json"]);
  expect(complaints).toEqual([]);
});

test("works through a bundler, with one copy of the engine", async ({ page }) => {
  // In the project, so that the package is found.
  const source = join(project, "bundled");
  const site = emptyFolder("bundled");
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, "index.html"), kPage.replace(/<script.*script>\n/g, "").replace("</main>", kBundled));
  writeFileSync(join(source, "main.js"), 'import { load } from "podwright";\nimport "podwright/element";\nload();\n');
  const words = ["build", source, "--outDir", site, "--emptyOutDir", "--logLevel", "error"];
  expect(await runIn(join(root, "web/node_modules/.bin/vite"), words, source)).toMatchObject({ status: 0, stderr: "" });
  expect(readdirSync(join(site, "assets")).filter((file) => file.endsWith(".wasm"))).toHaveLength(1);
  const bundled = await served(site);
  const complaints = await opened(page, bundled);
  await shown(page, { request, worker: "" });
  await expect(page.locator("podwright-plan")).toContainText("Cost per year");
  expect(page.workers()).toHaveLength(1);
  expect(complaints).toEqual([]);
  bundled.close();
});

/** All text in the element, and which elements it is made of. */
function drawn(page: Page): Promise<{ text: string; tags: string[] }> {
  return page.locator("podwright-plan").evaluate((node) => {
    const shadow = (node as HTMLElement).shadowRoot;
    const tags = [...(shadow?.querySelectorAll("*") ?? [])].map(({ localName }) => localName);
    return { text: shadow?.textContent ?? "", tags: [...new Set(tags)] };
  });
}
const kTags = ["dd", "details", "div", "dl", "dt", "li", "p", "section", "summary", "ul"];

test("names of any letters stay text in a plan", async ({ page }) => {
  const complaints = await opened(page, plain);
  const { workloads, ...rest } = JSON.parse(request);
  for (let i = 0; i < hostileNames.length; i += 6) {
    const several = hostileNames.slice(i, i + 6).map((name, k) => ({ ...workloads[0], name: `${k} ${name}` }));
    await shown(page, {
      request: JSON.stringify({ ...rest, workloads: several, constraints: { gpus: ["b200-sxm"] } }),
    });
    const { text, tags } = await drawn(page);
    expect(kTags).toEqual(expect.arrayContaining(tags));
    expect(tags).toContain("dl");
    for (const { name } of several) expect(text).toContain(name);
  }
  expect(complaints).toEqual([]);
});

test("random names stay text where they are refused", async ({ page }) => {
  const complaints = await opened(page, plain);
  const random = randomNumbers(2);
  for (let i = 0; i < 20; ++i) {
    const names = [...hostileNames, ...Array.from({ length: 10 }, () => randomName(random))];
    const asked = JSON.stringify({
      kind: "catalog",
      list: "gpus",
      // A key of more than 1,024 bytes is the only problem that is told.
      ...Object.fromEntries(names.map((name) => [`x${name.slice(0, 200)}`, 1])),
    });
    await shown(page, { request: asked });
    const { text, tags } = await drawn(page);
    expect(kTags).toEqual(expect.arrayContaining(tags));
    const errors = await page
      .locator("podwright-plan")
      .evaluate((node) => (node as HTMLElement & { answer: { errors: { message: string }[] } }).answer.errors);
    expect(errors.length).toBeGreaterThanOrEqual(names.length - 10);
    for (const { message } of errors) expect(spaced(text)).toContain(spaced(message));
  }
  expect(complaints).toEqual([]);
});
