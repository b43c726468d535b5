/** Everything that speaks for the plan, and what fell out: the sentences under its numbers. */
import type { Assumption } from "../contract.ts";
import { isObject, valueAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { type State, shownPlan } from "../state.ts";
import { TextBlock } from "./fold.tsx";
import { LazyFold, lazy } from "./lazy.tsx";
import { RejectedGpus } from "./rejected.tsx";

const bodies = lazy(() => import("./detail_bodies.tsx"));

/** The page opens without the draws, and so do answers to a slider that moves; their place is kept. */
export function mayHaveDraws(state: State, cost: string): boolean {
  const has = (inner: string) => isObject(valueAt(state.answer.value, `${cost}/${inner}`));
  return has("distribution") || (has("on_premises") && (state.engine.value !== "ready" || state.lacksDraws.value));
}

export function Reasons() {
  const { state } = usePage();
  return (
    <section class="details">
      <div class="columns">
        <TextBlock title={messages.whyTitle} items={shownPlan(state)?.plan.reasons} />
        <TextBlock title={messages.flipsTitle} items={state.answer.value.what_would_change_the_decision} />
      </div>
      <RejectedGpus />
    </section>
  );
}

/** Values that the request left open. */
export function Assumptions({ items }: { items: readonly Assumption[] }) {
  if (items.length === 0) return null;
  return (
    <LazyFold title={fill(messages.assumptionsTitle, { count: items.length })} part={bodies}>
      {({ AssumptionsBody }) => <AssumptionsBody items={items} />}
    </LazyFold>
  );
}
