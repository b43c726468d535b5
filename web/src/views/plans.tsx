/** All plans side by side: one row each, with the cost by which they are ranked drawn as a bar. */
import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import type { Layout } from "../contract.ts";
import { numberAt } from "../json.ts";
import { fill, labelOf, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { shownPlan } from "../state.ts";
import { Figure } from "./figure.tsx";
import { costTitle, planName, wayText } from "./names.ts";

const kRanked = "ranked_by_usd_per_year";

/**
 * Columns after the cost: heading and the place of the number in a plan; `of` names the workload whose numbers they are,
 * where there are several. A column without a single number is left out.
 */
const planColumns = (of: string | undefined): readonly (readonly [string, string])[] => [
  [messages.columnOwn, "cost/on_premises/annual_usd"],
  [ofWorkload(messages.columnFirstToken, of), "estimates/0/latency/ttft_s"],
  [ofWorkload(messages.columnNextToken, of), "estimates/0/latency/tpot_s"],
  [ofWorkload(messages.columnRunTime, of), "estimates/0/run/time_days"],
];

const ofWorkload = (title: string, name: string | undefined) => (name === undefined ? title : `${name}: ${title}`);

export function Plans() {
  const { state, controller } = usePage();
  const answer = state.answer.value;
  const plans = answer.plans ?? [];
  if (plans.length === 0) return null;
  const costs = plans.map((_, i) => numberAt(answer, `/plans/${i}/${kRanked}`));
  const width = scaleLinear([0, max(costs, (cost) => cost) || 1], [0, 100]);
  const { estimates = [] } = plans[0] ?? {};
  const columns = planColumns(estimates.length > 1 ? estimates[0]?.workload : undefined).filter(([, at]) =>
    plans.some((_, i) => numberAt(answer, `/plans/${i}/${at}`) !== undefined),
  );
  const shown = shownPlan(state)?.index;
  const costName = costTitle(plans);
  return (
    <section class="choices" aria-labelledby="choices">
      <h2 id="choices">{messages.plansTitle}</h2>
      <p class="note">
        {messages.plansNote} <span class="on-screen">{messages.pressNumbers}</span>
      </p>
      {/* The roles stay when a narrow screen turns rows into cards. */}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: a table that is not displayed as one would lose them */}
      <table class="plans" role="table" aria-labelledby="choices">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              {messages.columnPlan}
            </th>
            <th role="columnheader" scope="col">
              {costName}
            </th>
            {columns.map(([heading]) => (
              <th key={heading} role="columnheader" scope="col">
                {heading}
              </th>
            ))}
            <th role="columnheader" scope="col">
              <span class="hidden">{messages.columnShow}</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {plans.map((plan, i) => {
            const place = `/plans/${i}`;
            const cost = costs[i];
            return (
              <tr key={place} role="row" class={i === shown ? "shown" : ""}>
                <th role="rowheader" scope="row">
                  <span class="name">
                    <Figure place={`${place}/gpu_count`} /> × {planName(state, plan)}
                  </span>
                  <span class="note">
                    <Nodes place={`${place}/architecture/nodes`} />
                    {layoutText(plan.layouts)}
                  </span>
                </th>
                <td role="cell" class="rent" data-label={costName}>
                  {cost === undefined ? (
                    <span class="none">{messages.noPrice}</span>
                  ) : (
                    <>
                      <Figure place={`${place}/${kRanked}`} bare />
                      <svg class="rent-bar" width="100%" height="10" aria-hidden="true">
                        <rect class="track" width="100%" height="10" />
                        <rect class="fill" width={`${width(cost)}%`} height="10" />
                      </svg>
                      <span class="note">{wayText(plan.way)}</span>
                    </>
                  )}
                </td>
                {columns.map(([heading, at]) => (
                  <td key={heading} role="cell" data-label={heading}>
                    {numberAt(answer, `${place}/${at}`) === undefined ? (
                      <span class="none">–</span>
                    ) : (
                      <Figure place={`${place}/${at}`} bare={/usd/.test(at)} />
                    )}
                  </td>
                ))}
                <td role="cell" class="show">
                  {i === shown ? (
                    <span class="badge">{messages.planShown}</span>
                  ) : (
                    <button
                      type="button"
                      aria-label={fill(messages.planShowWhich, {
                        plan: fill(messages.planInShort, {
                          gpu_count: plan.gpu_count ?? "",
                          gpu: planName(state, plan),
                          layout: layoutText(plan.layouts),
                        }),
                      })}
                      onClick={() => controller.showPlan(i)}
                    >
                      {messages.planShow}
                    </button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: a table that is not displayed as one would lose them */}
    </section>
  );
}

function Nodes({ place }: { place: string }) {
  const nodes = numberAt(usePage().state.answer.value, place);
  if (nodes === undefined) return null;
  return (
    <>
      <Figure place={place} /> {nodes === 1 ? messages.node : messages.nodes},{" "}
    </>
  );
}

/** Precision and the parallel sizes above one, of each workload: `FP8, tensor 2, replicas 8`. */
export function layoutText(layouts: readonly Layout[] | undefined): string {
  const texts = (layouts ?? []).map((layout) => {
    const sizesOf = (of: Layout["parallelism"]) =>
      Object.entries(of ?? {})
        .filter(([key, size]) => typeof size === "number" && size > 1 && key !== "zero_stage")
        .map(([key, size]) => `${messages.parallelSizes[key as keyof typeof messages.parallelSizes] ?? key} ${size}`);
    const sizes = sizesOf(layout.parallelism);
    for (const [pool, { parallelism }] of Object.entries(layout.pools ?? {}))
      sizes.push(`${labelOf(pool)} (${sizesOf(parallelism).join(", ")})`);
    if (layout.draft_tokens !== undefined) sizes.push(`${labelOf("draft_tokens")} ${layout.draft_tokens}`);
    return [(layout.weight_precision ?? layout.precision)?.toUpperCase(), ...sizes]
      .filter((text) => text !== undefined)
      .join(", ");
  });
  return texts.join("; ");
}
