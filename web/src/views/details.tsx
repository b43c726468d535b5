/** Everything else that the answer holds about the plan on show, folded until asked for. */
import type { ComponentChildren } from "preact";
import type { Reason } from "../contract.ts";
import { isObject, valueAt } from "../json.ts";
import { fill, labelOf, messages } from "../messages.ts";
import { shownPlan, usePage } from "../state.ts";
import { Quantities } from "./quantities.tsx";

export function Details() {
  const { state } = usePage();
  const answer = state.answer.value;
  const shown = shownPlan(state);
  const assumptions = answer.assumptions ?? [];
  const missing = answer.not_modelled ?? [];
  return (
    <section class="details">
      {shown === undefined ? null : <PlanDetails place={shown.place} />}
      {assumptions.length === 0 ? null : (
        <Fold title={fill(messages.assumptionsTitle, { count: assumptions.length })}>
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
              {assumptions.map((assumption) => (
                <tr key={assumption.path}>
                  <th scope="row" title={assumption.path}>
                    {labelOf(assumption.path.split("/").at(-1) ?? "")}
                  </th>
                  <td>
                    {[plainText(assumption.value), assumption.unit].filter((text) => text !== undefined).join(" ")}
                  </td>
                  <td>{assumption.source}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Fold>
      )}
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
  const answer = state.answer.value;
  const plan = shownPlan(state)?.plan;
  const has = (inner: string) => isObject(valueAt(answer, place + inner));
  return (
    <>
      <div class="columns">
        <TextBlock title={messages.whyTitle} items={plan?.reasons} />
        <TextBlock title={messages.risksTitle} items={plan?.risks} />
      </div>
      {(plan?.estimates ?? []).map((estimate, i) => (
        <Fold
          key={estimate.workload ?? i}
          title={workloadTitle(messages.speedTitle, estimate.workload, plan?.estimates?.length)}
        >
          <Quantities place={`${place}/estimates/${i}/latency`} />
          <Quantities place={`${place}/estimates/${i}/throughput`} />
          <Quantities
            place={`${place}/estimates/${i}`}
            skip={["workload", "memory_per_gpu", "latency", "throughput", "kv_cache", "binding"]}
          />
          {has(`/estimates/${i}/kv_cache`) ? <h3>{messages.kvTitle}</h3> : null}
          <Quantities place={`${place}/estimates/${i}/kv_cache`} />
        </Fold>
      ))}
      {(plan?.layouts ?? []).map((layout, i) => (
        <Fold
          key={layout.workload ?? i}
          title={workloadTitle(messages.layoutTitle, layout.workload, plan?.layouts?.length)}
        >
          <Quantities place={`${place}/layouts/${i}`} skip={["workload"]} />
        </Fold>
      ))}
      {has("/cost") ? (
        <Fold title={messages.costTitle}>
          {has("/cost/cloud") ? <h3>{messages.cloudTitle}</h3> : null}
          <Quantities place={`${place}/cost/cloud`} />
          {has("/cost/on_premises") ? <h3>{messages.onPremisesTitle}</h3> : null}
          <Quantities place={`${place}/cost/on_premises`} />
          {has("/cost/hybrid") ? <h3>{messages.hybridTitle}</h3> : null}
          <Quantities place={`${place}/cost/hybrid`} />
        </Fold>
      ) : null}
      {has("/architecture") ? (
        <Fold title={messages.architectureTitle}>
          <Quantities place={`${place}/architecture`} />
        </Fold>
      ) : null}
    </>
  );
}

function workloadTitle(title: string, workload: string | undefined, count = 1): string {
  return workload === undefined || count < 2 ? title : `${title}: ${workload}`;
}

function Fold({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <details class="fold">
      <summary>
        <h2>{title}</h2>
      </summary>
      <div class="inside">{children}</div>
    </details>
  );
}

function TextBlock({ title, items }: { title: string; items: (string | Reason)[] | undefined }) {
  if (items === undefined || items.length === 0) return null;
  return (
    <div>
      <h2>{title}</h2>
      <Texts items={items} />
    </div>
  );
}

function Texts({ items }: { items: readonly (string | Reason)[] }) {
  const texts = items.map((item) => (typeof item === "string" ? item : item.message));
  return (
    <ul class="texts">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function plainText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
