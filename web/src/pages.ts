/** The pages of the site: one state and controller for each screen that asks the engine, made when the screen is first shown. */
import { effect } from "@preact/signals";
import type { InitialData } from "./contract.ts";
import { createController } from "./controller.ts";
import { EngineClient } from "./engine/client.ts";
import { startEngineProcess } from "./engine/process.ts";
import type { Past } from "./history.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { Page } from "./page.ts";
import {
  addressNow,
  isPlanView,
  lastHash,
  type PageName,
  pageOf,
  pathOf,
  route,
  routeOf,
  seenIn,
  withoutCurrency,
} from "./route.ts";
import { type Asking, createState } from "./state.ts";

/**
 * Takes the place of the address, with the currency on show. Browsers limit how often it may be rewritten; a refused rewrite is made
 * up for by the next one.
 */
export function replaceHash(hash: string): void {
  const next = addressNow(hash);
  try {
    history.replaceState(null, "", `${location.pathname}${location.search}${next}`);
  } catch {
    return;
  }
}

/** What an address says of its page, in whichever view and currency. */
export function stateOf(address: string): string {
  const hash = withoutCurrency(address);
  const { screen } = routeOf(hash);
  if (screen !== "plan" && isPlanView(screen)) return seenIn("plan", hash);
  return hash === "#/" ? "" : hash;
}

/** What the browser keeps for a visit. It may refuse, and then nothing is kept. */
function kept(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function keep(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    return;
  }
}

function isPast(value: unknown): value is Past<JsonObject> {
  const isList = (list: unknown) => Array.isArray(list) && list.every(isObject);
  return isObject(value) && isList(value.past) && isList(value.future);
}

const engine = new EngineClient(startEngineProcess);
const pages = new Map<PageName, Page>();
let ahead: { request: string; answer: Promise<string> } | undefined;

/** Asks what a page is about to ask, so that the engine is at work while the page is still being drawn. */
export function askAhead(request: JsonObject): void {
  const text = JSON.stringify(request);
  ahead = { request: text, answer: engine.answer(text) };
  // Who takes the answer sees the failure.
  ahead.answer.catch(() => undefined);
}

function answerOf(request: string): Promise<string> {
  const known = ahead?.request === request ? ahead.answer : undefined;
  ahead = undefined;
  return known ?? engine.answer(request);
}

/** One question to the engine beside those of the pages. */
export function askEngine(request: JsonObject, withinMs?: number): Promise<string> {
  return engine.answer(JSON.stringify(request), withinMs);
}

export function knownPage(name: PageName): Page | undefined {
  return pages.get(name);
}

/** A page that keeps its undo steps for the visit, and its address while another screen is shown. */
export function openPage(initial: InitialData, asking?: Asking): Page {
  const state = createState(initial, asking);
  const { screen } = state.asking;
  const isShown = () => pageOf(route.peek().screen) === screen;
  /** Links to the page's other views lead to this state. */
  const remember = (hash: string) => lastHash.set(screen, hash === "" ? `#${pathOf(screen)}` : hash);
  const controller = createController(state, {
    answer: answerOf,
    isLeaving: () => routeOf(location.hash).screen !== route.peek().screen,
    readHash() {
      if (isShown()) remember(stateOf(location.hash));
      return isShown() ? stateOf(location.hash) : (lastHash.get(screen) ?? "");
    },
    replaceHash(hash) {
      const shown = route.peek().screen;
      remember(hash);
      if (isShown()) replaceHash(isPlanView(shown) ? seenIn(shown, hash) : hash);
    },
  });
  const key = `podwright past ${screen}`;
  const past = kept(key);
  if (isPast(past)) state.past.value = past;
  effect(() => keep(key, state.past.value));
  const page = { state, controller };
  pages.set(screen, page);
  return page;
}
