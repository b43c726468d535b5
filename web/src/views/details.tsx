/** Everything else that the answer holds: why, what could go wrong, and the plan's numbers folded until asked for. */
import type { Assumption } from "../contract.ts";
import { isObject, valueAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { type State, shownPlan } from "../state.ts";
import { Fold, TextBlock, Texts } from "./fold.tsx";
import { LazyFold, lazy } from "./lazy.tsx";
import { RejectedGpus } from "./rejected.tsx";

const bodies = lazy(() => import("./detail_bodies.tsx"));
const day = lazy(() => import("../screens/plan_day.tsx"));
export const risk = lazy(() => import("../screens/plan_risk.tsx"));

/** The page opens without the draws, and so do answers to a slider that moves; their place is kept. */
export function mayHaveDraws(state: State, cost: string): boolean {
  const has = (inner: string) => isObject(valueAt(state.answer.value, `${cost}/${inner}`));
  return has("distribution") || (has("on_premises") && (state.engine.value !== "ready" || state.lacksDraws.value));
}

export function Details() {
  const { state } = usePage();
  const answer = state.answer.value;
  const shown = shownPlan(state);
  const missing = answer.not_modelled ?? [];
  return (
    <section class="details">
      <div class="columns">
        <TextBlock title={messages.whyTitle} items={shown?.plan.reasons} />
        <TextBlock title={messages.risksTitle} items={shown?.plan.risks} />
        <TextBlock title={messages.flipsTitle} items={answer.what_would_change_the_decision} />
      </div>
      <RejectedGpus />
      {shown === undefined ? null : <PlanDetails place={shown.place} />}
      <Assumptions items={answer.assumptions ?? []} />
      {missing.length === 0 ? null : (
        <Fold title={fill(messages.notModelledTitle, { count: missing.length })}>
          <p class="note">{messages.notModelledNote}</p>
          <Texts items={missing} />
        </Fold>
      )}
    </section>
  );
}

function PlanDetails({ place }: { place: string }) {
  const { state } = usePage();
  const plan = shownPlan(state)?.plan;
  const has = (inner: string) => isObject(valueAt(state.answer.value, place + inner));
  return (
    <>
      {(plan?.estimates ?? []).map(({ workload, binding }, i) => (
        <LazyFold
          key={workload ?? i}
          title={workloadTitle(messages.speedTitle, workload, plan?.estimates?.length)}
          part={bodies}
        >
          {({ EstimateBody }) => <EstimateBody place={`${place}/estimates/${i}`} limit={binding} />}
        </LazyFold>
      ))}
      {(plan?.estimates ?? []).map(({ workload, latency }, i) =>
        latency === undefined ? null : (
          <LazyFold
            key={workload ?? i}
            title={workloadTitle(messages.dayTitle, workload, plan?.estimates?.length)}
            part={day}
            open={valueAt(state.answered.value, `/workloads/${i}/traffic`) !== undefined}
          >
            {({ PlanDay }) => <PlanDay place={place} index={i} />}
          </LazyFold>
        ),
      )}
      {(plan?.layouts ?? []).map(({ workload }, i) => (
        <LazyFold
          key={workload ?? i}
          title={workloadTitle(messages.layoutTitle, workload, plan?.layouts?.length)}
          part={bodies}
        >
          {({ LayoutBody }) => <LayoutBody place={`${place}/layouts/${i}`} />}
        </LazyFold>
      ))}
      {has("/cost") ? (
        <LazyFold title={messages.costTitle} part={bodies}>
          {({ CostBody }) => <CostBody place={`${place}/cost`} />}
        </LazyFold>
      ) : null}
      {mayHaveDraws(state, `${place}/cost`) ? (
        <LazyFold title={messages.riskTitle} part={risk}>
          {({ PlanRisk }) => <PlanRisk place={place} />}
        </LazyFold>
      ) : null}
      {has("/architecture") ? (
        <LazyFold title={messages.architectureTitle} part={bodies}>
          {({ ArchitectureBody }) => <ArchitectureBody place={place} />}
        </LazyFold>
      ) : null}
    </>
  );
}

function workloadTitle(title: string, workload: string | undefined, count = 1): string {
  return workload === undefined || count < 2 ? title : `${title}: ${workload}`;
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
