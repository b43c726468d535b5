/**
 * Pictures of every screen and state as people see them, for review by eye: on a desktop, in the dark and on a phone; with
 * one page of all. Names after the command take those pictures only; `readme` takes those of the README and the docs again.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "@playwright/test";
import { executablePath, siteAddress, switches, whileServed } from "./browser.ts";
import { explain, kLooks, kPictures, type Look, looks, type Picture, reach, showIn } from "./pictures.ts";
import { unreadableOn } from "./unreadable.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, "build/screenshots");

/** The bar of a phone would lie in the middle of a picture of the whole page. */
const kStyle = "@media (max-width: 48rem) { .areas { position: static !important } }";

const fileOf = (name: string, look: Look) => `${name.replaceAll(/[^a-zA-Z]+/g, "-")}-${look}.png`;

/** Takes the picture in each look; gives what is wrong in each of them. */
async function take(browser: Browser, picture: Picture): Promise<Map<string, string>> {
  const { name, locale, offline } = picture;
  const serviceWorkers = offline ? "allow" : "block";
  const baseURL = siteAddress;
  const context = await browser.newContext({ baseURL, ...kLooks.desktop, locale, serviceWorkers, bypassCSP: true });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await reach(page, picture).catch((error: Error) => faults.push(`not reached: ${error.message.split("\n")[0]}`));
  const notes = new Map<string, string>();
  for (const look of looks) {
    await showIn(page, look);
    const path = join(folder, fileOf(name, look));
    await page.screenshot({ path, fullPage: true, animations: "disabled", style: kStyle });
    notes.set(fileOf(name, look), [...faults, ...(await unreadableOn(page))].join("; "));
  }
  await context.close();
  return notes;
}

function pageOfAll(notes: ReadonlyMap<string, string>): string {
  const picture = (name: string, look: Look) => {
    const file = fileOf(name, look);
    const note = notes.get(file) ?? "";
    return `<figure class="${look}"><a href="${file}"><img src="${file}" alt="${name}, ${look}" loading="lazy"></a><figcaption>${look}${note === "" ? "" : `: <b>${note}</b>`}</figcaption></figure>`;
  };
  const rows = kPictures.map(
    ({ name }) => `<h2>${name}</h2><div>${looks.map((look) => picture(name, look)).join("")}</div>`,
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
  ...kPictures.filter(({ name }) =>
    [
      "plan that trains",
      "compare, two scenarios",
      "machines, a sample",
      "study, a lesson with drawings",
      "study, a question answered",
      "study, a command lab",
    ].includes(name),
  ),
];
const kReadmeWindow = { width: 1080, height: 760 };
const kMostBytes = 150_000;

async function takeReadme(browser: Browser): Promise<void> {
  const pictures = join(root, "docs/pictures");
  mkdirSync(pictures, { recursive: true });
  for (const picture of kReadme) {
    const context = await browser.newContext({
      baseURL: siteAddress,
      viewport: kReadmeWindow,
      serviceWorkers: "block",
      bypassCSP: true,
    });
    const page = await context.newPage();
    await reach(page, picture);
    const path = join(pictures, `${picture.name.replaceAll(/[^a-z]+/g, "_")}.png`);
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
    for (const [file, note] of await take(browser, picture)) {
      notes.set(file, note);
      if (note !== "") console.log(`${file}: ${note}`);
    }
  await browser.close();
});
writeFileSync(join(folder, "index.html"), pageOfAll(notes));
console.log(`${kPictures.length * looks.length} pictures: ${relative(process.cwd(), join(folder, "index.html"))}`);
