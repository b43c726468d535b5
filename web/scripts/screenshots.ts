/**
 * Pictures of every screen as people see it, for review by eye: on a desktop, on a phone, and in the dark; with one page of all.
 * Names after the command take those pictures only; `readme` takes those of the README and the docs again.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "@playwright/test";
import { kScreens, pathOf } from "../src/route.ts";
import { kStudyScreens, studyAddress } from "../src/study/screens/addresses.ts";
import { executablePath, siteAddress, switches, whileServed } from "./browser.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, "build/screenshots");

const kLooks = {
  desktop: { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  phone: { viewport: { width: 360, height: 780 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
} as const;
type Look = keyof typeof kLooks;

/** The bar of a phone would lie in the middle of a picture of the whole page. */
const kStyle = "@media (max-width: 48rem) { .areas { position: static !important } }";

interface Picture {
  name: string;
  hash: string;
  /** The browser's language, where it is not English. */
  locale?: string;
  /** What is done before the picture is taken. */
  act?: (page: Page) => Promise<void>;
}

async function explain(page: Page): Promise<void> {
  await page.locator('main button.figure[data-place$="tpot_s"]').first().click();
  await page.getByRole("dialog").getByText("Exact value").waitFor();
}

async function openFolds(page: Page): Promise<void> {
  await page.locator(".details details").first().waitFor({ state: "attached" });
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll<HTMLDetailsElement>(".details details")) fold.open = true;
  });
  await page.waitForTimeout(300);
}

/** Writes into the plan's form, which waits folded on a phone. */
async function write(page: Page, label: string, text: string): Promise<void> {
  const door = page.getByRole("button", { name: "Change the inputs" });
  if ((await door.isVisible()) && (await door.getAttribute("aria-expanded")) === "false") await door.click();
  await page.getByLabel(label, { exact: true }).fill(text);
}

async function keepTwo(page: Page): Promise<void> {
  for (const rate of ["50", "120"]) {
    await page.goto(`${siteAddress}#/`);
    await write(page, "Peak requests/s", rate);
    await page.waitForTimeout(1000);
    await page.goto(`${siteAddress}#/compare`);
    await page.locator(".save-here input").fill(`${rate} requests/s`);
    await page.locator(".save-here button").click();
  }
  await page.locator(".results tbody tr").first().waitFor();
}

async function takeThird(page: Page): Promise<void> {
  await page.locator(".examples button").nth(2).click();
}

/** The first card of the session with its solution open. */
async function answerFirst(page: Page): Promise<void> {
  await page.locator(".question-prompt").waitFor();
  await page.keyboard.press("n");
}

async function beginExam(page: Page): Promise<void> {
  await page.getByLabel("Seed").press("Enter");
  await page.locator(".exam-question").waitFor();
}

const kPictures: readonly Picture[] = [
  ...kScreens.map((screen) => ({ name: screen, hash: `#${pathOf(screen)}` })),
  { name: "plan, a number explained", hash: "#/", act: explain },
  { name: "plan, all folds open", hash: "#/", act: openFolds },
  { name: "plan that is impossible", hash: "#/", act: (page) => write(page, "Each token within", "0.5") },
  { name: "serving, too large", hash: "#/serving", act: (page) => page.getByText("Too large to fit").click() },
  { name: "compare, two scenarios", hash: "#/compare", act: keepTwo },
  { name: "data, a GPU", hash: "#/data/gpus/h100-sxm5-80gb" },
  { name: "data, models", hash: "#/data/models" },
  { name: "plan in Chinese", hash: "#/", locale: "zh-CN" },
  { name: "cost in Chinese", hash: "#/cost", locale: "zh-CN" },
  { name: "serving in Chinese, too large", hash: "#/serving", locale: "zh-CN", act: takeThird },
  ...kStudyScreens
    .filter((screen) => screen !== "")
    .map((screen) => ({ name: `study, ${screen}`, hash: studyAddress(screen) })),
  { name: "study, a lesson", hash: studyAddress("lessons", "inference-memory") },
  { name: "study, a lab", hash: studyAddress("labs", "kv-cache-of-a-long-context") },
  { name: "study, a question answered", hash: studyAddress("session"), act: answerFirst },
  { name: "study, an exam that runs", hash: studyAddress("exam"), act: beginExam },
  { name: "study in Chinese", hash: studyAddress(""), locale: "zh-CN" },
  { name: "commands", hash: "#/", act: (page) => page.keyboard.press("Control+k") },
];

const fileOf = (name: string, look: Look) => `${name.replaceAll(/[^a-zA-Z]+/g, "-")}-${look}.png`;

/** The screen of a picture once the engine has answered and nothing moves. */
async function show(page: Page, { hash, act }: Picture): Promise<void> {
  await page.goto(siteAddress + hash);
  await page.locator("h1", { hasNotText: /The engine is at work|引擎/ }).waitFor();
  if (hash === "#/") await page.locator(".pareto svg.chart").waitFor();
  await page.waitForTimeout(500);
  await act?.(page);
  await page.waitForTimeout(700);
}

async function take(browser: Browser, picture: Picture, look: Look): Promise<string> {
  const { name, locale } = picture;
  const context = await browser.newContext({ ...kLooks[look], locale, serviceWorkers: "block", bypassCSP: true });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await show(page, picture);
  await page.screenshot({
    path: join(folder, fileOf(name, look)),
    fullPage: true,
    animations: "disabled",
    style: kStyle,
  });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await context.close();
  return [...faults, ...(wide > 0 ? [`wider than the window by ${wide} pixels`] : [])].join("; ");
}

function pageOfAll(notes: ReadonlyMap<string, string>): string {
  const picture = (name: string, look: Look) => {
    const file = fileOf(name, look);
    const note = notes.get(file) ?? "";
    return `<figure class="${look}"><a href="${file}"><img src="${file}" alt="${name}, ${look}" loading="lazy"></a><figcaption>${look}${note === "" ? "" : `: <b>${note}</b>`}</figcaption></figure>`;
  };
  const rows = kPictures.map(
    ({ name }) =>
      `<h2>${name}</h2><div>${(Object.keys(kLooks) as Look[]).map((look) => picture(name, look)).join("")}</div>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Podwright: every screen</title>
<style>body{font:15px system-ui;margin:2rem}div{display:flex;gap:1rem;align-items:flex-start}figure{margin:0;flex:2}.phone{flex:0.7}
img{width:100%;border:1px solid #999;max-height:60rem;object-fit:cover;object-position:top}b{color:#b00}</style>
<h1>Every screen</h1>${rows.join("\n")}</html>\n`;
}

/** Scrolls until the part that holds the first of `chart` begins the window. */
async function toTop(page: Page, chart: string): Promise<void> {
  const part = page.locator("section", { has: page.locator(chart) }).last();
  await part.evaluate((element) => element.scrollIntoView({ block: "start" }));
}

/** Pictures that the README and the docs show: what a window of this size shows, small enough to be kept with the source. */
const kReadme: readonly Picture[] = [
  { name: "plan", hash: "#/" },
  { name: "explained", hash: "#/", act: explain },
  { name: "cost", hash: "#/cost", act: (page) => toTop(page, ".curve:not(.fan-bands)") },
];
const kReadmeWindow = { width: 1120, height: 800 };
const kMostBytes = 150_000;

async function takeReadme(browser: Browser): Promise<void> {
  const pictures = join(root, "docs/pictures");
  mkdirSync(pictures, { recursive: true });
  for (const picture of kReadme) {
    const context = await browser.newContext({ viewport: kReadmeWindow, serviceWorkers: "block", bypassCSP: true });
    const page = await context.newPage();
    await show(page, picture);
    const path = join(pictures, `${picture.name}.png`);
    await page.screenshot({ path, animations: "disabled" });
    await context.close();
    const { size } = statSync(path);
    console.log(`${relative(process.cwd(), path)}: ${size} bytes`);
    if (size > kMostBytes) throw new Error(`${path} has more than ${kMostBytes} bytes; take a smaller window`);
  }
}

if (process.argv.length === 2) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const notes = new Map<string, string>();
await whileServed(async () => {
  const browser = await chromium.launch({ executablePath, args: switches });
  const only = process.argv.slice(2);
  if (only.includes("readme")) await takeReadme(browser);
  for (const picture of kPictures.filter(({ name }) => only.length === 0 || only.includes(name)))
    for (const look of Object.keys(kLooks) as Look[]) {
      const note = await take(browser, picture, look);
      notes.set(fileOf(picture.name, look), note);
      if (note !== "") console.log(`${fileOf(picture.name, look)}: ${note}`);
    }
  await browser.close();
});
writeFileSync(join(folder, "index.html"), pageOfAll(notes));
console.log(
  `${kPictures.length * Object.keys(kLooks).length} pictures: ${relative(process.cwd(), join(folder, "index.html"))}`,
);
