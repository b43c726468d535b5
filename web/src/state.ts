/** Everything that the page shows, as signals. Views read it; only the controller changes it. */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { InitialData, Named, Plan, PlanAnswer, PlanRequest, RequestError, Source } from "./contract.ts";
import type { MemoryUnit } from "./format.ts";
import { emptyPast, type Past } from "./history.ts";
import type { PageName } from "./route.ts";
import { indexTrace, type TraceIndex } from "./trace.ts";

/** The number whose explanation is open: its place in the answer, then the ids of the inputs walked into. */
export interface Explaining {
  place: string;
  path: string[];
}

/** What a screen asks: its place in the site, and where its requests say that explanations are wanted, if they may. */
export interface Asking {
  screen: PageName;
  explain: "in options" | "at the top" | "never";
  /** Its requests may do without draws in `/options/draws`: such an answer comes sooner and is followed by the whole one. */
  mayLackDraws?: boolean;
}
const kPlanAsking: Asking = { screen: "plan", explain: "in options", mayLackDraws: true };

export interface State {
  readonly initial: InitialData;
  readonly asking: Asking;
  /** Requests to go back to, and those that were undone. */
  past: Signal<Past<PlanRequest>>;
  request: Signal<PlanRequest>;
  /** The last valid answer, and the request that it answers. */
  answer: Signal<PlanAnswer>;
  answered: Signal<PlanRequest>;
  /** The answer before the current run of edits, for "was". */
  before: Signal<PlanAnswer | undefined>;
  errors: Signal<RequestError[]>;
  /** Place of the plan on show; 0 is the best. */
  selected: Signal<number>;
  memoryUnit: Signal<MemoryUnit>;
  engine: Signal<"starting" | "ready" | "failed">;
  busy: Signal<boolean>;
  /** The answer on show was given without draws; the whole one is on its way. */
  lacksDraws: Signal<boolean>;
  /** What comes of the draws is in view, so that no answer may lack them. */
  showsDraws: Signal<boolean>;
  /** A slider is held: more edits are to come. */
  isHeld: Signal<boolean>;
  notice: Signal<string | undefined>;
  /** Read out by screen readers once an edit has settled. */
  announcement: Signal<string>;
  explaining: Signal<Explaining | undefined>;
  /** The catalog's sources by id, once an explanation has been opened. */
  sources: Signal<ReadonlyMap<string, Source>>;
  trace: ReadonlySignal<TraceIndex | undefined>;
}

export function createState(initial: InitialData, asking = kPlanAsking): State {
  const answer = signal(initial.answer);
  return {
    initial,
    asking,
    past: signal(emptyPast()),
    request: signal(initial.preset),
    answer,
    answered: signal(initial.preset),
    before: signal(undefined),
    errors: signal([]),
    selected: signal(0),
    memoryUnit: signal("GiB"),
    engine: signal("starting"),
    busy: signal(false),
    lacksDraws: signal(false),
    showsDraws: signal(false),
    isHeld: signal(false),
    notice: signal(undefined),
    announcement: signal(""),
    explaining: signal(undefined),
    sources: signal(new Map()),
    trace: computed(() => indexTrace(answer.value.trace)),
  };
}

/** The plan on show and its place; undefined where the answer has none. */
export function shownPlan(state: State): { plan: Plan; place: string; index: number } | undefined {
  const plans = state.answer.value.plans ?? [];
  const index = Math.min(state.selected.value, plans.length - 1);
  const plan = plans[index];
  return plan === undefined ? undefined : { plan, place: `/plans/${index}`, index };
}

/** The name of a catalog item, or its id where the catalog does not have it. */
export function nameOf(items: readonly Named[], id: string | undefined): string {
  return items.find((item) => item.id === id)?.name ?? id ?? "";
}
