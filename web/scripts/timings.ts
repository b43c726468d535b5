/**
 * Gate: how fast the built site is in a real browser, as medians over several visits. A gate is the figure of the design; on a
 * machine that gives its processors to others too it is twice that, and how busy the machine is, is measured first.
 *
 * With `--gate`, as the tests run it, gates of times always count twice, and figures that are over are measured again, three times at most.
 */
import { type Browser, chromium, type Page } from "@playwright/test";
import lighthouse from "lighthouse";
import { executablePath, siteAddress, switches, whileServed } from "./browser.ts";
import { judge, median, quantile, type Row, waiting } from "./gates.ts";

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

const kDragMs = 2000;

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
        const rate = Number((10 ** (-1 + (Number(value) / 200) * 5)).toPrecision(2));
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
  const from = Date.now();
  for (let at = 0; at < kDragMs; at = Date.now() - from) {
    await page.mouse.move(x(0.54 + 0.2 * Math.sin((at / kDragMs) * Math.PI)), y);
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
  if (inputs.length < 5) throw new Error(`only ${inputs.length} inputs came of the drag`);
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

/** What the time in long tasks may be until it fits. */
const kTbtAtMost: Record<string, number> = { "#/": 100, "#/cost": 400, "#/data": 200 };
const kTakeOver = "taking over the prerendered page, four times as slow as here";
const kFormLate = "the form and the view of an answer are 30 kB beside the page's own";

async function lighthouseRows(pause: () => Promise<void>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const hash of kAudited) {
    const audits: Audit[] = [];
    for (let i = 0; i < 3; i += 1) audits.push(await audit(hash));
    await pause();
    const of = (value: (one: Audit) => number) => median(audits.map(value));
    rows.push(
      {
        name: `${hash} LCP`,
        value: of(({ lcp }) => lcp),
        gate: 1500,
        unit: "ms",
        known: hash === "#/cost" ? { atMost: 1900, why: kFormLate } : undefined,
      },
      { name: `${hash} CLS`, value: of(({ cls }) => cls), gate: 0.02, unit: "" },
      {
        name: `${hash} TBT`,
        value: of(({ tbt }) => tbt),
        gate: 50,
        unit: "ms",
        known: { atMost: kTbtAtMost[hash] ?? 200, why: kTakeOver },
      },
    );
    kCategories.forEach((category, i) => {
      rows.push({
        name: `${hash} ${category}`,
        value: of(({ scores }) => scores[i] ?? 0),
        gate: category === "performance" ? 95 : 100,
        unit: "%",
        atLeast: true,
        // The score of speed follows the times above, so a machine that is busy lowers it too.
        ofTime: category === "performance",
      });
    });
  }
  return rows;
}

// ---- the table -------------------------------------------------------------------------------------------------------

const kSearch = "a search takes 7 ms once its code is optimised, and about 20 before";

/** `pause` is called between visits: how busy the machine is changes while it is measured on. */
async function timings(browser: Browser, pause: () => Promise<void>): Promise<Row[]> {
  const first: number[] = [];
  const over4g: number[] = [];
  const drags: Drag[] = [];
  for (let i = 0; i < 7; i += 1) first.push(await firstAnswer(browser, { cpu: 4 }));
  for (let i = 0; i < 3; i += 1) over4g.push(await firstAnswer(browser, { cpu: 4, network: kFast4g }));
  for (let i = 0; i < 5; i += 1) {
    drags.push(await drag(browser));
    await pause();
  }
  const ofDrags = (value: (one: Drag) => number) => median(drags.map(value));
  return [
    { name: "first engine answer, cold, 4x CPU, p75", value: quantile(first, 0.75), gate: 1200, unit: "ms" },
    {
      name: "the same over fast 4G, median",
      value: median(over4g),
      gate: 1500,
      unit: "ms",
      known: { atMost: 1900, why: "the engine is 0.5 MB" },
    },
    {
      name: "slider to text, p95",
      value: ofDrags(({ toText }) => quantile(toText, 0.95)),
      gate: 50,
      unit: "ms",
      known: { atMost: 100, why: kSearch },
    },
    {
      name: "search in the worker while dragging, p95",
      value: ofDrags(({ search }) => quantile(search, 0.95)),
      gate: 30,
      unit: "ms",
      known: { atMost: 75, why: kSearch },
    },
    { name: "last input to the whole plan", value: ofDrags(({ toPlan }) => toPlan), gate: 150, unit: "ms" },
    { name: "longest task of a 2 s drag", value: ofDrags(({ longest }) => longest), gate: 50, unit: "ms" },
  ];
}

// Lighthouse leaves a check of its own running that fails when it has closed the page; its result is there by then.
process.on("unhandledRejection", (error) => {
  if (!String(error).includes("Session closed")) throw error;
});

const isGate = process.argv.includes("--gate");

/** All figures once; true where none is over its gate. */
async function measure(): Promise<boolean> {
  const started = performance.now();
  const shares = [await waiting()];
  const pause = async () => void shares.push(await waiting());
  const args = [...switches, `--remote-debugging-port=${kDebugPort}`];
  const browser = await chromium.launch({ executablePath, args });
  const rows = [...(await timings(browser, pause)), ...(await lighthouseRows(pause))];
  await browser.close();
  const isFine = judge(rows, quantile(shares, 0.75), isGate);
  console.log(`measured in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return isFine;
}

let isFine = false;
await whileServed(async () => {
  for (let left = isGate ? 3 : 1; left > 0 && !isFine; left -= 1) isFine = await measure();
});
process.exit(isFine ? 0 : 1);
