/** Nothing leaves: only files of the site are asked for, none of them carries what was typed, and none once they are kept. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type BrowserContext, expect, type Page, type Request, test } from "../../web/playwright.ts";
import kept from "./links/corpus.json" with { type: "json" };
import { danglingIn, overlapsIn, textOfPdf } from "./pdf_text.ts";

const headline = (page: Page) => page.getByRole("heading", { level: 1 });
const kScreens = ["serving", "cost", "fabric", "data", "compare", "report", "claims", "about"];
const kMarker = "zebra-4711";

async function visitAll(page: Page): Promise<void> {
  for (const screen of kScreens) {
    await page.goto(`./#/${screen}`);
    await expect(page.locator(':is(.areas, .screens) a[aria-current="page"]').last()).toHaveAttribute(
      "href",
      new RegExp(`#/${screen}`),
    );
    await expect(headline(page)).not.toHaveText(/The engine is working/);
  }
}

/** Every request of the pages and of their workers. */
function requestsOf(context: BrowserContext): Request[] {
  const all: Request[] = [];
  context.on("request", (request) => all.push(request));
  return all;
}

async function whenKept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

test("only files of the site are asked for, and none with what the user gave", async ({ page, context, baseURL }) => {
  const requests = requestsOf(context);
  await page.goto("./");
  await page.getByLabel("Peak requests/s", { exact: true }).fill("4711");
  await expect(headline(page)).toContainText("4,711");
  await page.getByText("All inputs and examples").click();
  await page.getByLabel("Find an input").fill("name");
  await page.locator("#in-workloads-0-name").fill(kMarker);
  await expect.poll(() => page.url()).toContain("s=1.");
  await visitAll(page);
  await page.goto("./#/compare");
  await page.locator(".save-here input").fill(kMarker);
  await page.locator(".save-here button").click();
  await expect(page.locator(".scenarios")).toContainText(kMarker);

  const files = new Set(siteFiles(site()));
  for (const request of requests) {
    const url = new URL(request.url());
    if (url.protocol === "data:" || url.protocol === "blob:") continue;
    expect(request.method(), url.href).toBe("GET");
    expect(request.postData(), url.href).toBeNull();
    expect(url.href.startsWith(baseURL ?? ""), url.href).toBe(true);
    const file = url.href.slice((baseURL ?? "").length).split(/[?#]/)[0] || "index.html";
    expect(files.has(file), file).toBe(true);
    // What stands behind # is never sent.
    expect(url.search, url.href).toBe("");
    expect(url.href.split("#")[0], url.href).not.toMatch(/zebra|4,?711/);
  }
});

for (const first of ["", "#/cost"]) {
  test(`one visit to ${first || "the plan"} below a folder is enough for every screen without a network`, async ({
    page,
    context,
  }) => {
    await page.goto(`./${first}`);
    await expect(headline(page)).not.toHaveText(/The engine is working/);
    await whenKept(page);
    await page.reload();
    await expect(headline(page)).not.toHaveText(/The engine is working/);
    // The page that is left takes what it still asks for with it: only the next page's requests are judged.
    await page.goto("about:blank");
    const requests = requestsOf(context);
    await page.goto("./");
    await expect(page.locator(".pareto svg.chart")).toBeVisible();
    await visitAll(page);
    for (const request of requests) {
      // Nothing that the worker has to fetch for a page, and nothing that passes it by.
      expect(request.serviceWorker(), request.url()).toBeNull();
      const response = await request.response();
      if (/^http/.test(request.url())) expect(response?.fromServiceWorker(), request.url()).toBe(true);
    }
    await context.setOffline(true);
    await page.goto("./");
    await expect(page.locator(".pareto svg.chart")).toBeVisible();
    await visitAll(page);
    await context.setOffline(false);
  });
}

const root = () => resolve(test.info().config.rootDir, "../..");
const site = () => resolve(process.env.PODWRIGHT_SITE ?? join(root(), "build/site"));

function siteFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

test("the site built from another folder is the same, byte for byte", () => {
  test.setTimeout(180_000);
  const copy = mkdtempSync(join(tmpdir(), "podwright-elsewhere-"));
  const skipped = new Set(["node_modules", "node", "engine"]);
  cpSync(join(root(), "web"), join(copy, "web"), {
    recursive: true,
    filter: (path) => !skipped.has(path.split("/").at(-1) ?? ""),
  });
  cpSync(join(root(), "web/src/engine"), join(copy, "web/src/engine"), { recursive: true });
  for (const folder of ["examples", "core"]) {
    cpSync(join(root(), folder), join(copy, folder), { recursive: true });
  }
  symlinkSync(join(root(), "web/node_modules"), join(copy, "web/node_modules"));
  cpSync(join(root(), "wasm"), join(copy, "wasm"), { recursive: true });
  const env = {
    ...process.env,
    PODWRIGHT_CLI: process.env.PODWRIGHT_CLI ?? join(root(), "build/native/podwright"),
    PODWRIGHT_ENGINE: process.env.PODWRIGHT_ENGINE ?? join(root(), "build/wasm/site_engine"),
    PODWRIGHT_SITE: join(copy, "site"),
  };
  execFileSync(process.execPath, ["scripts/build.ts"], { cwd: join(copy, "web"), env, stdio: "pipe" });
  const digests = (folder: string) =>
    Object.fromEntries(
      siteFiles(folder).map((file) => [
        file,
        createHash("sha256")
          .update(readFileSync(join(folder, file)))
          .digest("hex"),
      ]),
    );
  expect(digests(join(copy, "site"))).toEqual(digests(site()));
  rmSync(copy, { recursive: true });
});

test("a packed form beside a file is that file, and has no address of its own", () => {
  const unpack: [string, (form: Buffer) => Buffer][] = [
    [".br", brotliDecompressSync],
    [".gz", gunzipSync],
  ];
  const files = siteFiles(site());
  for (const [ending, unpacked] of unpack) {
    const forms = files.filter((file) => file.endsWith(ending));
    expect(forms).toContain(`index.html${ending}`);
    for (const form of forms) {
      const plain = readFileSync(join(site(), form.slice(0, -ending.length)));
      expect(unpacked(readFileSync(join(site(), form))).equals(plain), form).toBe(true);
    }
  }
  const offline = readFileSync(join(site(), "offline.js"), "utf8");
  expect(offline).toMatch(/"engine\/[0-9a-f]{12}\/engine\.wasm":"[\w+/]{43}="/);
  expect(offline).not.toMatch(/\.(br|gz)"/);
});

const kReports = kept.filter(({ screen, note }) => screen === "plan" && /one value, deflated|whole request/.test(note));

for (const { note, hash } of [{ note: "the example", hash: "#/" }, ...kReports]) {
  test(`the report on paper has every number as text, and nothing is cut off: ${note}`, async ({ page }) => {
    await page.goto(`./${hash}`);
    await expect(page.locator(".pareto svg.chart")).toBeVisible();
    await page.goto("./#/report");
    await expect(page.locator(".report .plans")).toBeVisible();
    await page.emulateMedia({ media: "print" });
    // A4 without its margins, in pixels of 96 to the inch.
    await page.setViewportSize({ width: 718, height: 1000 });
    const { numbers, cut } = await page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>(".report *")].filter((item) => item.checkVisibility());
      return {
        numbers: all
          .filter((item) => item.matches("button.figure, .input-list dd"))
          .map((item) => (item.textContent ?? "").replaceAll(/\s/g, "")),
        cut: all
          // What only screen readers are told is one pixel wide.
          .filter(({ clientWidth }) => clientWidth > 1)
          .filter((item) => item.scrollWidth > item.clientWidth + 1 && getComputedStyle(item).overflowX !== "visible")
          .map((item) => `${item.tagName} ${item.className} ${item.textContent?.slice(0, 40)}`),
      };
    });
    expect(numbers.length).toBeGreaterThan(20);
    expect(cut).toEqual([]);
    for (const format of ["A4", "Letter"])
      for (const air of ["0", "10mm", "20mm"]) {
        const pdf = await page.pdf({ format, margin: { top: air, right: air, bottom: air, left: air } });
        const text = textOfPdf(pdf);
        expect
          .soft(
            numbers.filter((number) => !text.includes(number)),
            `${format}, ${air}`,
          )
          .toEqual([]);
        expect.soft(overlapsIn(pdf), `${format}, ${air}`).toEqual([]);
        expect.soft(danglingIn(pdf), `${format}, ${air}`).toEqual([]);
      }
  });
}
