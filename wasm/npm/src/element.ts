/** `<podwright-plan>`: what a plan is judged by, the decision and a link, as the engine says them. It computes nothing. */

import preset from "../../../examples/chat_70b.json" with { type: "json" };
import { encodeLink } from "../../../web/src/link.ts";
import { isOneRun } from "../../../web/src/one_run.ts";
import { texts } from "./element_texts.js";
import { load } from "./index.js";
import type { Headline, PlanAnswer, PlanRequest, Refusal } from "./messages.js";
import { loadWorker } from "./worker.js";

type Language = "en" | "zh";
type Text = string | Record<Language, string>;
type Said = { message: string };
type Answer = PlanAnswer | Refusal;

const kStyle = `
:host { display: block; font: inherit; line-height: 1.5; container-type: inline-size; }
:host([hidden]) { display: none; }
p { margin: 0 0 0.75em; }
.summary { font-size: 1.15em; font-weight: 600; text-wrap: pretty; }
dl { margin: 0 0 0.75em; border-block-start: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
dl > div { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr) minmax(0, 3fr); gap: 0 1em;
  padding: 0.4em 0; align-items: baseline; border-block-end: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
dd { margin: 0; }
.value { font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
.note { font-size: 0.9em; opacity: 0.85; text-wrap: pretty; }
ul { margin: 0 0 0.75em; padding-inline-start: 1.25em; }
a { color: inherit; text-underline-offset: 0.2em; display: inline-block; padding: 0.25em 0; }
a:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
@container (max-width: 34em) {
  dl > div { grid-template-columns: minmax(0, 1fr) auto; }
  .note { grid-column: 1 / -1; }
}
`;
let style: CSSStyleSheet | undefined;
function sharedStyle(): CSSStyleSheet {
  if (style === undefined) {
    style = new CSSStyleSheet();
    style.replaceSync(kStyle);
  }
  return style;
}

/** All elements of a page share an engine; after a failure the next question starts another. */
const engines = new Map<boolean, Promise<{ answerText(request: string): string | Promise<string> }>>();
async function ask(request: string, inWorker: boolean): Promise<Answer> {
  const engine = engines.get(inWorker) ?? (inWorker ? loadWorker() : load());
  engines.set(inWorker, engine);
  try {
    const { answerText } = await engine;
    // What the page shows meanwhile is painted before the engine takes its thread.
    await new Promise((painted) => setTimeout(painted));
    return JSON.parse(await answerText(request));
  } catch (error) {
    engines.delete(inWorker);
    throw error;
  }
}

function part(tag: string, name: string, ...inside: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  if (name !== "") element.className = name;
  element.append(...inside);
  return element;
}

function filled(text: string, values: Record<string, string | undefined>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "").replaceAll(/(\d) %/g, "$1\u00a0%");
}

/** A sentence, which assistive technology reads out when it changes, and what is below it. */
interface Shown {
  said: string;
  parts: HTMLElement[];
}

class View {
  readonly language: Language;
  readonly #said: (message: Said) => string;

  constructor(language: Language, said: (message: Said) => string) {
    this.language = language;
    this.#said = said;
  }

  text(text: Text): string {
    return typeof text === "string" ? text : text[this.language];
  }

  /** English in a page of another language says so. */
  sentence(tag: string, name: string, message: Said): HTMLElement {
    const text = this.#said(message);
    const element = part(tag, name, text.replaceAll(/(\d) %/g, "$1\u00a0%"));
    if (this.language !== "en" && text === message.message) element.lang = "en";
    return element;
  }

  #notes({ id, statistic, low, high, target, probability }: Headline): string {
    const goal = id === "cost_per_year" || id === "purchase" ? texts.budget : texts.target;
    const notes = [
      statistic === undefined ? "" : this.text(texts.statistics[statistic] ?? statistic),
      low && high ? filled(this.text(texts.interval), { low: low.text, high: high.text }) : "",
      target ? filled(this.text(goal), { value: target.text }) : "",
      probability ? filled(this.text(texts.kept), { probability: probability.text }) : "",
    ];
    return notes.filter((note) => note !== "").join(this.text(texts.comma));
  }

  #row(headline: Headline, isNamed: boolean, isOfRun: boolean): HTMLElement {
    const { id, workload, value } = headline;
    const label = this.text(id === "cost_per_year" && isOfRun ? texts.costOfRun : (texts.headlines[id] ?? id));
    return part(
      "div",
      "",
      part("dt", "", isNamed && workload !== undefined ? label + this.text(texts.comma) + workload : label),
      part("dd", "value", value?.text ?? ""),
      part("dd", "note", this.#notes(headline)),
    );
  }

  #plan(plan: PlanAnswer["plans"][number]): Shown {
    const headlines = plan.headlines ?? [];
    const several = new Set(headlines.flatMap(({ workload }) => workload ?? [])).size > 1;
    const summary = this.language === "en" ? plan.summary : `${plan.gpu_count} × ${plan.gpu_name}`;
    const isOfRun = isOneRun(plan);
    const rows = headlines.map((headline) => this.#row(headline, several, isOfRun));
    const decision = plan.decision as Said | undefined;
    return {
      said: summary ?? "",
      parts: [part("dl", "", ...rows), ...(decision === undefined ? [] : [this.sentence("p", "decision", decision)])],
    };
  }

  answer(answer: Answer): Shown {
    if ("errors" in answer) return this.refusal(answer);
    const [plan] = answer.plans ?? [];
    if (answer.feasible && plan !== undefined) return this.#plan(plan);
    const reasons = [...(answer.reasons ?? []), ...((answer.rejected ?? []) as Said[])].slice(0, 4);
    const lines = reasons.map((reason) => this.sentence("li", "", reason));
    return { said: this.text(texts.none), parts: [part("ul", "", ...lines)] };
  }

  refusal({ errors }: Refusal): Shown {
    const lines = errors.map(({ path, message, hint }) => {
      const text = [path === "" ? "" : `${path}: `, message, hint ? ` ${hint}` : ""].join("");
      return this.sentence("li", "", { message: text });
    });
    return { said: this.text(texts.fault), parts: [part("ul", "", ...lines)] };
  }
}

/** Attributes `request` (JSON), `lang` (en or zh), `site` (address of a Podwright site, for the link), `worker`. */
export class PodwrightPlan extends HTMLElement {
  static readonly observedAttributes = ["request", "lang", "site", "worker"];

  #given: PlanRequest | undefined;
  #answer: Answer | undefined;
  /** The text that `#answer` answers, and the newest that was asked for. */
  #answered: string | undefined;
  #drawings = 0;
  readonly #root = this.attachShadow({ mode: "open" });
  readonly #status = part("p", "summary");
  readonly #details = part("div", "");

  /** The request; the attribute is not read while this is set. */
  get request(): PlanRequest | undefined {
    return this.#given;
  }
  set request(request: PlanRequest | undefined) {
    this.#given = request;
    this.#changed();
  }

  /** What the engine said last. Event `podwright-answer` announces it. */
  get answer(): Answer | undefined {
    return this.#answer;
  }

  connectedCallback(): void {
    this.#root.adoptedStyleSheets = [sharedStyle()];
    this.#status.setAttribute("role", "status");
    this.#changed();
  }

  attributeChangedCallback(): void {
    this.#changed();
  }

  #changed(): void {
    this.#drawings += 1;
    const drawing = this.#drawings;
    // Several attributes that change at once are one question.
    queueMicrotask(() => {
      if (this.isConnected && drawing === this.#drawings) void this.#draw(drawing);
    });
  }

  async #view(): Promise<View> {
    const language = this.closest<HTMLElement>("[lang]")?.lang.startsWith("zh") ? "zh" : "en";
    const asWritten = ({ message }: Said) => message;
    if (language === "en") return new View("en", asWritten);
    const loaded = await import("./chinese.js").catch(() => undefined);
    return new View("zh", loaded?.chinese ?? asWritten);
  }

  async #draw(drawing: number): Promise<void> {
    const request = this.#given === undefined ? this.getAttribute("request") : JSON.stringify(this.#given);
    if (request === null) return this.#root.replaceChildren();
    const view = await this.#view();
    const isNew = request !== this.#answered;
    if (isNew) this.#show(view, { said: view.text(texts.working), parts: [] });
    try {
      const answer = isNew ? await ask(request, this.hasAttribute("worker")) : this.#answer;
      if (drawing !== this.#drawings || answer === undefined) return;
      const link = await this.#link(view, request, answer);
      if (drawing !== this.#drawings) return;
      this.#answer = answer;
      this.#answered = request;
      const { said, parts } = view.answer(answer);
      this.#show(view, { said, parts: [...parts, ...link] });
      if (isNew) this.dispatchEvent(new CustomEvent("podwright-answer", { detail: answer }));
    } catch {
      if (drawing === this.#drawings) this.#show(view, { said: view.text(texts.failed), parts: [] });
    }
  }

  #show({ language }: View, { said, parts }: Shown): void {
    for (const part of [this.#status, this.#details]) part.lang = language === "zh" ? "zh-Hans" : "en";
    if (this.#status.parentNode === null) this.#root.replaceChildren(this.#status, this.#details);
    this.#status.textContent = said.replaceAll(/(\d) %/g, "$1\u00a0%");
    this.#details.replaceChildren(...parts);
  }

  /** The same question on a site of Podwright, where every number can be opened. */
  async #link(view: View, request: string, answer: Answer): Promise<HTMLElement[]> {
    const site = this.getAttribute("site");
    if (site === null || "errors" in answer || !URL.canParse(site, this.baseURI)) return [];
    const address = new URL(site, this.baseURI);
    if (!["http:", "https:"].includes(address.protocol)) return [];
    address.hash = await encodeLink(preset, { request: JSON.parse(request), plan: 0 });
    const link = part("a", "", view.text(texts.open)) as HTMLAnchorElement;
    link.href = address.href;
    return [part("p", "", link)];
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "podwright-plan": PodwrightPlan;
  }
  interface HTMLElementEventMap {
    "podwright-answer": CustomEvent<PlanAnswer | Refusal>;
  }
}

if (customElements.get("podwright-plan") === undefined) customElements.define("podwright-plan", PodwrightPlan);
