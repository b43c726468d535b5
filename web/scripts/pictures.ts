/** Every screen and state of the site with what leads there, for pictures of them and for the test of what can be read on them. */
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { kScreens, pathOf } from "../src/route.ts";
import { kStudyScreens, studyAddress } from "../src/study/screens/addresses.ts";

export const kLooks = {
  desktop: { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1024, height: 768 }, colorScheme: "dark" },
  phone: { viewport: { width: 360, height: 780 }, colorScheme: "light" },
} as const;
export type Look = keyof typeof kLooks;
export const looks = Object.keys(kLooks) as Look[];

export interface Picture {
  name: string;
  hash: string;
  /** The browser's language, where it is not English. */
  locale?: string;
  /** What is done before the page is opened. */
  before?: (page: Page) => Promise<unknown>;
  /** What leads to the state, in a wide window, and waits for it. */
  act?: (page: Page) => Promise<unknown>;
  /** No engine answers in this state. */
  withoutEngine?: true;
  /** The site's worker for use without a network is at work. */
  offline?: true;
}

/** Waits until the screen is whole, the engine has nothing to do, and nothing has changed for a few frames. */
export async function standsStill(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const kFrames = 12;
    const waiting = ".deferred.pending, .waiting, .opening, [aria-busy=true]";
    const seen = window as unknown as { changes?: number; still?: number };
    if (seen.changes === undefined) {
      seen.changes = 0;
      new MutationObserver(() => {
        seen.still = 0;
      }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    }
    seen.still =
      document.querySelector(waiting) === null && document.fonts.status === "loaded" ? (seen.still ?? 0) + 1 : 0;
    return seen.still > kFrames;
  });
}

const main = (page: Page) => page.locator("main");
const shows = (page: Page, text: string | RegExp) => main(page).getByText(text).first().waitFor();

export async function explain(page: Page): Promise<void> {
  await page.locator('main button.figure[data-place$="tpot_s"]').first().click();
  await page.getByRole("dialog").getByText("Exact value").waitFor();
}

async function openFolds(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const folds = [...document.querySelectorAll<HTMLDetailsElement>("main :not(.side, .side *) > details")];
    const closed = folds.filter((fold) => !fold.open);
    for (const fold of closed) fold.open = true;
    // What a fold holds may be loaded, and asked for, when it is opened.
    const isHollow = folds.some((fold) => fold.lastElementChild?.tagName === "SUMMARY");
    const isAsking = document.querySelector("main")?.textContent.includes("Working…");
    return closed.length === 0 && !isHollow && !isAsking && document.querySelector(".deferred.pending") === null;
  });
}

const write = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

async function inEuros(page: Page): Promise<void> {
  await page.getByLabel("Currency", { exact: true }).selectOption("EUR");
  await shows(page, /€/);
}

async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill(words);
}

async function keepTwo(page: Page): Promise<void> {
  for (const rate of ["50", "120"]) {
    await page.goto("./#/");
    await write(page, "Peak requests/s", rate);
    await shows(page, `${rate} requests per second`);
    await standsStill(page);
    await page.goto("./#/compare");
    await page.locator(".save-here input").fill(`${rate} requests/s`);
    await page.locator(".save-here button").click();
  }
  await page.locator(".results tbody tr").first().waitFor();
}

/** The first card of the session with its solution open. */
async function answerFirst(page: Page): Promise<void> {
  await page.locator(".question-prompt").waitFor();
  await page.keyboard.press("n");
  await page.locator(".verdict").waitFor();
}

/** A term with its meaning. */
async function turnFirst(page: Page): Promise<void> {
  await page.locator(".recall").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".recall-back").waitFor();
}

/** An own card, one that is being changed, a bookmark and a card that is not asked again. */
async function fillCards(page: Page): Promise<void> {
  await page.goto(`./${studyAddress("session", "objective", "1.4")}`);
  await page.getByRole("button", { name: "Bookmark" }).click();
  await page.getByRole("button", { name: "Do not ask again" }).click();
  await page.goto(`./${studyAddress("cards")}`);
  for (const [front, back] of [
    ["Which port does RoCE v2 use?", "UDP 4791"],
    ["What does a BMC do when the host is off?", "It still answers: power, sensors and\nthe console over the network."],
  ] as const) {
    await page.getByLabel("Front").fill(front);
    await page.getByLabel("Back").fill(back);
    await page.getByRole("button", { name: "Add card" }).click();
    await page.getByRole("button", { name: `Change: ${front}` }).waitFor();
  }
  await page.getByRole("button", { name: "Add card" }).click();
  await page.locator(".own-list", { hasNotText: "…" }).last().waitFor();
}

/** A question with a note and a bookmark. */
async function noteFirst(page: Page): Promise<void> {
  await answerFirst(page);
  await page.keyboard.press("b");
  await page.getByRole("button", { name: "Add a note" }).click();
  await page.getByLabel("Your note").fill("Seen in the guide too: look at the table of ports.");
  await page.getByRole("button", { name: "Save the note" }).click();
  await page.getByRole("button", { name: "Change the note" }).waitFor();
}

/** A wrong command, a hint, and the right one. */
async function typeCommands(page: Page): Promise<void> {
  const line = page.locator(".terminal-form input");
  for (const text of ["nvidia-smi -mig 1", "hint", "nvidia-smi -i 0 -mig 1"]) {
    await line.fill(text);
    await line.press("Enter");
  }
  await page.locator(".terminal-note.good").waitFor();
}

async function beginExam(page: Page): Promise<void> {
  await page.getByLabel("Seed").fill("7");
  await page.getByLabel("Seed").press("Enter");
  await page.locator(".exam-question").waitFor();
}

async function checkExam(page: Page): Promise<void> {
  await beginExam(page);
  await page.getByRole("button", { name: "Hand in …" }).click();
  await page.locator(".exam-check").waitFor();
}

async function endExam(page: Page): Promise<void> {
  await checkExam(page);
  await page.getByRole("button", { name: "Hand in now" }).click();
  await page.locator(".exam-missed").first().waitFor();
}

async function readText(page: Page, text: string): Promise<void> {
  await page.getByLabel("Or paste the text of a file").fill(text);
  await page.getByRole("button", { name: "Read this text" }).click();
}

/** What `vllm bench serve` writes. */
export const kBench = JSON.stringify({
  backend: "vllm",
  model_id: "example-8b",
  hostname: "rack-7-node-3",
  max_concurrency: 16,
  duration: 20,
  completed: 200,
  total_input_tokens: 204800,
  total_output_tokens: 25600,
  request_throughput: 10,
  output_throughput: 1280,
  mean_ttft_ms: 80,
  mean_tpot_ms: 12,
});

async function sampleRead(page: Page): Promise<void> {
  await page.getByRole("heading", { name: /Use in plans|用于规划/ }).waitFor();
  await page.locator(".before-after dd").nth(1).waitFor({ state: "attached" });
}

async function sampleSaved(page: Page): Promise<void> {
  await sampleRead(page);
  for (const name of ["first", "second"]) {
    await page.getByLabel("Save this host as").fill(name);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("checkbox", { name: `Tick ${name} for comparison` }).check();
  }
  await shows(page, "No result differs by more than its noise.");
}

async function withoutNetwork(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.context().setOffline(true);
  await page.reload();
  await page.locator(".pareto svg.chart").waitFor();
}

const kOfPlan: readonly Picture[] = [
  { name: "plan, a number explained", hash: "#/", act: explain },
  { name: "plan, all folds open", hash: "#/", act: openFolds },
  {
    name: "plan that is impossible",
    hash: "#/",
    act: async (page) => {
      await write(page, "Each token within", "0.5");
      await shows(page, "No plan meets these targets");
    },
  },
  {
    name: "plan, an error in a field",
    hash: "#/",
    act: async (page) => {
      await write(page, "Peak requests/s", "-3");
      await page.locator("#rate[aria-invalid=true]").waitFor();
    },
  },
  {
    name: "plan over its budget",
    hash: "#/",
    act: async (page) => {
      await write(page, "Purchase budget", "1000");
      await shows(page, /the budget is|budget of/);
    },
  },
  {
    name: "plan after an edit",
    hash: "#/",
    act: async (page) => {
      await write(page, "Peak requests/s", "120");
      await shows(page, "120 requests per second");
    },
  },
  {
    name: "plan that trains",
    hash: "#/",
    act: async (page) => {
      await page.getByLabel("Train", { exact: true }).click();
      await main(page).locator("h1", { hasNotText: "requests per second" }).waitFor();
    },
  },
  { name: "plan in euros", hash: "#/", act: inEuros },
  { name: "money in euros", hash: "#/money", act: inEuros },
  { name: "plan, a link that cannot be read", hash: "#/?s=1.broken", act: (page) => shows(page, /link is broken/) },
  { name: "plan, an address that leads nowhere", hash: "#/nowhere" },
  {
    name: "plan, the engine has stopped",
    hash: "#/",
    withoutEngine: true,
    before: (page) => page.route("**/engine/*/engine.mjs", (route) => route.abort()),
    act: (page) => shows(page, "The engine has stopped"),
  },
  { name: "plan without a network", hash: "#/", offline: true, act: withoutNetwork },
  { name: "commands", hash: "#/", act: (page) => command(page, "budget") },
  { name: "commands, nothing found", hash: "#/", act: (page) => command(page, "zzzzzz") },
  ...["plan", "speed", "money", "build", "run", "risk", "report"].map((screen) => ({
    name: `${screen} in Chinese`,
    hash: screen === "plan" ? "#/" : `#/${screen}`,
    locale: "zh-CN",
  })),
  {
    name: "serving, too large",
    hash: "#/serving",
    act: async (page) => {
      await page.getByText("Too large to fit").click();
      await shows(page, "This request cannot be met");
    },
  },
  {
    name: "serving, an error in a field",
    hash: "#/serving",
    act: async (page) => {
      await page.locator("#in-input_tokens").fill("-1");
      await shows(page, "There is an error in the input");
    },
  },
  {
    name: "serving in Chinese, too large",
    hash: "#/serving",
    locale: "zh-CN",
    act: (page) => page.locator(".examples button").nth(2).click(),
  },
  { name: "cost in Chinese", hash: "#/cost", locale: "zh-CN" },
  { name: "compare, two scenarios", hash: "#/compare", act: keepTwo },
];

/** What nvidia-smi says of eight GPUs, one of them hot and faulty. npm runs scripts and tests in web/. */
const kHotLog = resolve("../tests/measure/data/hot_h100.xml");

const kOfMachines: readonly Picture[] = [
  {
    name: "machines, one of eight GPUs is hot",
    hash: "#/host",
    act: async (page) => {
      await page.locator("#host-files").setInputFiles(kHotLog);
      await shows(page, "1 of 8 GPUs needs service.");
    },
  },
  { name: "machines, a sample", hash: "#/host/sample", act: sampleRead },
  {
    name: "machines, a sample, all folds open",
    hash: "#/host/sample",
    act: async (page) => {
      await sampleRead(page);
      await openFolds(page);
    },
  },
  { name: "machines, two saved", hash: "#/host/sample", act: sampleSaved },
  {
    name: "machines, a serving measurement",
    hash: "#/host",
    act: async (page) => {
      await readText(page, kBench);
      await shows(page, "host names: 1");
    },
  },
  {
    name: "machines, nothing could be read",
    hash: "#/host",
    act: async (page) => {
      await readText(page, "gpu,rate\nd0,5\n");
      await page.getByRole("alert").filter({ hasText: "comma-separated" }).waitFor();
    },
  },
  { name: "machines in Chinese", hash: "#/host/sample", locale: "zh-CN", act: sampleRead },
];

const kOfLibrary: readonly Picture[] = [
  ...[
    "prices",
    "systems",
    "models",
    "engines",
    "weight-formats",
    "switches",
    "architectures",
    "regions",
    "sources",
  ].map((list) => ({ name: `data, ${list}`, hash: `#/data/${list}` })),
  { name: "data, a GPU", hash: "#/data/gpus/h100-sxm5-80gb" },
  { name: "data, a model", hash: "#/data/models/deepseek-v4-pro" },
  {
    name: "data, nothing found",
    hash: "#/data/gpus",
    act: async (page) => {
      await page.getByLabel("Filter").fill("zzzz");
      await page.getByRole("button", { name: "Show all" }).waitFor();
    },
  },
  { name: "data in Chinese", hash: "#/data/prices", locale: "zh-CN" },
  { name: "claims in Chinese", hash: "#/claims", locale: "zh-CN" },
];

const kOfStudy: readonly Picture[] = [
  ...[...kStudyScreens.filter((screen) => screen !== ""), "coverage" as const].map((screen) => ({
    name: `study, ${screen}`,
    hash: studyAddress(screen),
  })),
  { name: "study, a lesson", hash: studyAddress("lessons", "inference-memory") },
  { name: "study, a lesson with drawings", hash: studyAddress("lessons", "use-cases") },
  { name: "study, a lab", hash: studyAddress("labs", "kv-cache-of-a-long-context") },
  { name: "study, a command lab", hash: studyAddress("commands", "mig-slices"), act: typeCommands },
  { name: "study, a question answered", hash: studyAddress("session"), act: answerFirst },
  { name: "study, a question with a note", hash: studyAddress("session"), act: noteFirst },
  { name: "study, a term turned", hash: studyAddress("session", "terms"), act: turnFirst },
  { name: "study, own cards", hash: studyAddress("cards"), act: fillCards },
  { name: "study, an exam that runs", hash: studyAddress("exam"), act: beginExam },
  { name: "study, an exam to hand in", hash: studyAddress("exam"), act: checkExam },
  { name: "study, the result of an exam", hash: studyAddress("exam"), act: endExam },
  { name: "study in Chinese", hash: studyAddress(""), locale: "zh-CN" },
  { name: "study, a question in Chinese", hash: studyAddress("session"), locale: "zh-CN", act: answerFirst },
];

export const kPictures: readonly Picture[] = [
  ...kScreens.map((screen) => ({ name: screen, hash: `#${pathOf(screen)}` })),
  ...kOfPlan,
  ...kOfMachines,
  ...kOfLibrary,
  ...kOfStudy,
];

/** Opens a picture's screen in a page whose base is the site and brings it into its state. */
export async function reach(page: Page, { hash, before, act, withoutEngine }: Picture): Promise<void> {
  await before?.(page);
  await page.goto(`./${hash}`);
  await page
    .locator("h1", { hasNotText: /The engine is at work|引擎/ })
    .first()
    .waitFor();
  if (withoutEngine === undefined) await standsStill(page);
  await act?.(page);
  if (withoutEngine === undefined) await standsStill(page);
}

/** Shows the page in a look: another size is drawn with the next frames. */
export async function showIn(page: Page, look: Look): Promise<void> {
  const { viewport, colorScheme } = kLooks[look];
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
