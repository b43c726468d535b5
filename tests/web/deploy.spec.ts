/**
 * New versions of the site under open tabs, versions that are half there, updates that are cut off, networks that send pages of their
 * own: every page works or says what to do, and nothing is kept that is not what the version's list says.
 */
import { createHash } from "node:crypto";
import { type BrowserContext, expect, type Page, test as plain } from "../../web/playwright.ts";
import { builtSite, type Files, Host, nextVersion, type Sent } from "./deployed.ts";
import { headline, isSound } from "./quiet_page.ts";

const old: Files = builtSite();
const next = nextVersion(old);

const test = plain.extend<{ host: Host; site: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names that a fixture needs from this pattern.
  host: async ({}, use) => {
    const host = new Host(old);
    await use(host);
    host.close();
  },
  site: async ({ host }, use) => use(await host.open()),
});

// Several versions of the whole site are kept and compared in each.
test.describe.configure({ timeout: 240_000 });

const versionOf = (page: Page) => page.evaluate(() => document.documentElement.dataset.version ?? "old");
const newVersion = (page: Page) => page.getByText("A new version of the site is ready.");
const unfinished = (page: Page) => page.getByText("This site is being updated");
const reload = (page: Page) => page.getByRole("button", { name: "Reload", exact: true });
const whenOpen = (page: Page) => expect(page.locator(".pareto svg.chart")).toBeVisible();

/** A tab that the kept version answers for. */
async function openKept(page: Page, site: string): Promise<void> {
  await page.goto(site);
  await whenOpen(page);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await whenOpen(page);
}

async function openScreen(page: Page, screen: string): Promise<void> {
  // A page that was just reloaded may still put its own place into the address.
  await expect(async () => {
    await page.evaluate((name) => {
      location.hash = `#/${name}`;
    }, screen);
    await expect(page.locator(':is(.areas, .screens) a[aria-current="page"]').last()).toHaveAttribute(
      "href",
      new RegExp(`#/${screen}`),
      { timeout: 2000 },
    );
  }).toPass();
  await expect(page.locator("main h2, main h1").first()).toBeVisible();
  await expect(page.locator(".opening, .notice[role=alert]")).toHaveCount(0);
}

/** Looks for a newer version, as a browser does at the next visit, and says what became of it. */
const update = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update().catch(() => undefined);
    const worker = registration.installing ?? registration.waiting;
    if (worker === null) return "none";
    if (worker.state === "installing")
      await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
    return worker.state;
  });

/** Everything that the browser has kept of the site, as cache, file and digest. */
async function keptFiles(page: Page): Promise<{ cache: string; file: string; digest: string }[]> {
  return page.evaluate(async () => {
    const found = [];
    for (const cache of await caches.keys()) {
      const opened = await caches.open(cache);
      for (const request of await opened.keys()) {
        const content = await (await opened.match(request))?.arrayBuffer();
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content ?? new ArrayBuffer()));
        const file = request.url.slice(location.href.split("#")[0]?.length);
        found.push({ cache, file, digest: btoa(String.fromCharCode(...digest)) });
      }
    }
    return found;
  });
}

const versionIn = (files: Files) => /kVersion = "(\w+)"/.exec(String(files.get("offline.js")))?.[1] ?? "";

/** Whatever is kept under the name of a version is what that version has there. */
async function isKeptRightly(page: Page): Promise<void> {
  const kept = await keptFiles(page);
  expect(kept.length).toBeGreaterThan(0);
  for (const { cache, file, digest } of kept) {
    if (file === "open-tabs") continue;
    const content = (cache.endsWith(versionIn(next)) ? next : old).get(file || "index.html") ?? Buffer.alloc(0);
    expect(createHash("sha256").update(content).digest("base64"), `${cache}: ${file}`).toBe(digest);
  }
}

const cachesOf = (page: Page) => page.evaluate(() => caches.keys());

test("a new version comes under open tabs: each keeps its own until it is closed or reloaded", async ({
  page,
  context,
  host,
  site,
}) => {
  await openKept(page, site);
  host.serve(next);
  expect(await update(page)).toBe("installed");
  await expect(newVersion(page)).toBeVisible();
  await isSound(page);
  await openScreen(page, "about");

  const other = await context.newPage();
  await other.goto(site);
  await whenOpen(other);
  expect(await versionOf(other)).toBe("old");
  await reload(other).click();
  await expect.poll(() => versionOf(other).catch(() => "")).toBe("next");
  await whenOpen(other);

  // The first tab is of the version before, whose files the host has no more.
  expect(await versionOf(page)).toBe("old");
  for (const screen of ["cost", "compare", "study", "host"]) await openScreen(page, screen);
  await other.reload();
  await whenOpen(other);
  expect(await cachesOf(other)).toHaveLength(2);
  await isKeptRightly(other);

  await reload(page).click();
  await expect.poll(() => versionOf(page).catch(() => "")).toBe("next");
  await other.reload();
  await expect.poll(() => cachesOf(other)).toHaveLength(1);
  await isKeptRightly(other);
  await context.setOffline(true);
  await other.reload();
  await whenOpen(other);
  await openScreen(other, "cost");
  await context.setOffline(false);
});

const big = (content: Buffer | undefined) => (content?.length ?? 0) > 4000;
const changed = (file: string) => next.get(file) !== undefined && !old.has(file);
/** Ways in which a host or a network has not all of the new version, by what is sent for its files. */
const kHalves: Record<string, (file: string) => Sent> = {
  "half of the new files are missing": (file) =>
    changed(file) && createHash("md5").update(file).digest()[0] !== undefined && file.length % 2 === 0
      ? undefined
      : (next.get(file) ?? old.get(file)),
  "the page is still the old one": (file) => (file === "index.html" ? old.get(file) : next.get(file)),
  "every large file is cut off in the middle": (file) => {
    const content = next.get(file);
    return content !== undefined && big(content) && file !== "offline.js" ? { cut: content } : content;
  },
  "scripts are cut short, and sent as if whole": (file) => {
    const content = next.get(file);
    return content !== undefined && file.startsWith("assets/") ? { half: content } : content;
  },
  "a network sends its own page for every file": (file) => (file === "offline.js" ? next.get(file) : "portal"),
  "a network sends its own page for all": () => "portal",
  "the worker itself is cut short": (file) =>
    file === "offline.js" ? { half: next.get(file) ?? Buffer.alloc(0) } : next.get(file),
};

async function worksAsOld(page: Page, context: BrowserContext, site: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(site);
  await whenOpen(page);
  expect(await versionOf(page)).toBe("old");
  await expect(page.locator(".notice")).toHaveCount(0);
  await context.setOffline(true);
  await page.reload();
  await whenOpen(page);
  await openScreen(page, "cost");
  await context.setOffline(false);
}

for (const [name, send] of Object.entries(kHalves)) {
  test(`the old version stays while ${name}, and the new one comes once it is whole`, async ({
    page,
    context,
    host,
    site,
  }) => {
    await openKept(page, site);
    host.send = send;
    expect(await update(page)).toMatch(/^(redundant|none)$/);
    await worksAsOld(page, context, site);
    await isKeptRightly(page);

    host.serve(next);
    // The browser may be at it by itself, from the time before.
    await expect.poll(() => update(page), { timeout: 60_000 }).toBe("installed");
    await expect(newVersion(page)).toBeVisible();
    await isKeptRightly(page);
    await reload(page).click();
    await expect.poll(() => versionOf(page).catch(() => "")).toBe("next");
    await openScreen(page, "about");
  });
}

test("an update that was cut off is tried again by itself, and asks only for what is missing", async ({
  page,
  host,
  site,
}) => {
  await page.clock.install();
  await openKept(page, site);
  const worker = [...next.keys()].find((file) => /^assets\/worker-/.test(file)) ?? "";
  host.send = (file) => (file === worker ? { cut: next.get(file) ?? Buffer.alloc(0) } : next.get(file));
  expect(await update(page)).toBe("redundant");
  host.serve(next);
  host.asked.length = 0;
  await page.clock.fastForward(61_000);
  await expect(newVersion(page)).toBeVisible();
  // What has another name than before, and was kept the first time, is not sent twice.
  expect(host.asked.filter((file) => file.startsWith("assets/"))).toEqual([worker]);
  await isKeptRightly(page);
});

plain.describe("without a copy that the browser keeps", () => {
  test.use({ serviceWorkers: "block" });

  test("an old tab says that there is a new version when a part of it is gone, and keeps its inputs", async ({
    page,
    host,
    site,
  }) => {
    await page.goto(site);
    await whenOpen(page);
    await page.getByLabel("Peak requests/s", { exact: true }).fill("120");
    await expect(headline(page)).toContainText("120 requests per second");
    await expect.poll(() => page.url()).toContain("s=1.");
    const link = page.url();
    host.serve(next);
    await page.evaluate(() => {
      location.hash = "#/about";
    });
    await expect(page.getByText("This screen could not be loaded.")).toBeVisible();
    await expect(newVersion(page)).toBeVisible();
    await page.goBack();
    await expect(page.getByLabel("Peak requests/s", { exact: true })).toHaveValue("120");
    await reload(page).click();
    await expect.poll(() => versionOf(page).catch(() => "")).toBe("next");
    expect(page.url()).toBe(link);
    await expect(headline(page)).toContainText("120 requests per second");
  });

  test("a page whose engine is gone says that there is a new version", async ({ page, host, site }) => {
    host.send = (file) => (file.startsWith("engine/") || file === "offline.js" ? next.get(file) : old.get(file));
    await page.goto(site);
    await expect(page.getByText("The engine has stopped")).toBeVisible();
    await expect(newVersion(page)).toBeVisible();
    host.serve(next);
    await reload(page).click();
    await whenOpen(page);
    expect(await versionOf(page)).toBe("next");
  });

  test("an engine of another version is noticed: the page is loaded once more, then says what to do", async ({
    page,
    host,
    site,
  }) => {
    const other = `import create from "./whole.mjs";
      export default async (options) => {
        const engine = await create(options);
        return { answer: (text) => engine.answer(text).replace(/("podwright_version": *)"[^"]*"/, '$1"9.9.9"') };
      };`;
    const engine = [...old.keys()].find((file) => file.endsWith("/engine.mjs")) ?? "";
    host.send = (file) => (file === engine ? Buffer.from(other) : old.get(file.endsWith("/whole.mjs") ? engine : file));
    await page.goto(site);
    await expect(unfinished(page)).toBeVisible();
    await expect.poll(() => host.asked.filter((file) => file === "index.html").length).toBe(2);
    await expect(unfinished(page)).toBeVisible();
    await whenOpen(page);
    await isSound(page);
    expect(host.asked.filter((file) => file === "index.html")).toHaveLength(2);
    host.serve(old);
    await reload(page).click();
    await expect(unfinished(page)).toHaveCount(0);
    await whenOpen(page);
  });

  const isOwn = (file: string) => /^assets\/(?:page|index)-.+\.js$/.test(file);
  const isStyle = (file: string) => /^assets\/(?:page|index)-.+\.css$/.test(file);
  const whole = (file: string) => next.get(file) ?? Buffer.alloc(0);
  const kFirstVisits: Record<string, (file: string) => Sent> = {
    "its scripts are missing": (file) => (isOwn(file) ? undefined : next.get(file)),
    "its styles are missing": (file) => (isStyle(file) ? undefined : next.get(file)),
    "its scripts are cut short": (file) => (isOwn(file) ? { half: whole(file) } : next.get(file)),
    "its scripts are cut off": (file) => (isOwn(file) ? { cut: whole(file) } : next.get(file)),
    "a network sends its own page for them": (file) => (file.startsWith("assets/") ? "portal" : next.get(file)),
  };
  for (const [name, send] of Object.entries(kFirstVisits)) {
    test(`a first visit says what to do where ${name}, and is loaded again by itself`, async ({ page, host, site }) => {
      host.send = send;
      await page.goto(site);
      await expect(unfinished(page)).toBeVisible();
      await expect(headline(page)).toContainText("serve 50 requests per second");
      if (name.startsWith("its scripts")) await isSound(page);
      host.serve(next);
      await expect(unfinished(page)).toHaveCount(0, { timeout: 60_000 });
      await whenOpen(page);
    });
  }

  test("a page that came in halves again waits for its reader, told in both languages", async ({
    page,
    host,
    site,
  }) => {
    host.send = (file) => (isOwn(file) ? undefined : next.get(file));
    await page.goto(site);
    await expect(unfinished(page)).toContainText("网站正在更新");
    const loads = () => host.asked.filter((file) => file === "index.html").length;
    await expect.poll(loads, { timeout: 60_000 }).toBe(2);
    await page.clock.install();
    await expect(unfinished(page)).toBeVisible();
    await page.clock.fastForward(60_000);
    expect(loads()).toBe(2);
    host.serve(next);
    await page.reload();
    await whenOpen(page);
  });
});
