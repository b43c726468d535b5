/** The custom element in pages that set it early, ask it twice, change around it, or cannot start its engine. */
import { readFileSync } from "node:fs";
import { expect, type Page, test, violationsOf } from "../../web/playwright.ts";
import { opened, pageFolder, shown, spaced } from "./element_page.ts";
import { chat } from "./project.ts";
import { kNoWebAssembly, kTrustedTypes, type Served, served } from "./served.ts";

const request = readFileSync(chat, "utf8");
type Plan = HTMLElement & {
  request: unknown;
  answer: { plans: { gpu_count: number }[] } | undefined;
  error: { code: string; message: string } | undefined;
  pending: boolean;
};

let folder: string;
let plain: Served;
test.beforeAll(async () => {
  folder = pageFolder("life");
  plain = await served(folder);
});
test.afterAll(() => plain.close());

test("takes a request that was set before its script was loaded", async ({ page }) => {
  await page.route("**/element.js", async (route) => {
    await page.locator("podwright-plan").evaluate((node, text) => {
      (node as Plan).request = JSON.parse(text);
    }, request);
    await route.continue();
  });
  await opened(page, plain);
  await expect(page.locator("podwright-plan")).toContainText("Cost per year");
});

test("its answer is that of the request of now, and undefined meanwhile", async ({ page }) => {
  await opened(page, plain);
  const seen = await page.locator("podwright-plan").evaluate(async (node, text) => {
    const plan = node as Plan;
    const region = () => plan.shadowRoot?.querySelector("section")?.getAttribute("aria-busy");
    const state = () => [plan.pending, plan.answer?.plans[0]?.gpu_count, region()];
    const next = () => new Promise((done) => plan.addEventListener("podwright-answer", done, { once: true }));
    const asked = JSON.parse(text);
    const states = [];
    for (const rate of [50, 100]) {
      asked.workloads[0].peak_requests_per_s = rate;
      plan.request = asked;
      const answered = next();
      states.push([plan.pending, plan.answer]);
      await new Promise((done) => setTimeout(done));
      states.push(state());
      await answered;
      states.push(state());
    }
    plan.request = undefined;
    return [...states, [plan.pending, plan.answer]];
  }, request);
  const [, , [, small]] = seen as [unknown, unknown, [unknown, number]];
  const large = (seen[5] as [boolean, number])[1];
  expect(large).toBeGreaterThan(small);
  const asking = [
    [true, undefined],
    [true, undefined, "true"],
  ];
  const none = [false, undefined];
  expect(seen).toEqual([...asking, [false, small, "false"], ...asking, [false, large, "false"], none]);
});

test("its events reach the page, out of shadow trees too", async ({ page }) => {
  await opened(page, plain);
  const kind = await page.evaluate(async (text) => {
    const heard = new Promise<CustomEvent>((done) =>
      document.addEventListener("podwright-answer", done as EventListener, { once: true }),
    );
    const host = document.createElement("div");
    document.body.append(host);
    const inner = document.createElement("podwright-plan") as Plan;
    inner.request = JSON.parse(text);
    host.attachShadow({ mode: "open" }).append(inner);
    return (await heard).detail.kind;
  }, request);
  expect(kind).toBe("plan");
});

test("follows the language around it, through shadow trees", async ({ page }) => {
  await opened(page, plain);
  await page.evaluate((text) => {
    document.querySelector("podwright-plan")?.remove();
    const host = document.createElement("main");
    document.body.append(host);
    const inner = document.createElement("podwright-plan") as Plan;
    inner.request = JSON.parse(text);
    host.attachShadow({ mode: "open" }).append(inner);
  }, request);
  const plan = page.locator("podwright-plan");
  const setLanguage = (of: string, language: string) =>
    page.evaluate(([at = "", to = ""]) => document.querySelector(at)?.setAttribute("lang", to), [of, language]);
  await expect(plan).toContainText("Cost per year");
  await setLanguage("html", "zh-CN");
  await expect(plan).toContainText("每年费用");
  await setLanguage("main:last-of-type", "en");
  await expect(plan).toContainText("Cost per year");
});

/** What the element says and tells where it cannot work. */
async function trouble(
  page: Page,
  attributes: Record<string, string> = {},
  asked = request,
): Promise<[string, string, string]> {
  const element = page.locator("podwright-plan");
  const detail = await element.evaluate(
    (node, [text = "", all]) =>
      new Promise<{ code: string; message: string }>((done) => {
        document.addEventListener("podwright-error", (event) => done((event as CustomEvent).detail), { once: true });
        for (const [name, value] of Object.entries(all)) node.setAttribute(name, value);
        node.setAttribute("request", text);
      }),
    [asked, attributes] as [string, Record<string, string>],
  );
  return [detail.code, detail.message, await element.evaluate((node) => node.shadowRoot?.textContent ?? "")];
}

test("says why its engine could not start, and starts it when it can", async ({ page }) => {
  await opened(page, plain);
  await page.route("**/engine.wasm", (route) => route.fulfill({ status: 404 }));
  const [code, message, text] = await trouble(page);
  expect(code).toBe("engine-not-started");
  expect(message).toMatch(/engine\.wasm was answered with status 404\.$/);
  expect(text).toBe(`The engine could not start: ${message}`);
  expect((await trouble(page, { worker: "" }))[1]).toBe(message);
  const element = page.locator("podwright-plan");
  // A listener that comes later finds the same in the property.
  expect(await element.evaluate((node) => (node as Plan).error)).toEqual({ code, message });
  await page.unroute("**/engine.wasm");
  await shown(page, { worker: "", request });
  await expect(element).toContainText("Cost per year");
  expect(await element.evaluate((node) => (node as Plan).error)).toBe(undefined);
});

test("says what came in place of the engine, and from where, in a narrow column too", async ({ page }) => {
  await opened(page, plain);
  const login = { status: 200, contentType: "text/html", body: "<!doctype html><title>Log in</title>" };
  await page.route("**/engine.wasm", (route) => route.fulfill(login));
  const engine = `${plain.address}podwright/engine.wasm`;
  await page.setViewportSize({ width: 320, height: 800 });
  const [code, message] = await trouble(page);
  expect([code, message]).toEqual([
    "engine-not-started",
    `${engine} is not the engine: the server answered with text/html, for example a login page.`,
  ]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.route("**/engine.wasm", (route) => route.abort());
  expect((await trouble(page))[1]).toMatch(new RegExp(`^${engine} could not be fetched: .+\\.$`));
});

test("names the script of the worker where it is missing", async ({ page }) => {
  await opened(page, plain);
  await page.route("**/worker_thread.js", (route) => route.fulfill({ status: 404 }));
  const [code, message] = await trouble(page, { worker: "" });
  expect(code).toBe("engine-not-started");
  expect(message).toBe(
    `The worker script ${plain.address}podwright/worker_thread.js could not be loaded, or the policy of the page forbids it.`,
  );
});

for (const [name, policy, attributes, why] of [
  ["WebAssembly", kNoWebAssembly, {}, /^The Content Security Policy forbids WebAssembly: .*'wasm-unsafe-eval'\.$/],
  ["workers from addresses", kTrustedTypes, { worker: "" }, /TrustedScriptURL/],
] as const) {
  test(`says so where the policy forbids ${name}`, async ({ page }) => {
    const strict = await served(folder, policy);
    await opened(page, strict);
    const [code, message, text] = await trouble(page, attributes);
    expect([code, text]).toEqual(["engine-not-started", `The engine could not start: ${message}`]);
    expect(message).toMatch(why);
    strict.close();
  });
}

test("says what it does not show: other kinds, and values that are no JSON", async ({ page }) => {
  const complaints = await opened(page, plain);
  const element = page.locator("podwright-plan");
  await element.evaluate((node) => node.addEventListener("podwright-answer", () => node.setAttribute("data-told", "")));
  const message = "This element shows plans only; the request is of the kind “catalog”.";
  expect(await trouble(page, {}, '{"kind": "catalog", "list": "gpus"}')).toEqual(["other-kind", message, message]);
  await expect(element).not.toHaveAttribute("data-told");
  const state = await element.evaluate((node) => [(node as Plan).answer, (node as Plan).error, (node as Plan).pending]);
  expect(state).toEqual([undefined, { code: "other-kind", message }, false]);
  await element.evaluate((node) => {
    (node as Plan).request = { kind: "plan", workloads: [], constraints: { budget_usd: undefined } };
  });
  await expect(element).toContainText("/constraints/budget_usd: The value is undefined, which JSON cannot carry.");
  await element.evaluate((node) => {
    const round: Record<string, unknown> = {};
    round.self = round;
    (node as Plan).request = round;
  });
  await expect(element).toContainText("The request cannot be written as JSON");
  expect(complaints).toEqual([]);
});

test("is a region of its own name, with parts and colours that a page can set, and lines that break between numbers", async ({
  page,
}) => {
  await opened(page, plain);
  const text = await shown(page, { request });
  expect(text).toMatch(/613\u00a0ms.*\$1\.11\u00a0million/);
  expect(await page.locator("podwright-plan dd:empty").count()).toBe(0);
  const summary = spaced((await page.locator("podwright-plan .summary").textContent()) ?? "");
  await expect(page.getByRole("region", { name: summary })).toBeVisible();
  expect(text).toContain("16 of the 23 GPUs");
  const colours = await page.locator("podwright-plan").evaluate((node) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("podwright-plan { --podwright-note: #123456 } podwright-plan::part(value) { color: #654321 }");
    document.adoptedStyleSheets.push(sheet);
    const of = (name: string) => getComputedStyle(node.shadowRoot?.querySelector(name) as Element).color;
    return [of(".note"), of(".value")];
  });
  expect(colours).toEqual(["rgb(18, 52, 86)", "rgb(101, 67, 33)"]);
  await page.setViewportSize({ width: 220, height: 900 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await violationsOf(page)).toEqual([]);
});
