/** `<podwright-plan>`: what a plan is judged by, the decision and a link, as the engine says them. It computes nothing. */

import preset from "../../../examples/chat_70b.json" with { type: "json" };
import type { JsonObject } from "../../../web/src/json.ts";
import { encodeLink } from "../../../web/src/link.ts";
import { sharedStyle } from "./element_style.js";
import { type Answer, part, type Shown, unbroken, View } from "./element_view.js";
import { load } from "./index.js";
import type { PlanAnswer, PlanRequest, Refusal } from "./messages.js";
import { jsonOf } from "./refusal.js";
import * as english from "./words.js";
import { loadWorker } from "./worker.js";

/** Why a question has no answer. */
export interface PlanTrouble {
  code: "engine-not-started" | "engine-stopped" | "other-kind";
  message: string;
}

class Trouble extends Error {
  readonly code: PlanTrouble["code"];
  constructor(code: PlanTrouble["code"], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause));
    this.code = code;
  }
}

/** All elements of a page share an engine; after a failure the next question starts another. */
const engines = new Map<boolean, Promise<{ answerText(request: string): string | Promise<string> }>>();
async function ask(request: string, inWorker: boolean): Promise<Answer> {
  let code: Trouble["code"] = "engine-not-started";
  try {
    const engine = engines.get(inWorker) ?? (inWorker ? loadWorker() : load());
    engines.set(inWorker, engine);
    const { answerText } = await engine;
    code = "engine-stopped";
    // What the page shows meanwhile is painted before the engine takes its thread.
    await new Promise((painted) => setTimeout(painted));
    return JSON.parse(await answerText(request));
  } catch (error) {
    engines.delete(inWorker);
    throw new Trouble(code, error);
  }
}

/** The element that holds the shadow tree of a node. */
function hostOf(node: Node): Element | undefined {
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.host : undefined;
}

function isChinese(element: Element): boolean {
  for (let at: Element | undefined = element; at !== undefined; at = hostOf(at)) {
    const around = at.closest<HTMLElement>("[lang]");
    if (around !== null) return around.lang.toLowerCase().startsWith("zh");
  }
  return false;
}

/** Where pages are drawn on a server there are no elements; the name can be imported there all the same. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** Attributes `request` (JSON), `lang` (en or zh), `site` (address of a Podwright site, for the link), `worker`. */
export class PodwrightPlan extends Base {
  static readonly observedAttributes = ["request", "lang", "site", "worker"];

  #given: PlanRequest | undefined;
  /** What is asked: JSON text, or why there is none. */
  #asked: string | Refusal | undefined;
  #reply: Promise<Answer> | undefined;
  #answer: Answer | undefined;
  #error: PlanTrouble | undefined;
  #isPending = false;
  #isChinese = false;
  #drawings = 0;
  readonly #root = this.attachShadow({ mode: "open" });
  readonly #status = part("p", "summary");
  readonly #details = part("div", "");
  readonly #region = part("section", "plan", this.#status, this.#details);
  readonly #around = new MutationObserver(() => {
    if (isChinese(this) !== this.#isChinese) this.#changed();
  });

  constructor() {
    super();
    this.#status.id = "summary";
    this.#status.setAttribute("role", "status");
    this.#region.setAttribute("aria-labelledby", this.#status.id);
    // A page may set the property before this script has made the element what it is.
    if (!Object.hasOwn(this, "request")) return;
    const { request } = this;
    Reflect.deleteProperty(this, "request");
    this.request = request;
  }

  /** The request; the attribute is not read while this is set. */
  get request(): PlanRequest | undefined {
    return this.#given;
  }
  set request(request: PlanRequest | undefined) {
    this.#given = request;
    this.#changed();
  }

  /** The answer to the request of now; undefined while there is none. Event `podwright-answer` announces it. */
  get answer(): PlanAnswer | Refusal | undefined {
    return this.#answer;
  }

  /** Why the request of now has no answer, as `podwright-error` said; undefined where it has one or is awaited. */
  get error(): PlanTrouble | undefined {
    return this.#error;
  }

  /** Whether an answer is awaited. */
  get pending(): boolean {
    return this.#isPending && this.isConnected;
  }

  connectedCallback(): void {
    this.#root.adoptedStyleSheets = [sharedStyle()];
    for (let node: Node | undefined = this; node !== undefined; node = hostOf(node))
      this.#around.observe(node.getRootNode(), { subtree: true, attributeFilter: ["lang"] });
    this.#changed();
  }

  disconnectedCallback(): void {
    this.#around.disconnect();
  }

  attributeChangedCallback(): void {
    this.#changed();
  }

  #changed(): void {
    const asked = (this.#given === undefined ? this.getAttribute("request") : jsonOf(this.#given)) ?? undefined;
    if (asked !== this.#asked) {
      this.#asked = asked;
      this.#answer = undefined;
      this.#reply = undefined;
    }
    this.#error = undefined;
    this.#isPending = asked !== undefined && this.#answer === undefined;
    this.#drawings += 1;
    const drawing = this.#drawings;
    // Several attributes that change at once are one question.
    queueMicrotask(() => {
      if (this.isConnected && drawing === this.#drawings) void this.#draw(drawing);
    });
  }

  async #draw(drawing: number): Promise<void> {
    const asked = this.#asked;
    if (asked === undefined) return this.#root.replaceChildren();
    this.#isChinese = isChinese(this);
    const words = this.#isChinese ? await import("./chinese.js").catch(() => english) : english;
    if (drawing !== this.#drawings) return;
    if (this.#answer === undefined) this.#show(words, { said: words.texts.working, parts: [] });
    try {
      this.#reply ??= typeof asked === "string" ? ask(asked, this.hasAttribute("worker")) : Promise.resolve(asked);
      const answer = await this.#reply;
      if (!("errors" in answer) && answer.kind !== "plan")
        throw new Trouble("other-kind", words.fill(words.texts.plansOnly, { kind: answer.kind }));
      if (drawing === this.#drawings) await this.#showAnswer(words, answer, drawing);
    } catch (error) {
      if (drawing !== this.#drawings) return;
      if (!(error instanceof Trouble)) throw error;
      this.#reply = undefined;
      this.#isPending = false;
      const { code, message } = error;
      this.#error = { code, message };
      const { stopped, notStarted } = words.texts;
      const said = { "engine-not-started": notStarted, "engine-stopped": stopped, "other-kind": "{why}" }[code];
      this.#show(words, { said: words.fill(said, { why: message }), parts: [] });
      this.#tell("podwright-error", this.#error);
    }
  }

  async #showAnswer(words: english.Words, answer: Answer, drawing: number): Promise<void> {
    const request = this.#value();
    const { said, parts } = new View(words, request).answer(answer);
    const link = await this.#link(words, request, answer);
    if (drawing !== this.#drawings) return;
    const isNew = this.#answer === undefined;
    this.#answer = answer;
    this.#isPending = false;
    this.#show(words, { said, parts: [...parts, ...link] });
    if (isNew) this.#tell("podwright-answer", answer);
  }

  /** What is asked, as a value; undefined where the text is no JSON. */
  #value(): unknown {
    try {
      return typeof this.#asked === "string" ? JSON.parse(this.#asked) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Listeners of the page hear it too, those outside of a shadow tree as well. */
  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #show({ tag }: english.Words, { said, parts }: Shown): void {
    this.#region.lang = tag;
    this.#region.setAttribute("aria-busy", String(this.#isPending));
    if (this.#region.parentNode === null) this.#root.replaceChildren(this.#region);
    this.#status.textContent = unbroken(said);
    this.#details.replaceChildren(...parts);
  }

  /** The same question on a site of Podwright, where every number can be opened. */
  async #link({ texts }: english.Words, request: unknown, answer: Answer): Promise<HTMLElement[]> {
    const site = this.getAttribute("site");
    if (site === null || "errors" in answer || !URL.canParse(site, this.baseURI)) return [];
    const address = new URL(site, this.baseURI);
    if (!["http:", "https:"].includes(address.protocol)) return [];
    address.hash = await encodeLink(preset, { request: request as JsonObject, plan: 0 });
    const link = part("a", "link", texts.open) as HTMLAnchorElement;
    link.href = address.href;
    return [part("p", "", link)];
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "podwright-plan": PodwrightPlan;
  }
  interface GlobalEventHandlersEventMap {
    "podwright-answer": CustomEvent<PlanAnswer | Refusal>;
    "podwright-error": CustomEvent<PlanTrouble>;
  }
}

if (globalThis.customElements?.get("podwright-plan") === undefined)
  globalThis.customElements?.define("podwright-plan", PodwrightPlan);
