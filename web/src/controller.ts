/** Turns edits into questions for the engine, its replies into state, and state into the link. */
import type { PlanRequest } from "./contract.ts";
import { leave, redo, undo } from "./history.ts";
import { canonical, isObject, type Json, type JsonObject, mergePatch, withValue } from "./json.ts";
import { decodeLink, encodeLink, type LinkResult } from "./link.ts";
import { fill, messages } from "./messages.ts";
import { createQuestions, type Questions } from "./questions.ts";
import { madeWith } from "./replies.ts";
import { leadsNowhere, pathOf } from "./route.ts";
import type { State } from "./state.ts";

const kSettleMs = 400;

/** What the controller needs of its surroundings: the engine and the address bar. */
export interface Surroundings {
  answer(request: string): Promise<string>;
  readHash(): string;
  replaceHash(hash: string): void;
  /** The address names another screen already, which is not shown yet. */
  isLeaving?(): boolean;
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

/** What is said of a link that another version wrote. */
function otherVersion(made: string | undefined, now: string | undefined): string | undefined {
  const isOther = made !== undefined && now !== undefined && made !== now;
  return isOther ? fill(messages.otherVersion, { made, now }) : undefined;
}

/** Shows what an address says, which is the first state where it says nothing that can be read. */
function takeLink(state: State, link: LinkResult): void {
  state.before.value = undefined;
  state.notice.value = link.kind === "unreadable" ? messages.badLink : undefined;
  state.request.value = link.kind === "state" ? link.request : state.initial.preset;
  state.selected.value = link.kind === "state" ? link.plan : 0;
}

/** What the page says at its head; where nothing is drawn, as in tests, the engine's own words. */
function announcement({ errors, answer }: State): string {
  const head = typeof document === "undefined" ? null : document.getElementById("headline");
  const { plans, reasons } = answer.value;
  return errors.value[0]?.message ?? head?.textContent ?? plans?.[0]?.summary ?? reasons?.[0]?.message ?? "";
}

export function createController(state: State, surroundings: Surroundings): Controller {
  const { ask, askInTwo, loadSources } = createQuestions(state, (request) => surroundings.answer(request));
  const { preset } = state.initial;
  let settled = true;
  let settleTimer: ReturnType<typeof setTimeout> | undefined;
  let followed = 0;
  let lastAsked: Promise<void> | undefined;
  let edited: string | undefined;
  /** The address holds what is asked. */
  let isWritten = true;
  const addressed = (hash: string) => (hash === "" ? `#${pathOf(state.asking.screen)}` : hash);
  /** As last read or written; the page begins with what an empty one says. */
  let address = addressed("");

  async function writeLink(): Promise<void> {
    const request = state.request.value;
    const plan = state.selected.value;
    const hash = await encodeLink(
      preset,
      { request, plan, madeWith: madeWith(state.answer.value) },
      pathOf(state.asking.screen),
    );
    if (request !== state.request.value || plan !== state.selected.value) return;
    if (surroundings.isLeaving?.()) {
      // Written now, it would take the place of where the user goes.
      settleTimer = setTimeout(() => void writeLink(), kSettleMs);
      return;
    }
    isWritten = true;
    address = addressed(hash);
    if (hash !== surroundings.readHash()) surroundings.replaceHash(hash);
  }

  async function settle(): Promise<void> {
    settled = true;
    await lastAsked;
    if (!settled) return;
    state.announcement.value = announcement(state);
    await writeLink();
  }

  /** Edits of one field that follow each other closely are one step to undo; what changes more than a field is a step of its own. */
  function change(request: Json, field = ""): void {
    if (!isObject(request) || canonical(request) === canonical(state.request.value)) return;
    if (settled || field === "" || field !== edited) {
      state.before.value = state.answer.value;
      state.past.value = leave(state.past.value, state.request.value);
    }
    edited = field;
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
    // The address is still without the last edit: another screen was shown for a moment, or the form was quicker than the start.
    if (!isWritten && addressed(hash) === address) return lastAsked;
    followed += 1;
    const mine = followed;
    address = addressed(hash);
    const known = state.request.value;
    const link: LinkResult = leadsNowhere(hash) ? { kind: "unreadable" } : await decodeLink(preset, hash);
    if (mine !== followed) return;
    // Edited while nothing was found in the address.
    if (link.kind !== "state" && state.request.value !== known) return lastAsked;
    clearTimeout(settleTimer);
    settled = true;
    isWritten = true;
    takeLink(state, link);
    await ask();
    if (mine === followed && link.kind === "state")
      state.notice.value = otherVersion(link.madeWith, madeWith(state.answer.value)) ?? state.notice.value;
  }

  return {
    start: () => followLink().then(() => (state.engine.value === "ready" ? loadSources() : undefined)),
    followLink,
    edit: (pointer, value) => change(withValue(state.request.value, pointer, value), pointer),
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
    ...createExplaining(state, { ask, loadSources }),
  };
}

/** Opens the explanation of a number and walks through what it is made of. */
function createExplaining(
  state: State,
  { ask, loadSources }: Pick<Questions, "ask" | "loadSources">,
): Pick<Controller, "explain" | "walkInto" | "walkBack" | "closeExplanation"> {
  return {
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
