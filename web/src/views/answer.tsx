/** The answer in one sentence, three numbers and one bar; `short`: in one sentence. */

import { Fragment } from "preact";
import type { Plan } from "../contract.ts";
import { fieldText, figureText, phrase } from "../format.ts";
import { canonical, isObject, numberAt, textAt, valueAt } from "../json.ts";
import { fill, humanize, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { nameOf, type State, shownPlan } from "../state.ts";
import { translated } from "../translation.ts";
import { AgeBadge } from "./age_badge.tsx";
import { Deferred } from "./deferred.tsx";
import { Figure, Was } from "./figure.tsx";
import { MemoryBar } from "./memory_bar.tsx";
import { planName, wayText } from "./names.ts";
import { countryOf, placeOfPlan } from "./place_names.ts";
import { RejectedList } from "./rejected.tsx";
import { Sentence } from "./sentence.tsx";

export function Answer({ short = false }: { short?: boolean }) {
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
      {shown === undefined || short ? null : <Tiles place={shown.place} />}
      {shown === undefined || short ? null : (
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
  const limit = plan.estimates?.[0]?.binding;
  const { goal } = state.answer.value;
  const refused = plan.decision_factors?.find(({ rule }) => rule === "above-budget");
  return (
    <>
      <h1 id="headline" tabIndex={-1}>
        {goal === undefined ? <PlanSentence plan={plan} place={place} /> : translated(goal)}
      </h1>
      {goal === undefined ? null : (
        <p>
          <PlanSentence plan={plan} place={place} />
        </p>
      )}
      {plan.decision === undefined ? null : <p class="decision">{translated(plan.decision)}</p>}
      {refused === undefined ? null : <p class="decision">{translated({ ...refused, message: refused.text })}</p>}
      {plan.unchecked?.map((one) => (
        <p key={one.code} class="decision">
          {translated(one)}
        </p>
      ))}
      <p class="limit">
        {limit?.limit === undefined ? null : (
          <>{fill(messages.limitedBy, { limit: humanize(limit.limit).toLowerCase() })} </>
        )}
        <WasPlan />
      </p>
    </>
  );
}

/** What the plan is and does, and where: "8 × H200 in 1 node serve 50 requests per second of Llama-3.1-70B, in Germany". */
function PlanSentence({ plan, place }: { plan: Plan; place: string }) {
  const { state } = usePage();
  // Rented GPUs stand in the machines of their cloud.
  const nodes = plan.way?.startsWith("rent") ? undefined : plan.architecture?.nodes;
  const isWhole = plan.gpu_count !== undefined && plan.gpu !== undefined && plan.estimates !== undefined;
  if (!isWhole) return <>{plan.summary}</>;
  return (
    <>
      <Sentence
        template={nodes === undefined ? messages.headlineNoNodes : messages.headline}
        parts={{
          gpu_count: <Figure place={`${place}/gpu_count`} />,
          gpu: <b>{planName(state, plan)}</b>,
          nodes: <Figure place={`${place}/architecture/nodes`} />,
          node_word: nodes === 1 ? messages.node : messages.nodes,
        }}
      />
      {plan.estimates?.map((_, index) => (
        <Fragment key={index}>
          {index === 0 ? null : messages.headlineAnd}
          <WorkSentence place={place} index={index} />
        </Fragment>
      ))}
      {placeOfPlan(state, plan)}
    </>
  );
}

/** What one workload gets from the plan. */
function WorkSentence({ place, index }: { place: string; index: number }) {
  const { state } = usePage();
  const answer = state.answer.value;
  const estimate = `${place}/estimates/${index}`;
  const { workloads } = state.answered.value;
  const all = Array.isArray(workloads) ? workloads.filter(isObject) : [];
  const workload = all.find(({ name }) => name === textAt(answer, `${estimate}/workload`)) ?? all[index];
  const id = textAt(workload, "/model");
  const model = <i>{id === undefined ? messages.ownModel : nameOf(state.initial.models, id)}</i>;
  const tokens = numberAt(workload, "/tokens");
  const time = `${estimate}/run/time_days`;
  if (numberAt(answer, time) !== undefined && tokens !== undefined)
    return (
      <Sentence
        template={messages.headlineTrain}
        parts={{ model, tokens: figureText("tokens", tokens).value, time: <Figure place={time} /> }}
      />
    );
  const rate = numberAt(workload, "/peak_requests_per_s") ?? numberAt(answer, `${estimate}/throughput/requests_per_s`);
  return rate === undefined ? null : (
    <Sentence template={messages.headlineServe} parts={{ model, rate: fieldText(rate) }} />
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
  const estimate = `${place}/estimates/0`;
  return (
    <dl class="tiles">
      <LatencyTile label={messages.firstToken} plan={place} name="ttft_s" />
      <LatencyTile label={messages.nextToken} plan={place} name="tpot_s" />
      <RunTile place={`${estimate}/run`} />
      <CostTile place={place} />
    </dl>
  );
}

/** Where the cost of the chosen way stands: per year, per token, and who rents it out. */
export const kWays: Record<string, [perYear: string, perToken: string, offer?: string]> = {
  own: ["on_premises/annual_usd", "on_premises"],
  "rent-on-demand": ["cloud/as_needed_usd_per_year", "cloud", "cloud"],
  "rent-committed": ["committed/usd_per_year", "committed", "committed"],
  hybrid: ["hybrid/usd_per_year", "hybrid", "hybrid/rented_part"],
};

/** What the recommended way costs, and where it is rented. */
function CostTile({ place }: { place: string }) {
  const { state } = usePage();
  const answer = state.answer.value;
  const way = textAt(answer, `${place}/way`) ?? "";
  const [perYear, perToken, offer] = kWays[way] ?? [];
  const year = `${place}/cost/${perYear}`;
  const token = `${place}/cost/${perToken}/usd_per_million_output_tokens`;
  const known = numberAt(answer, year) !== undefined;
  return (
    <div class="tile">
      <dt>{messages.costPerYear}</dt>
      <dd class={known ? "big" : "big none"}>{known ? <Figure place={year} bare /> : messages.noPrice}</dd>
      <dd class="note">
        {wayText(way)}
        {offer === undefined ? null : <Offer place={`${place}/cost/${offer}`} />} <Was place={year} bare />
      </dd>
      {numberAt(answer, token) === undefined ? null : (
        <dd class="note">
          <Sentence template={messages.costPerToken} parts={{ usd: <Figure place={token} bare /> }} />
        </dd>
      )}
    </div>
  );
}

/** Whose rent the cost rests on, and of which day. */
export function Offer({ place, template = messages.rentedAt }: { place: string; template?: string }) {
  const { state } = usePage();
  const word = (key: string) => textAt(state.answer.value, `${place}/${key}`) ?? "";
  const provider = word("provider_name");
  if (provider === "") return null;
  const where = [word("region"), countryOf(state, valueAt(state.answer.value, place))];
  const offer = [`${provider} ${word("instance")}`, ...where].filter((text) => text !== "").join(messages.comma);
  return (
    <span>
      {fill(template, { offer, date: word("as_of") })} <AgeBadge asOf={word("as_of")} />
    </span>
  );
}

/** The time of a training run, and how sure its deadline is. */
function RunTile({ place }: { place: string }) {
  const { state } = usePage();
  if (numberAt(state.answer.value, `${place}/time_days`) === undefined) return null;
  const deadline = numberAt(state.answered.value, "/workloads/0/deadline_days");
  return (
    <div class="tile">
      <dt>{messages.runTime}</dt>
      <dd class="big">
        <Figure place={`${place}/time_days`} />
      </dd>
      <dd class="note">
        <Span place={`${place}/time_days`} />
      </dd>
      <dd class="note">
        <Kept
          target={deadline === undefined ? undefined : phrase(figureText("time_days", deadline))}
          odds={`${place}/deadline_probability`}
        />{" "}
        <Was place={`${place}/time_days`} />
      </dd>
    </div>
  );
}

/** The 90 % interval of a number, where there is one. */
export function Span({ place }: { place: string }) {
  const { state } = usePage();
  if (numberAt(state.answer.value, `${place}_low`) === undefined) return null;
  const parts = { low: <Figure place={`${place}_low`} />, high: <Figure place={`${place}_high`} /> };
  return <Sentence template={messages.interval} parts={parts} />;
}

/** "target 2 s, kept with a probability of 98 %"; `said` is how a target is called next to this number. */
export function Kept({
  target,
  odds,
  said = messages.target,
}: {
  target: string | undefined;
  odds: string;
  said?: string;
}) {
  const { state } = usePage();
  if (target === undefined) return null;
  const known = numberAt(state.answer.value, odds) !== undefined;
  return (
    <span>
      {fill(said, { value: target.replaceAll(" ", "\u00a0") })}
      {known ? messages.comma : null}
      {known ? <Sentence template={messages.kept} parts={{ probability: <Figure place={odds} /> }} /> : null}
    </span>
  );
}

/** Where a latency of a plan stands: the 95th percentile where the engine gives one, else the mean; and its limit, where it has one. */
export function latencyOf({ answer, answered }: State, plan: string, name: string) {
  const place = `${plan}/estimates/0/latency`;
  const p95 = `${place}/${name}_p95`;
  const hasP95 = numberAt(answer.value, p95) !== undefined;
  const asked = `${name}_p95_max`;
  const target = numberAt(answered.value, `/workloads/0/${asked}`);
  const limits = valueAt(answer.value, `${plan}/layouts/0/limits`);
  const at = Array.isArray(limits) ? limits.findIndex((one) => isObject(one) && one.limit === asked) : -1;
  return {
    shown: hasP95 ? p95 : `${place}/${name}`,
    statistic: hasP95 ? messages.percentile : messages.mean,
    limit: at < 0 ? undefined : `${plan}/layouts/0/limits/${at}`,
    target: target === undefined ? undefined : phrase(figureText(name, target)),
    said: hasP95 ? messages.target : messages.p95Target,
  };
}

/** Says which statistic it shows. */
function LatencyTile({ label, plan, name }: { label: string; plan: string; name: string }) {
  const { state } = usePage();
  const { shown, statistic, limit, target, said } = latencyOf(state, plan, name);
  if (numberAt(state.answer.value, shown) === undefined) return null;
  const basis = textAt(state.answer.value, `${plan}/estimates/0/latency/${name.replace(/_s$/, "")}_basis`);
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd class="big">
        <Figure place={shown} />
      </dd>
      <dd class="note">
        {statistic} <Was place={shown} />
      </dd>
      {limit === undefined ? null : (
        <dd class="note">
          <Span place={`${limit}/reached_s`} />
        </dd>
      )}
      <dd class="note">
        <Kept target={target} odds={`${limit}/probability`} said={said} />
      </dd>
      {basis === undefined ? null : <dd class="note">{basis}</dd>}
    </div>
  );
}
