/** A trip through the site by keyboard, as somebody makes it who opens it for the first time: what is given, what is opened, and what every page on the way must keep. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Locator, type Page } from "../../web/playwright.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { isSound } from "./quiet_page.ts";

export type Language = "en" | "zh";
export interface Look {
  width: 1440 | 1024 | 360;
  colorScheme: "light" | "dark";
  language: Language;
}

/** Each width, each look and each language, twice or more. */
export const kLooks: readonly Look[] = [
  { width: 1440, colorScheme: "light", language: "en" },
  { width: 1440, colorScheme: "dark", language: "zh" },
  { width: 1024, colorScheme: "dark", language: "en" },
  { width: 1024, colorScheme: "light", language: "zh" },
  { width: 360, colorScheme: "light", language: "zh" },
  { width: 360, colorScheme: "dark", language: "en" },
];

export const lookText = ({ width, colorScheme, language }: Look) => `${width} px, ${colorScheme}, ${language}`;

type Said = string | { en: string; zh: string };
type Texts = { [key: string]: Said | Texts };
const tableOf = (name: string): Texts =>
  JSON.parse(readFileSync(join(__dirname, `../../web/src/data/${name}.json`), "utf8"));
const tables = { messages: tableOf("messages"), texts: tableOf("texts") };

/** A text of the site in a language: `areas/machines` of the messages. */
export function textOf(table: keyof typeof tables, path: string, language: Language): string {
  const found = path.split("/").reduce<unknown>((item, key) => (item as Texts)[key], tables[table]);
  return typeof found === "string" ? found : (found as Record<Language, string>)[language];
}

/** How long the engine may take for one question on a busy machine. */
export const kPatienceMs = 45_000;

/** More than these and nobody comes to the end. */
export const kMostInputs = 8;
export const kMostScreens = 3;

/** A new browser without memory; what goes wrong in it is collected. */
export class Trip {
  private inputs = 0;
  private screens = 1;
  private readonly faults: string[] = [];

  readonly page: Page;
  readonly look: Look;

  private constructor(page: Page, look: Look) {
    this.page = page;
    this.look = look;
  }

  static async begin(browser: Browser, baseURL: string | undefined, look: Look): Promise<Trip> {
    const { width, colorScheme, language } = look;
    const context = await browser.newContext({
      baseURL,
      viewport: { width, height: width === 360 ? 780 : 900 },
      colorScheme,
      locale: language === "zh" ? "zh-CN" : "en-US",
      reducedMotion: "reduce",
    });
    const trip = new Trip(await context.newPage(), look);
    // Who listens from the beginning misses no dialog of files: only then does the browser hand it over.
    trip.page.on("filechooser", () => undefined);
    trip.page.on("pageerror", (error) => trip.faults.push(error.message));
    trip.page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) trip.faults.push(message.text());
    });
    await trip.page.goto("./");
    await expect(trip.page.locator("html")).toHaveAttribute("lang", language === "zh" ? "zh-Hans" : "en");
    await expect(trip.page.locator(".pareto svg.chart")).toBeVisible();
    await expect(trip.page.locator("#budget")).toBeAttached();
    return trip;
  }

  /** A text of the site in the language of the trip. */
  text(table: keyof typeof tables, path: string): string {
    return textOf(table, path, this.look.language);
  }

  /** Goes to the plan's question, which waits behind a door on a phone. */
  async question(): Promise<void> {
    if (this.look.width === 360) await this.press(this.page.locator(".phone-door"));
  }

  async press(target: Locator): Promise<void> {
    this.inputs += 1;
    await pressAt(this.page, target);
  }

  async tick(box: Locator): Promise<void> {
    this.inputs += 1;
    await pressAt(this.page, box, "Space");
    await expect(box).toBeChecked();
  }

  async type(field: Locator, text: string): Promise<void> {
    this.inputs += 1;
    await typeAt(this.page, field, text);
  }

  /** All of a text at once, as from the clipboard. */
  async paste(field: Locator, text: string): Promise<void> {
    this.inputs += 1;
    await tabTo(this.page, field);
    await this.page.keyboard.insertText(text);
  }

  /** Of a list: what begins with these letters. */
  async select(list: Locator, name: string, value: string): Promise<void> {
    this.inputs += 1;
    await tabTo(this.page, list);
    await this.page.keyboard.type(name);
    await expect(list).toHaveValue(value);
  }

  /** Of words side by side: arrows go from one to the next, and choose it. */
  async choose(group: string, value: string): Promise<void> {
    this.inputs += 1;
    const radios = this.page.locator(`input[type=radio][name=${group}]`);
    await tabTo(this.page, this.page.locator(`input[type=radio][name=${group}]:checked`));
    const values = await radios.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    const now = await this.page.locator(`input[type=radio][name=${group}]:checked`).inputValue();
    for (let step = values.indexOf(now); step < values.indexOf(value); step += 1)
      await this.page.keyboard.press("ArrowRight");
    await expect(this.page.locator(`input[name=${group}][value=${value}]`)).toBeChecked();
  }

  /** Files by the dialog that a button of the browser opens. */
  async give(field: Locator, name: string, text: string): Promise<void> {
    this.inputs += 1;
    await tabTo(this.page, field);
    const choosing = this.page.waitForEvent("filechooser");
    await this.page.keyboard.press("Enter");
    await (await choosing).setFiles({ name, mimeType: "application/xml", buffer: Buffer.from(text) });
  }

  /** Opens another screen by a link of the navigation. */
  async open(nav: "areas" | "screens", name: string): Promise<void> {
    this.screens += 1;
    const link = this.page.locator(`nav.${nav}`).getByRole("link", { name, exact: true });
    await pressAt(this.page, link);
    await expect(
      link.or(this.page.locator("nav.screens").getByRole("link", { name, exact: true })).first(),
    ).toHaveAttribute("aria-current", "page");
  }

  /** Opens another screen by a button of the one on show. */
  async openBy(button: Locator): Promise<void> {
    this.screens += 1;
    await pressAt(this.page, button);
  }

  /** The engine has answered, and nothing is still to come. */
  async settled(): Promise<void> {
    await expect(this.page.locator('[aria-busy="true"], .deferred.pending, .opening')).toHaveCount(0, {
      timeout: kPatienceMs,
    });
  }

  /** What every page of the trip keeps, once something was given. */
  async isGood(): Promise<void> {
    await this.settled();
    await isSound(this.page);
    const { language } = this.look;
    expect(await this.page.getByText(this.text("messages", "presetBadge"), { exact: true }).count()).toBe(0);
    await expect(this.page.locator(".foreign, .stale")).toHaveCount(0);
    const shown = await shownTexts(this.page);
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter((text) => kRawId.test(withoutNames(text)) && !isTheEngines(text))).toEqual([]);
    const isEnglish = (text: string) =>
      kSentence.test(withoutNames(text).replace(kTitleOfSource, "")) && !isTheEngines(text);
    if (language === "zh") expect(shown.filter(isEnglish)).toEqual([]);
    else expect(shown.filter((text) => /[\u4e00-\u9fff]/.test(text))).toEqual([]);
  }

  /** The question and the engine's answer, as the report hands them over. */
  async answer(): Promise<Answered> {
    const saving = this.page.waitForEvent("download");
    await pressAt(this.page, this.page.getByRole("button", { name: this.text("texts", "downloadAnswer") }));
    return JSON.parse(readFileSync(await (await saving).path(), "utf8")) as Answered;
  }

  /** At the end: few inputs, few screens, and nothing went wrong. */
  async end(): Promise<void> {
    expect(this.inputs).toBeLessThanOrEqual(kMostInputs);
    expect(this.screens).toBeLessThanOrEqual(kMostScreens);
    expect(this.faults).toEqual([]);
    await this.page.context().close();
  }
}

export interface Answered {
  // biome-ignore lint/suspicious/noExplicitAny: the test reads places of JSON, and fails where they are absent
  request: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  answer: any;
}

/** Four words of Latin letters after each other are a sentence; names of products have digits or fewer words. */
const kSentence = /(?:\b[A-Za-z][a-z'’]+[ ,;]+){3}[A-Za-z][a-z'’]+\b/;
/** "（如 Kimi tools and agents, 2025）": a document keeps its title. */
const kTitleOfSource = /（如[^）]*）/g;
/** A key of a request or of an answer, or the code of a country. */
const kRawId = /(?<![\w/.-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w/.])|\b(?:DEU|FIN)\b/;

/** What the engine still writes as text of its own, in English. Each goes when it becomes a message with values. */
const kOfTheEngine: readonly RegExp[] = [
  /^Electricity in .+ is priced in \w{3}, converted at/,
  /has no dated price, so the compute network is priced by a rule per GPU/,
  /^Whether the price of ".+" includes electricity is not known/,
  /^No measured .+: (?:link bandwidth|peak|memory bandwidth) times the median share that measured GPUs reach\.$/,
  /^The machine is not as it should be \(failed: /,
];
/** What a model's file calls its type, and providers in a row, are names in every language. */
const kNames: readonly RegExp[] = [
  /(?<=model's file: |模型文件读得：)\w+/,
  /（[A-Z][\w.]*(?: [\w.]+)*(?:, [A-Z][\w.]*(?: [\w.]+)*)+）/,
];
const withoutNames = (text: string) => kNames.reduce((left, names) => left.replace(names, ""), text);

const isTheEngines = (text: string) => kOfTheEngine.some((one) => one.test(text));

/** Texts of the page as they can be seen; lists to choose from, code and drawings apart. */
const shownTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector("main") as Node, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.parentElement;
      const text = (node.textContent ?? "").trim();
      if (at === null || text === "" || at.closest("pre, code, kbd, option, datalist, svg") !== null) continue;
      if (at.checkVisibility({ visibilityProperty: true })) found.push(text);
    }
    return found;
  });
