/** Everything else that the answer holds: why, what could go wrong, and the plan's numbers folded until asked for. */
import type { Assumption, FiredRule } from "../contract.ts";
import { fieldText } from "../format.ts";
import { isObject, valueAt } from "../json.ts";
import { fill, labelOf, messages } from "../messages.ts";
import { nameOf, shownPlan, usePage } from "../state.ts";
import { Fold, LateFold, TextBlock, Texts } from "./fold.tsx";
import { Quantities } from "./quantities.tsx";
import { RejectedGpus } from "./rejected.tsx";
import { SourceList } from "./sources.tsx";

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

/** Groups of numbers under `estimates`, each with a title of its own. */
const kGroups = ["latency", "throughput", "kv_cache", "step", "run"] as const;

function PlanDetails({ place }: { place: string }) {
  const { state } = usePage();
  const answer = state.answer.value;
  const plan = shownPlan(state)?.plan;
  const has = (inner: string) => isObject(valueAt(answer, place + inner));
  const rules = plan?.architecture?.rules_fired ?? [];
  return (
    <>
      {(plan?.estimates ?? []).map((estimate, i) => (
        <Fold
          key={estimate.workload ?? i}
          title={workloadTitle(messages.speedTitle, estimate.workload, plan?.estimates?.length)}
        >
          {estimate.binding?.message === undefined ? null : <p>{estimate.binding.message}</p>}
          <Quantities
            place={`${place}/estimates/${i}`}
            skip={["workload", "memory_per_gpu", "binding", "stable", ...kGroups]}
          />
          {kGroups.map((group) =>
            has(`/estimates/${i}/${group}`) ? (
              <div key={group}>
                <h3>{messages.groups[group]}</h3>
                <Quantities place={`${place}/estimates/${i}/${group}`} />
              </div>
            ) : null,
          )}
        </Fold>
      ))}
      {(plan?.layouts ?? []).map((layout, i) => (
        <Fold
          key={layout.workload ?? i}
          title={workloadTitle(messages.layoutTitle, layout.workload, plan?.layouts?.length)}
        >
          <p class="note">{messages.chosenLayout}</p>
          <Quantities place={`${place}/layouts/${i}`} skip={["workload", "gpu_count"]} plain />
        </Fold>
      ))}
      {has("/cost") ? (
        <LateFold title={messages.costTitle}>
          {() =>
            (["cloud", "committed", "on_premises", "hybrid", "break_even"] as const).map((way) =>
              has(`/cost/${way}`) ? (
                <div key={way}>
                  <h3>{messages.ways[way]}</h3>
                  <Quantities place={`${place}/cost/${way}`} />
                </div>
              ) : null,
            )
          }
        </LateFold>
      ) : null}
      {has("/architecture") ? (
        <Fold title={messages.architectureTitle}>
          <Quantities place={`${place}/architecture`} skip={["architecture", "system", "rules_fired"]} />
          {has("/racks") ? <h3>{messages.racksTitle}</h3> : null}
          <Quantities place={`${place}/racks`} />
          {has("/power") ? <h3>{messages.powerTitle}</h3> : null}
          <Quantities place={`${place}/power`} />
          <Quantities place={`${place}/energy`} />
          {rules.length === 0 ? null : (
            <>
              <h3>{messages.rulesFired}</h3>
              <Rules rules={rules} />
            </>
          )}
        </Fold>
      ) : null}
    </>
  );
}

function workloadTitle(title: string, workload: string | undefined, count = 1): string {
  return workload === undefined || count < 2 ? title : `${title}: ${workload}`;
}

function Rules({ rules }: { rules: readonly FiredRule[] }) {
  return (
    <ul class="texts">
      {rules.map(({ text, source }) => (
        <li key={text}>
          {text}
          {source === undefined || source === "" ? null : (
            <p class="note">
              <SourceList sources={source.split("; ")} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Assumptions({ items }: { items: readonly Assumption[] }) {
  const { state } = usePage();
  if (items.length === 0) return null;
  const said = items.flatMap(({ message }) => message ?? []);
  const values = items.filter(({ path }) => path !== undefined);
  const text = (value: unknown) =>
    typeof value === "string"
      ? nameOf([...state.initial.gpus, ...state.initial.models], value)
      : typeof value === "boolean"
        ? value
          ? messages.yes
          : messages.no
        : typeof value === "number"
          ? fieldText(value)
          : JSON.stringify(value);
  return (
    <Fold title={fill(messages.assumptionsTitle, { count: items.length })}>
      {said.length === 0 ? null : <Texts items={said} />}
      {values.length === 0 ? null : (
        <>
          <p class="note">{messages.assumptionsNote}</p>
          <table class="plain assumptions">
            <thead>
              <tr>
                <th scope="col">{messages.assumptionName}</th>
                <th scope="col">{messages.assumptionValue}</th>
                <th scope="col">{messages.assumptionSource}</th>
              </tr>
            </thead>
            <tbody>
              {values.map(({ path = "", value, source }) => (
                <tr key={path}>
                  <th scope="row" title={path}>
                    {labelOf(path.split("/").at(-1) ?? "")}
                  </th>
                  <td>{text(value)}</td>
                  <td>{source}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Fold>
  );
}
