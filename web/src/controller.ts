/** Turns edits into questions for the engine, its replies into state, and state into the link. */
import { batch } from "@preact/signals";
import type { PlanAnswer, PlanRequest, RequestError, Source } from "./contract.ts";
import { EngineFailed } from "./engine/client.ts";
import { LatestWins } from "./engine/latest_wins.ts";
import { leave, redo, undo } from "./history.ts";
import { canonical, isObject, type Json, type JsonObject, mergePatch, withValue } from "./json.ts";
import { decodeLink, encodeLink } from "./link.ts";
import { fill, messages } from "./messages.ts";
import { leadsNowhere, pathOf } from "./route.ts";
import type { Asking, State } from "./state.ts";

const kSettleMs = 400;
const kQuietMs = 150;
/** So long after an edit the whole plan is asked for; a slider that is dragged moves again sooner. */
const kWholeAfterMs = 60;

/** What the controller needs of its surroundings: the engine and the address bar. */
export interface Surroundings {
  answer(request: string): Promise<string>;
  readHash(): string;
  replaceHash(hash: string): void;
}

export interface Controller {
  /** Reads the link, then lets the engine take over. */
  start(): Promise<void>;
  /** Sets one value of the request, or removes it. */
  edit(pointer: string, value: Json | undefined): void;
  applyWayOut(patch: JsonObject): void;
  reset(): void;
  undo(): void;
  redo(): void;
  showPlan(index: number): void;
  /** The address bar holds another state (back, forward, a pasted link). */
  followLink(): Promise<void>;
  restartEngine(): void;
  explain(place: string): void;
  walkInto(id: string): void;
  walkBack(): void;
  closeExplanation(): void;
}

/** A controller that does nothing, for rendering outside a browser. */
export const kIdleController: Controller = {
  start: async () => undefined,
  edit: () => undefined,
  applyWayOut: () => undefined,
  reset: () => undefined,
  undo: () => undefined,
  redo: () => undefined,
  showPlan: () => undefined,
  followLink: async () => undefined,
  restartEngine: () => undefined,
  explain: () => undefined,
  walkInto: () => undefined,
  walkBack: () => undefined,
  closeExplanation: () => undefined,
};

function withExplanation(request: PlanRequest, explain: Asking["explain"]): string {
  if (explain === "never") return JSON.stringify(request);
  if (explain === "at the top") return JSON.stringify({ ...request, explain: true });
  const options = isObject(request.options) ? request.options : {};
  return JSON.stringify({ ...request, options: { ...options, explain: true } });
}

function withoutDraws(request: PlanRequest): PlanRequest {
  return { ...request, options: { ...(isObject(request.options) ? request.options : {}), draws: 0 } };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type Reply =
  | { kind: "answer"; answer: PlanAnswer }
  | { kind: "errors"; errors: RequestError[] }
  | { kind: "unreadable" };

/** Sorts a reply of the engine; anything that is neither an answer nor a list of errors is `unreadable`. */
export function readReply(text: string): Reply {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "unreadable" };
  }
  if (!isObject(value)) return { kind: "unreadable" };
  if (Array.isArray(value.errors)) {
    const errors = value.errors.filter(isObject).map((error) => ({
      code: String(error.code ?? ""),
      path: String(error.path ?? ""),
      message: String(error.message ?? ""),
      hint: typeof error.hint === "string" && error.hint !== "" ? error.hint : undefined,
    }));
    return { kind: "errors", errors };
  }
  return typeof value.feasible === "boolean" || typeof value.kind === "string"
    ? { kind: "answer", answer: value as unknown as PlanAnswer }
    : { kind: "unreadable" };
}

/** The engine mostly confirms what the page was opened with, and then nothing is drawn anew. */
function isSame(answer: PlanAnswer, other: PlanAnswer): boolean {
  return JSON.stringify(answer) === JSON.stringify(other);
}

/** The sources of a catalog list by id; none where the reply is something else. */
export function readSources(text: string): ReadonlyMap<string, Source> {
  try {
    const value: unknown = JSON.parse(text);
    const items = isObject(value) && Array.isArray(value.items) ? value.items : [];
    const sources = items.filter((item): item is JsonObject => isObject(item) && typeof item.id === "string");
    return new Map(sources.map((item) => [String(item.id), item as unknown as Source]));
  } catch {
    return new Map();
  }
}

/** Engine version and the start of the catalog's digest, as links carry them. */
export function madeWith(answer: PlanAnswer): string | undefined {
  const { podwright_version: version, catalog_digest: digest } = answer;
  if (version === undefined) return undefined;
  return digest === undefined ? version : `${version} / ${digest.replace(/^[a-z0-9]+:/, "").slice(0, 8)}`;
}

export function createController(state: State, surroundings: Surroundings): Controller {
  const queue = new LatestWins((request: string) => surroundings.answer(request));
  const preset = state.initial.preset;
  let settled = true;
  let settleTimer: ReturnType<typeof setTimeout> | undefined;
  let followed = 0;
  let asked = 0;
  let lastAsked: Promise<void> | undefined;
  /** The address holds what is asked. */
  let isWritten = true;
  /** What was last read of the address or written to it. */
  let address: string | undefined;
  const addressed = (hash: string) => (hash === "" ? `#${pathOf(state.asking.screen)}` : hash);

  /** An explained answer is many times as long and takes twice the time, so it is asked for once a number's explanation is open. */
  async function ask(request = state.request.value, lacksDraws = false): Promise<void> {
    const isExplained = state.explaining.value !== undefined;
    const question = lacksDraws ? withoutDraws(request) : request;
    const text = isExplained ? withExplanation(question, state.asking.explain) : JSON.stringify(question);
    asked += 1;
    const mine = asked;
    const quiet = setTimeout(() => {
      if (mine === asked) state.busy.value = true;
    }, kQuietMs);
    try {
      const reply = await queue.ask(text);
      if (reply === undefined) return;
      state.engine.value = "ready";
      take(readReply(reply), request, lacksDraws);
    } catch (error) {
      if (!(error instanceof EngineFailed)) throw error;
      state.engine.value = "failed";
    } finally {
      clearTimeout(quiet);
      if (mine === asked) state.busy.value = false;
    }
  }

  /**
   * The draws take as long as all the rest of a plan. Where nothing that comes of them is in view, the plan is asked for without
   * them first, and whole once no other question has come for a while.
   */
  async function askInTwo(): Promise<void> {
    const mayLackDraws = state.asking.mayLackDraws === true && !state.showsDraws.value;
    if (!mayLackDraws || state.explaining.value !== undefined) return ask();
    const first = ask(state.request.value, true);
    const mine = asked;
    await Promise.all([first, pause(kWholeAfterMs)]);
    if (mine === asked) await ask();
  }

  /** A late answer without explanations to a question whose explained answer is on the page already tells nothing new. */
  function isLess(answer: PlanAnswer, request: PlanRequest): boolean {
    const isSameQuestion = request === state.answered.value && !state.lacksDraws.value;
    return isSameQuestion && state.answer.value.trace !== undefined && answer.trace === undefined;
  }

  function take(reply: Reply, request: PlanRequest, lacksDraws: boolean): void {
    if (reply.kind === "answer" && !isLess(reply.answer, request)) {
      const isShown = state.answer.value === state.initial.answer && isSame(reply.answer, state.answer.value);
      batch(() => {
        state.lacksDraws.value = lacksDraws;
        if (!isShown) state.answer.value = reply.answer;
        state.answered.value = request;
      });
    }
    if (request !== state.request.value) return;
    state.errors.value = reply.kind === "errors" ? reply.errors : [];
    if (reply.kind === "unreadable") state.notice.value = messages.engineUnreadable;
  }

  /** Names of sources. Without them the page names a source by its id, so a failure is no matter. */
  async function loadSources(): Promise<void> {
    const reply = await surroundings.answer(JSON.stringify({ kind: "catalog", list: "sources" })).catch(() => "");
    state.sources.value = readSources(reply);
  }

  function announce(): void {
    const first = state.errors.value[0];
    const answer = state.answer.value;
    state.announcement.value =
      first?.message ?? answer.plans?.[0]?.summary ?? answer.reasons?.[0]?.message ?? messages.noPlanHeadline;
  }

  async function writeLink(): Promise<void> {
    const request = state.request.value;
    const plan = state.selected.value;
    const hash = await encodeLink(
      preset,
      { request, plan, madeWith: madeWith(state.answer.value) },
      pathOf(state.asking.screen),
    );
    if (request !== state.request.value || plan !== state.selected.value) return;
    isWritten = true;
    address = addressed(hash);
    if (hash !== surroundings.readHash()) surroundings.replaceHash(hash);
  }

  async function settle(): Promise<void> {
    settled = true;
    await lastAsked;
    if (!settled) return;
    announce();
    await writeLink();
  }

  function change(request: Json): void {
    if (!isObject(request) || canonical(request) === canonical(state.request.value)) return;
    if (settled) {
      state.before.value = state.answer.value;
      state.past.value = leave(state.past.value, state.request.value);
    }
    use(request);
  }

  /** Takes a request over and asks; the link follows once the edits have settled. */
  function use(request: PlanRequest): void {
    settled = false;
    isWritten = false;
    state.request.value = request;
    clearTimeout(settleTimer);
    settleTimer = setTimeout(() => void settle(), kSettleMs);
    lastAsked = askInTwo();
  }

  function walk(step: typeof undo<PlanRequest>): void {
    const found = step(state.past.value, state.request.value);
    if (found === undefined) return;
    state.before.value = state.answer.value;
    state.past.value = found.rest;
    use(found.state);
  }

  async function followLink(): Promise<void> {
    const hash = surroundings.readHash();
    // Another screen was shown for a moment, and the address is still without the last edit.
    if (!isWritten && addressed(hash) === address) return;
    followed += 1;
    const mine = followed;
    address = addressed(hash);
    const link = leadsNowhere(hash) ? ({ kind: "unreadable" } as const) : await decodeLink(preset, hash);
    if (mine !== followed) return;
    clearTimeout(settleTimer);
    settled = true;
    isWritten = true;
    state.before.value = undefined;
    state.notice.value = link.kind === "unreadable" ? messages.badLink : undefined;
    state.request.value = link.kind === "state" ? link.request : preset;
    state.selected.value = link.kind === "state" ? link.plan : 0;
    await ask();
    const now = madeWith(state.answer.value);
    if (
      mine === followed &&
      link.kind === "state" &&
      link.madeWith !== undefined &&
      now !== undefined &&
      link.madeWith !== now
    ) {
      state.notice.value = fill(messages.otherVersion, { made: link.madeWith, now });
    }
  }

  return {
    async start() {
      await followLink();
      if (state.engine.value === "ready") await loadSources();
    },
    followLink,
    edit: (pointer, value) => change(withValue(state.request.value, pointer, value)),
    applyWayOut: (patch) => change(mergePatch(state.request.value, patch)),
    reset() {
      state.selected.value = 0;
      change(preset);
    },
    undo: () => walk(undo),
    redo: () => walk(redo),
    showPlan(index) {
      state.selected.value = index;
      state.before.value = undefined;
      void writeLink();
    },
    restartEngine() {
      state.engine.value = "starting";
      void ask();
    },
    explain(place) {
      state.explaining.value = { place, path: [] };
      const isKnown = state.answer.value.trace !== undefined || state.asking.explain === "never";
      if (!isKnown) void ask(state.answered.value);
      if (state.sources.value.size === 0) void loadSources();
    },
    walkInto(id) {
      const now = state.explaining.value;
      if (now !== undefined) state.explaining.value = { ...now, path: [...now.path, id] };
    },
    walkBack() {
      const now = state.explaining.value;
      if (now !== undefined) state.explaining.value = { ...now, path: now.path.slice(0, -1) };
    },
    closeExplanation() {
      state.explaining.value = undefined;
    },
  };
}
