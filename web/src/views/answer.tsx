/** The answer in one sentence, three numbers and one bar; `short`: in one sentence. */

import { Fragment } from "preact";
import type { HeadlineNumber, Plan, ShownNumber } from "../contract.ts";
import { figureText, numberText } from "../format.ts";
import { canonical, isObject, numberAt, textAt, valueAt } from "../json.ts";
import { fill, humanize, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { nameOf, shownPlan } from "../state.ts";
import { translated } from "../translation.ts";
import { AgeBadge } from "./age_badge.tsx";
import { Deferred } from "./deferred.tsx";
import { Figure, Was } from "./figure.tsx";
import { MemoryBar } from "./memory_bar.tsx";
import { costTitle, planName, shownText, wayText } from "./names.ts";
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
  const sentence = <PlanSentence plan={plan} place={place} />;
  const said = [
    plan.decision,
    refused && { ...refused, message: refused.text },
    ...(plan.unchecked ?? []),
    ...(plan.estimates?.[0]?.model_notes ?? []),
  ];
  return (
    <>
      <h1 id="headline" tabIndex={-1}>
        {goal === undefined ? sentence : translated(goal)}
      </h1>
      {goal === undefined ? null : <p>{sentence}</p>}
      {said.map((one, i) =>
        one === undefined ? null : (
          <p key={i} class="decision">
            {translated(one)}
          </p>
        ),
      )}
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
      {placeOfPlan(state, plan, kWays[plan.way ?? ""]?.[1])}
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
  const load = state.answer.value.loads?.find((one) => one.workload === textAt(workload, "/name"));
  const rate = load?.peak_requests_per_s ?? numberAt(answer, `${estimate}/throughput/requests_per_s`);
  return rate === undefined ? null : (
    <Sentence template={messages.headlineServe} parts={{ model, rate: numberText(rate) }} />
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

/** The numbers that the engine judges the plan by. */
function Tiles({ place }: { place: string }) {
  const { state } = usePage();
  const headlines = shownPlan(state)?.plan.headlines ?? [];
  const several = new Set(headlines.flatMap(({ workload }) => workload ?? [])).size > 1;
  return (
    <dl class="tiles">
      {headlines
        .filter(({ id }) => id !== "gpus")
        .map((headline) => (
          <Tile key={headline.value.place} plan={place} headline={headline} named={several} />
        ))}
      {headlines.some(({ id }) => id === "cost_per_year") ? null : (
        <div class="tile">
          <dt>{messages.headlines.cost_per_year}</dt>
          <dd class="big none">{messages.noPrice}</dd>
          <CostNotes place={place} />
        </div>
      )}
    </dl>
  );
}

/** Its label says what the cost is over. */
export const isBare = ({ id }: HeadlineNumber) => id === "cost_per_year";

function Tile({ plan, headline, named }: { plan: string; headline: HeadlineNumber; named: boolean }) {
  const { id, workload, value } = headline;
  const shown = shownPlan(usePage().state);
  return (
    <div class="tile">
      <dt>
        {id === "cost_per_year" && shown !== undefined ? costTitle([shown.plan]) : messages.headlines[id]}
        {named && workload !== undefined ? `${messages.comma}${workload}` : null}
      </dt>
      <dd class="big">
        <Figure place={plan + value.place} bare={isBare(headline)} />
      </dd>
      <HeadlineNotes plan={plan} headline={headline} as="dd" />
      {id === "cost_per_year" ? <CostNotes place={plan} /> : null}
    </div>
  );
}

interface NotesProps {
  plan: string;
  headline: HeadlineNumber;
  /** The element of each note. */
  as: "dd" | "span";
}

/** What belongs to a number that a plan is judged by: its statistic, its 90 % interval, its target and how sure that is. */
export function HeadlineNotes({ plan, headline, as: Note }: NotesProps) {
  const { state } = usePage();
  const { id, value, statistic = "typical", low, high, target, probability } = headline;
  const bare = isBare(headline);
  const isMoney = id === "cost_per_year" || id === "purchase";
  // The same headline of the plan before, which another way of paying has elsewhere.
  const before = state.before.value?.plans?.[0]?.headlines?.find(
    (one) => one.id === id && one.workload === headline.workload && one.statistic === headline.statistic,
  );
  const figure = (number: ShownNumber) => <Figure place={plan + number.place} bare={bare} />;
  return (
    <>
      <Note class="note">
        <span class="chip">{messages.statistics[statistic]}</span>{" "}
        <Was place={plan + value.place} placeBefore={`/plans/0${before?.value.place}`} bare={bare} />
      </Note>
      {low === undefined ||
      high === undefined ||
      (id === "purchase" && Note === "dd") || // too many numbers at a glance: see Purchase
      numberAt(state.answer.value, plan + low.place) === undefined ? null : (
        <Note class="note">
          <Sentence template={messages.interval} parts={{ low: figure(low), high: figure(high) }} />
        </Note>
      )}
      {target === undefined ? null : (
        <Note class="note">
          {fill(isMoney ? messages.budget : messages.target, {
            value: shownText(state, plan, target).replaceAll(" ", "\u00a0"),
          })}
          {probability === undefined ? null : messages.comma}
          {probability === undefined ? null : (
            <Sentence template={messages.kept} parts={{ probability: <Figure place={plan + probability.place} /> }} />
          )}
        </Note>
      )}
    </>
  );
}

/** Where the cost per token of the chosen way stands, and who rents it out. */
export const kWays: Record<string, [cost: string, offer?: string]> = {
  own: ["on_premises"],
  "rent-on-demand": ["cloud", "cloud"],
  "rent-committed": ["committed", "committed"],
  hybrid: ["hybrid", "hybrid/rented_part"],
};

/** The recommended way, where it is rented, and what a token costs. */
function CostNotes({ place }: { place: string }) {
  const { state } = usePage();
  const way = textAt(state.answer.value, `${place}/way`) ?? "";
  const [cost, offer] = kWays[way] ?? [];
  const token = `${place}/cost/${cost}/usd_per_million_output_tokens`;
  return (
    <>
      <dd class="note">
        {wayText(way)}
        {offer === undefined ? null : <Offer place={`${place}/cost/${offer}`} />}
      </dd>
      {numberAt(state.answer.value, token) === undefined ? null : (
        <dd class="note">
          <Sentence template={messages.costPerToken} parts={{ usd: <Figure place={token} bare /> }} />
        </dd>
      )}
    </>
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
