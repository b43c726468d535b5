/**
 * How fast the built site is in a browser, over several visits. Every time is also told in rounds of a fixed piece of work that the same browser does
 * meanwhile: a busy or slow machine takes as much longer for both. Nothing here fails: what tests count is in `work.spec.ts`.
 */
import { type Browser, chromium, type Locator, type Page } from "@playwright/test";
import lighthouse from "lighthouse";
import { executablePath, siteAddress, switches, whileServed } from "./browser.ts";
import { beside, openLoop, print, quantile, type Row } from "./loops.ts";

// ---- the first answer ------------------------------------------------------------------------------------------------

interface Slowness {
  cpu: number;
  /** Bytes a second and round trip, as DevTools has them for "Fast 4G" (9 Mbit/s of which nine tenths, 165 ms). */
  network?: { downloadThroughput: number; uploadThroughput: number; latency: number };
}
const kFast4g = { downloadThroughput: (9e6 / 8) * 0.9, uploadThroughput: (1.5e6 / 8) * 0.9, latency: 165 };

/** A visit with nothing kept; the processor is slowed for the page itself, whose worker runs at full speed. */
async function freshPage(browser: Browser, { cpu, network }: Slowness): Promise<Page> {
  const context = await browser.newContext({ serviceWorkers: "block", viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpu });
  if (network !== undefined) {
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", { offline: false, ...network });
  }
  return page;
}

/** From the start of the visit until the engine's points are drawn, which the page cannot have had before. */
async function firstAnswer(browser: Browser, slowness: Slowness): Promise<number> {
  const page = await freshPage(browser, slowness);
  await page.addInitScript(() => {
    const look = new MutationObserver(() => {
      if (document.querySelector(".pareto svg.chart") === null) return;
      look.disconnect();
      requestAnimationFrame(() => performance.mark("answered"));
    });
    look.observe(document, { childList: true, subtree: true });
  });
  await page.goto(siteAddress);
  await page.waitForFunction(() => performance.getEntriesByName("answered").length > 0);
  const at = await page.evaluate(() => performance.getEntriesByName("answered")[0]?.startTime ?? Number.NaN);
  await page.context().close();
  return at;
}

// ---- a slider that is dragged ----------------------------------------------------------------------------------------

interface Drag {
  /** From an input to the first sentence that answers it or a later one. */
  toText: number[];
  /** In the worker, from a question to its answer. */
  search: number[];
  longest: number;
  /** From the last input to its whole plan, draws and all. */
  toPlan: number;
}

/** Put before the worker's own code: notes how long each question takes inside. */
const kWorkerClock = `self.times = []; { let from = 0; const post = self.postMessage.bind(self);
self.addEventListener("message", () => { from = performance.now(); });
self.postMessage = (...all) => { self.times.push(performance.now() - from); post(...all); }; }\n`;

/** Two seconds of a drag, where the page keeps up. */
const kDragSteps = 120;

async function drag(browser: Browser): Promise<Drag> {
  const page = await freshPage(browser, { cpu: 1 });
  await page.route("**/assets/worker-*.js", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: kWorkerClock + (await answer.text()) });
  });
  await page.goto(siteAddress);
  await page.locator(".pareto svg.chart").waitFor();
  await page.waitForTimeout(1500);
  await page.evaluate(() => {
    const seen = { inputs: [] as [number, number][], shown: [] as [number, number][], long: [] as number[], whole: 0 };
    Object.assign(window, { seen });
    document.addEventListener(
      "input",
      (event) => {
        const { value } = event.target as HTMLInputElement;
        const rate = Number((10 ** (-1 + (Number(value) / 200) * 4)).toPrecision(2));
        seen.inputs.push([event.timeStamp, rate]);
      },
      true,
    );
    new MutationObserver(() => {
      const rate = Number(/serves? ([\d.]+) /.exec(document.querySelector("h1")?.textContent ?? "")?.[1]);
      if (rate !== seen.shown.at(-1)?.[1]) seen.shown.push([performance.now(), rate]);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    const answer = document.querySelector(".answer") as Element;
    new MutationObserver(() => {
      if (answer.getAttribute("aria-busy") === "false") seen.whole = performance.now();
    }).observe(answer, { attributeFilter: ["aria-busy"] });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.long.push(duration);
    }).observe({ type: "longtask" });
  });
  const [worker] = page.workers();
  await worker?.evaluate("self.times.length = 0");

  const box = await page.locator(".slider input").boundingBox();
  if (box === null) throw new Error("no slider");
  const y = box.y + box.height / 2;
  const x = (share: number) => box.x + box.width * share;
  await page.mouse.move(x(0.54), y);
  await page.mouse.down();
  for (let step = 0; step < kDragSteps; step += 1) {
    await page.mouse.move(x(0.54 + 0.2 * Math.sin((step / kDragSteps) * Math.PI)), y);
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
  await page.waitForTimeout(1500);

  interface Seen {
    inputs: [number, number][];
    shown: [number, number][];
    long: number[];
    whole: number;
  }
  const { inputs, shown, long, whole } = await page.evaluate(() => (window as unknown as { seen: Seen }).seen);
  const times = ((await worker?.evaluate("self.times")) ?? []) as number[];
  await page.context().close();
  if (inputs.length === 0) throw new Error("no input came of the drag");
  const answered = inputs.map(([when], i) => {
    const later = new Set(inputs.slice(i).map(([, rate]) => rate));
    return (shown.find(([at, rate]) => at > when && later.has(rate))?.[0] ?? Number.NaN) - when;
  });
  return {
    toText: answered.filter(Number.isFinite),
    search: times,
    longest: Math.max(0, ...long),
    toPlan: whole - (inputs.at(-1)?.[0] ?? Number.NaN),
  };
}

// ---- what a person presses and types -----------------------------------------------------------------------------------

/** Does one thing after the other, each when the answer to the one before is there, as a person does who looks at it. */
async function useThePage(page: Page): Promise<void> {
  const settled = () =>
    page.waitForFunction(() => document.querySelector("[aria-busy=true], .waiting, .deferred.pending") === null);
  const pressAll = async (keys: readonly string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await settled();
    }
  };
  const click = async (target: Locator) => {
    await target.click();
    await settled();
  };
  await page.locator(".slider input").focus();
  await pressAll([...Array<string>(12).fill("ArrowRight"), ...Array<string>(8).fill("ArrowLeft")]);
  await click(page.getByLabel("Input tokens"));
  await pressAll(["Control+a", ..."4096"]);
  await click(page.getByLabel("Output tokens"));
  await pressAll(["Control+a", ..."256"]);
  for (const name of ["Fast", "Chat", "Rent", "Buy", "Either"]) await click(page.getByLabel(name, { exact: true }));
  for (const view of ["Speed", "Money", "Build", "Run it", "Risk", "Answer"])
    await click(page.locator(".screens").getByRole("link", { name: view, exact: true }));
  for (const figure of await page.locator("h1 button.figure").all()) {
    await click(figure);
    await pressAll(["Escape"]);
  }
  await click(
    page
      .locator(".plans")
      .getByRole("button", { name: /^Show / })
      .first(),
  );
  // The palette comes with its own script.
  await pressAll(["Control+k"]);
  const palette = page.locator("dialog.palette");
  await palette.waitFor();
  await pressAll([..."budget", "Escape"]);
  await palette.waitFor({ state: "hidden" });
  await click(page.locator("summary", { hasText: "Memory breakdown" }));
  await click(page.getByRole("button", { name: "Undo" }));
}

/**
 * Interaction to next paint: of all interactions of a visit the longest but one of fifty, each from the input until what follows
 * of it is painted, in steps of 8 ms.
 */
async function inputToPaint(browser: Browser): Promise<number> {
  const page = await freshPage(browser, { cpu: 1 });
  await page.addInitScript(() => {
    const longest = new Map<number, number>();
    Object.assign(window, { longest });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { interactionId: id = 0, duration } = entry as PerformanceEntry & { interactionId?: number };
        if (id !== 0) longest.set(id, Math.max(duration, longest.get(id) ?? 0));
      }
    }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
  await page.goto(siteAddress);
  await page.locator(".pareto svg.chart").waitFor();
  await page.waitForTimeout(1500);
  await useThePage(page);
  await page.waitForTimeout(500);
  const value = await page.evaluate(() => {
    const { longest } = window as unknown as { longest: Map<number, number> };
    const { interactionCount = 0 } = performance as Performance & { interactionCount?: number };
    const sorted = [...longest.values()].sort((a, b) => b - a);
    // One that is not noted was painted within two frames.
    return interactionCount === 0 ? Number.NaN : (sorted[Math.floor(interactionCount / 50)] ?? 16);
  });
  await page.context().close();
  return value;
}

// ---- the mobile preset of Lighthouse ---------------------------------------------------------------------------------

const kDebugPort = 9333;
const kAudited = ["#/", "#/cost", "#/data"];
const kCategories = ["performance", "accessibility", "best-practices"] as const;

interface Audit {
  scores: number[];
  lcp: number;
  cls: number;
  tbt: number;
}

async function audit(hash: string): Promise<Audit> {
  const options = { port: kDebugPort, onlyCategories: [...kCategories], logLevel: "error" as const };
  const lhr = (await lighthouse(siteAddress + hash, options))?.lhr;
  const number = (id: string) => lhr?.audits[id]?.numericValue ?? Number.NaN;
  return {
    scores: kCategories.map((id) => 100 * (lhr?.categories[id]?.score ?? Number.NaN)),
    lcp: number("largest-contentful-paint"),
    cls: number("cumulative-layout-shift"),
    tbt: number("total-blocking-time"),
  };
}

/** Visits of one kind, each with the fixed work beside it. */
interface Visits<Seen> {
  seen: Seen[];
  loops: number[];
}

async function visits<Seen>(
  count: number,
  loop: () => Promise<number>,
  visit: () => Promise<Seen>,
): Promise<Visits<Seen>> {
  const all: Visits<Seen> = { seen: [], loops: [] };
  for (let i = 0; i < count; i += 1) {
    const one = await beside(loop, visit);
    all.seen.push(one.result);
    all.loops.push(one.loop);
  }
  return all;
}

async function lighthouseRows(loop: () => Promise<number>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const hash of kAudited) {
    const { seen, loops } = await visits(3, loop, () => audit(hash));
    rows.push(
      { name: `${hash} LCP`, values: seen.map(({ lcp }) => lcp), loops, goal: 1200, unit: "ms" },
      { name: `${hash} CLS`, values: seen.map(({ cls }) => cls), goal: 0.02, unit: "" },
      { name: `${hash} TBT`, values: seen.map(({ tbt }) => tbt), loops, goal: 50, unit: "ms" },
      ...kCategories.map(
        (category, i): Row => ({
          name: `${hash} ${category}`,
          values: seen.map(({ scores }) => scores[i] ?? Number.NaN),
          goal: category === "performance" ? 95 : 100,
          unit: "%",
        }),
      ),
    );
  }
  return rows;
}

// ---- the table -------------------------------------------------------------------------------------------------------

async function timings(browser: Browser, loop: () => Promise<number>): Promise<Row[]> {
  const first = await visits(7, loop, () => firstAnswer(browser, { cpu: 4 }));
  const over4g = await visits(3, loop, () => firstAnswer(browser, { cpu: 4, network: kFast4g }));
  const drags = await visits(5, loop, () => drag(browser));
  const uses = await visits(5, loop, () => inputToPaint(browser));
  const ofDrags = (name: string, goal: number, value: (one: Drag) => number): Row => ({
    name,
    values: drags.seen.map(value),
    loops: drags.loops,
    goal,
    unit: "ms",
  });
  return [
    {
      name: "first engine answer, cold, 4x CPU, p75",
      values: first.seen,
      loops: first.loops,
      goal: 1200,
      unit: "ms",
      share: 0.75,
    },
    { name: "the same over fast 4G", values: over4g.seen, loops: over4g.loops, goal: 1500, unit: "ms" },
    ofDrags("slider to text, p95", 50, ({ toText }) => quantile(toText, 0.95)),
    ofDrags("search in the worker while dragging, p95", 30, ({ search }) => quantile(search, 0.95)),
    ofDrags("last input to the whole plan", 150, ({ toPlan }) => toPlan),
    ofDrags("longest task of a drag", 50, ({ longest }) => longest),
    { name: "interaction to next paint, p98", values: uses.seen, loops: uses.loops, goal: 60, unit: "ms" },
    {
      name: "the fixed work itself",
      values: [first, over4g, drags, uses].flatMap(({ loops }) => loops),
      unit: "ms",
    },
  ];
}

// Lighthouse leaves a check of its own running that fails when it has closed the page; its result is there by then.
process.on("unhandledRejection", (error) => {
  if (!String(error).includes("Session closed")) throw error;
});

await whileServed(async () => {
  const args = [...switches, `--remote-debugging-port=${kDebugPort}`];
  const browser = await chromium.launch({ executablePath, args });
  const loop = await openLoop(browser);
  print([...(await timings(browser, loop)), ...(await lighthouseRows(loop))]);
  await browser.close();
});
process.exit(0);
