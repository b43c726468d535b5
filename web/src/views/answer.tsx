/** The answer in one sentence, three numbers and one bar. */

import type { Plan } from "../contract.ts";
import { fieldText, figureText, phrase } from "../format.ts";
import { canonical, numberAt, textAt } from "../json.ts";
import { fill, humanize, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { nameOf, shownPlan } from "../state.ts";
import { translated } from "../translation.ts";
import { Deferred } from "./deferred.tsx";
import { Figure, Was } from "./figure.tsx";
import { MemoryBar } from "./memory_bar.tsx";
import { planName } from "./names.ts";
import { RejectedList } from "./rejected.tsx";
import { Sentence } from "./sentence.tsx";

export function Answer() {
  const { state } = usePage();
  const shown = shownPlan(state);
  const isPreset = canonical(state.request.value) === canonical(state.initial.preset);
  return (
    <section class="answer" aria-labelledby="headline" aria-busy={state.busy.value || state.lacksDraws.value}>
      <p class="row kicker">
        {isPreset ? <span class="badge">{messages.presetBadge}</span> : null}
        {state.answered.value.calibration === undefined ? null : (
          <a class="badge" href="#/host">
            {messages.measuredBadge}
          </a>
        )}
        <Rank />
        <span class="working" aria-hidden="true">
          {state.busy.value ? messages.updating : ""}
        </span>
      </p>
      {state.errors.value.length > 0 ? <p class="stale">{messages.staleAnswer}</p> : null}
      {shown === undefined ? <NoPlan /> : <Headline />}
      {shown === undefined ? null : <Tiles place={shown.place} />}
      {shown === undefined ? null : (
        <Deferred>
          <MemoryBar place={`${shown.place}/estimates/0/memory_per_gpu`} />
        </Deferred>
      )}
    </section>
  );
}

function Rank() {
  const { state } = usePage();
  const shown = shownPlan(state);
  const count = state.answer.value.plans?.length ?? 0;
  if (shown === undefined || count < 2) return null;
  const text = shown.index === 0 ? messages.bestPlan : messages.rank;
  return <span>{fill(text, { rank: shown.index + 1, count })}</span>;
}

function Headline() {
  const { state } = usePage();
  const shown = shownPlan(state);
  if (shown === undefined) return null;
  const { plan, place } = shown;
  const request = state.answered.value;
  const rate = numberAt(request, "/workloads/0/peak_requests_per_s");
  // Rented GPUs stand in the machines of their cloud.
  const nodes = plan.way?.startsWith("rent") ? undefined : plan.architecture?.nodes;
  const limit = plan.estimates?.[0]?.binding;
  const { goal } = state.answer.value;
  const whole = goal === undefined && plan.gpu_count !== undefined && plan.gpu !== undefined && rate !== undefined;
  return (
    <>
      <h1 id="headline" tabIndex={-1}>
        {whole ? (
          <Sentence
            template={nodes === undefined ? messages.headlineNoNodes : messages.headline}
            parts={{
              gpu_count: <Figure place={`${place}/gpu_count`} />,
              gpu: <b>{planName(state, plan)}</b>,
              nodes: <Figure place={`${place}/architecture/nodes`} />,
              node_word: nodes === 1 ? messages.node : messages.nodes,
              rate: fieldText(rate),
              model: <i>{nameOf(state.initial.models, textAt(request, "/workloads/0/model"))}</i>,
            }}
          />
        ) : goal === undefined ? (
          plan.summary
        ) : (
          translated(goal)
        )}
      </h1>
      {goal === undefined ? null : <p>{plan.summary}</p>}
      <p class="limit">
        {limit?.limit === undefined ? null : (
          <>{fill(messages.limitedBy, { limit: humanize(limit.limit).toLowerCase() })} </>
        )}
        <WasPlan />
      </p>
    </>
  );
}

/** "was 16 × H200", while the best plan differs from the one before the last edits. */
function WasPlan() {
  const { state } = usePage();
  const text = (plan: Plan | undefined) =>
    plan?.gpu_count === undefined
      ? undefined
      : fill(messages.planSummary, { gpu_count: plan.gpu_count, gpu: planName(state, plan) });
  const now = text(shownPlan(state)?.plan);
  const before = text(state.before.value?.plans?.[0]);
  if (before === undefined || before === now) return null;
  return <span class="was">{fill(messages.was, { value: before })}</span>;
}

function NoPlan() {
  const { state } = usePage();
  const { rejected = [], reasons = [] } = state.answer.value;
  return (
    <>
      <h1 id="headline" tabIndex={-1}>
        {messages.noPlanHeadline}
      </h1>
      <RejectedList items={rejected.length > 0 ? rejected : reasons} />
    </>
  );
}

function Tiles({ place }: { place: string }) {
  const { state } = usePage();
  const cloud = `${place}/cost/cloud`;
  const answer = state.answer.value;
  const provider = textAt(answer, `${cloud}/provider_name`);
  const date = textAt(answer, `${cloud}/as_of`);
  return (
    <dl class="tiles">
      <LatencyTile label={messages.firstToken} place={`${place}/estimates/0/latency`} name="ttft_s" />
      <LatencyTile label={messages.nextToken} place={`${place}/estimates/0/latency`} name="tpot_s" />
      <div class="tile">
        <dt>{messages.costPerToken}</dt>
        {numberAt(answer, `${cloud}/usd_per_million_output_tokens`) === undefined ? (
          <dd class="big none">{messages.noPrice}</dd>
        ) : (
          <dd class="big">
            <Figure place={`${cloud}/usd_per_million_output_tokens`} bare />
          </dd>
        )}
        <dd class="note">
          {provider === undefined
            ? null
            : fill(messages.rentedAt, {
                provider,
                instance: textAt(answer, `${cloud}/instance`) ?? "",
                region: textAt(answer, `${cloud}/region`) ?? "",
              })}
          {date === undefined ? null : <span>, {fill(messages.priceDate, { date })}</span>}{" "}
          <Was place={`${cloud}/usd_per_million_output_tokens`} bare />
        </dd>
      </div>
    </dl>
  );
}

/** Shows the 95th percentile where the engine gives one, else the mean, and says which it is. */
function LatencyTile({ label, place, name }: { label: string; place: string; name: string }) {
  const { state } = usePage();
  const p95 = `${place}/${name}_p95`;
  const hasP95 = numberAt(state.answer.value, p95) !== undefined;
  const shown = hasP95 ? p95 : `${place}/${name}`;
  if (numberAt(state.answer.value, shown) === undefined) return null;
  const target = numberAt(state.answered.value, `/workloads/0/${name}_p95_max`);
  const basis = textAt(state.answer.value, `${place}/${name.replace(/_s$/, "")}_basis`);
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd class="big">
        <Figure place={shown} />
      </dd>
      <dd class="note">
        {hasP95 ? messages.percentile : messages.mean}
        {target === undefined ? null : (
          <span>
            ,{" "}
            {fill(hasP95 ? messages.target : messages.p95Target, {
              value: phrase(figureText(name, target)).replaceAll(" ", "\u00a0"),
            })}
          </span>
        )}{" "}
        <Was place={shown} />
      </dd>
      {basis === undefined ? null : <dd class="note">{basis}</dd>}
    </div>
  );
}
