/** All plans side by side, cheapest visible at a glance, and the GPUs that were not chosen with their reasons. */
import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import { numberAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { nameOf, shownPlan, usePage } from "../state.ts";
import { Figure } from "./figure.tsx";
import { Sentence } from "./sentence.tsx";
import { WaysOut } from "./ways_out.tsx";

const kCost = "cost/cloud/usd_per_million_output_tokens";

export function Choices() {
  const { state, controller } = usePage();
  const answer = state.answer.value;
  const plans = answer.plans ?? [];
  const rejected = answer.rejected ?? [];
  if (plans.length + rejected.length === 0) return null;
  const costs = plans.map((_, i) => numberAt(answer, `/plans/${i}/${kCost}`));
  const width = scaleLinear([0, max(costs, (cost) => cost) || 1], [0, 100]);
  const shown = shownPlan(state)?.index;
  return (
    <section class="choices" aria-labelledby="choices">
      <h2 id="choices">{messages.optionsTitle}</h2>
      {plans.length === 0 ? null : (
        <>
          <p class="note">{messages.optionsCaption}</p>
          <ol class="plans">
            {plans.map((plan, i) => {
              const place = `/plans/${i}`;
              const cost = costs[i];
              const gpu = nameOf(state.initial.gpus, plan.gpu);
              const option = fill(messages.optionSummary, { gpu_count: plan.gpu_count ?? "", gpu });
              return (
                <li key={place} class={i === shown ? "shown" : ""}>
                  <div class="name">
                    <Figure place={`${place}/gpu_count`} /> × {gpu}
                    <p class="note">
                      <Facts place={place} />
                    </p>
                  </div>
                  <div class="cost">
                    {cost === undefined ? (
                      <span class="none">{messages.noPrice}</span>
                    ) : (
                      <>
                        <svg class="cost-bar" width="100%" height="14" aria-hidden="true">
                          <rect class="track" width="100%" height="14" />
                          <rect class="fill" width={`${width(cost)}%`} height="14" />
                        </svg>
                        <Figure place={`${place}/${kCost}`} bare />
                      </>
                    )}
                  </div>
                  <div class="show">
                    {i === shown ? (
                      <span class="badge">{messages.optionShown}</span>
                    ) : (
                      <button
                        type="button"
                        aria-label={fill(messages.optionShowWhich, { option })}
                        onClick={() => controller.showPlan(i)}
                      >
                        {messages.optionShow}
                      </button>
                    )}
                  </div>
                </li>
              );
            })}
          </ol>
        </>
      )}
      {rejected.length === 0 ? null : (
        <>
          <h3>{messages.rejectedTitle}</h3>
          <ul class="rejected">
            {rejected.map((item) => (
              <li key={`${item.gpu}${item.reason?.message}`}>
                <p>
                  <b>{nameOf(state.initial.gpus, item.gpu)}</b> {item.reason?.message}
                </p>
                <WaysOut reason={item.reason} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Nodes and latencies of one plan, as far as the answer has them. */
function Facts({ place }: { place: string }) {
  const { state } = usePage();
  const answer = state.answer.value;
  const nodes = numberAt(answer, `${place}/nodes`);
  const latency = `${place}/estimates/0/latency`;
  const hasLatency = [`${latency}/ttft_s`, `${latency}/tpot_s`].every((at) => numberAt(answer, at) !== undefined);
  return (
    <>
      {nodes === undefined ? null : (
        <Sentence
          template={messages.optionNodes}
          parts={{
            nodes: <Figure place={`${place}/nodes`} />,
            node_word: nodes === 1 ? messages.node : messages.nodes,
          }}
        />
      )}
      {nodes === undefined || !hasLatency ? null : " · "}
      {hasLatency ? (
        <Sentence
          template={messages.optionLatency}
          parts={{ ttft: <Figure place={`${latency}/ttft_s`} />, tpot: <Figure place={`${latency}/tpot_s`} /> }}
        />
      ) : null}
    </>
  );
}
