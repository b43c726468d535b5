/** Asks the engine the page's question and takes its replies into the state. */
import { batch, type ReadonlySignal } from "@preact/signals";
import type { PlanAnswer, PlanRequest } from "./contract.ts";
import { EngineFailed } from "./engine/client.ts";
import { LatestWins } from "./engine/latest_wins.ts";
import { isObject } from "./json.ts";
import { messages } from "./messages.ts";
import { lookForNewer, mendOnce } from "./offline.ts";
import { madeWith, type Reply, readReply, readSources } from "./replies.ts";
import type { Asking, State } from "./state.ts";

const kQuietMs = 150;
/** So long after an edit the whole plan is asked for; a slider that is dragged moves again sooner. */
const kWholeAfterMs = 60;
/** While the slider is held the whole plan waits until it is let go, or has been still for so long: a step meanwhile would wait for the draws. */
const kStillMs = 400;

export interface Questions {
  /** Without draws where they are asked for later. */
  ask(request?: PlanRequest, lacksDraws?: boolean): Promise<void>;
  askInTwo(): Promise<void>;
  loadSources(): Promise<void>;
}

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

const whenFalse = (signal: ReadonlySignal<boolean>) =>
  new Promise<void>((resolve) => {
    const stop = signal.subscribe((value) => {
      // Called at once, before there is anything to stop.
      if (!value) queueMicrotask(() => stop());
      if (!value) resolve();
    });
  });

/** The engine mostly confirms what the page was opened with, and then nothing is drawn anew. */
function isSame(answer: PlanAnswer, other: PlanAnswer): boolean {
  return JSON.stringify(answer) === JSON.stringify(other);
}

/** The build has asked the command line that belongs to its engine. */
function isOfOther(answer: PlanAnswer, initial: PlanAnswer): boolean {
  const ours = madeWith(initial);
  return ours !== undefined && (madeWith(answer) ?? ours) !== ours;
}

export function createQuestions(state: State, answer: (request: string) => Promise<string>): Questions {
  const queue = new LatestWins(answer);
  let asked = 0;

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
      void lookForNewer();
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
    if (mine === asked && state.isHeld.value) await Promise.race([pause(kStillMs), whenFalse(state.isHeld)]);
    if (mine === asked) await ask();
  }

  /** A late answer without explanations to a question whose explained answer is on the page already tells nothing new. */
  function isLess(answer: PlanAnswer, request: PlanRequest): boolean {
    const isSameQuestion = request === state.answered.value && !state.lacksDraws.value;
    return isSameQuestion && state.answer.value.trace !== undefined && answer.trace === undefined;
  }

  function take(reply: Reply, request: PlanRequest, lacksDraws: boolean): void {
    if (reply.kind === "answer" && isOfOther(reply.answer, state.initial.answer)) mendOnce();
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
    const reply = await answer(JSON.stringify({ kind: "catalog", list: "sources" })).catch(() => "");
    state.sources.value = readSources(reply);
  }

  return { ask, askInTwo, loadSources };
}
