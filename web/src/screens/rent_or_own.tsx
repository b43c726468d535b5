/** What a year costs each way: the engine's sentence, bars on one scale, the factors, and what no sum holds. */

import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import { useEffect } from "preact/hooks";
import type { Plan } from "../contract.ts";
import { numberAt, valueAt } from "../json.ts";
import { labelOf, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { shownPlan } from "../state.ts";
import { translated } from "../translation.ts";
import { HeadlineNotes } from "../views/answer.tsx";
import { mayHaveDraws } from "../views/details.tsx";
import { Figure } from "../views/figure.tsx";
import { Fold, Texts } from "../views/fold.tsx";
import { Failed, lazy } from "../views/lazy.tsx";
import { Sentence } from "../views/sentence.tsx";
import { PlanFan } from "./plan_risk.tsx";
import { reportTexts } from "./report_texts.ts";

const quotes = lazy(async () => (await import("./quote_table.tsx")).QuoteTable);

/** What was offered, next to list prices; nothing where the request has no quote. */
function Quotes({ place }: { place: string }) {
  const { state } = usePage();
  const isAsked = valueAt(state.answered.value, "/quotes/0") !== undefined;
  useEffect(() => {
    if (isAsked) quotes.load();
  }, [isAsked]);
  const Loaded = quotes.view.value;
  if (!isAsked) return null;
  if (quotes.failed.value) return <Failed again={quotes.load} />;
  return Loaded === undefined ? null : <Loaded place={place} />;
}

/** What a year costs each way that has a price. */
export function yearsOfWays(answer: unknown, place: string) {
  return [
    { way: "rent-on-demand", label: messages.rentedYear, at: "cloud/as_needed_usd_per_year" },
    { way: "rent-committed", label: messages.committedYear, at: "committed/usd_per_year" },
    { way: "own", label: messages.ownedYear, at: "on_premises/annual_usd" },
    { way: "hybrid", label: labelOf("hybrid"), at: "hybrid/usd_per_year" },
  ].flatMap(({ way, label, at: under }) => {
    const at = `${place}/cost/${under}`;
    const usd = numberAt(answer, at);
    return usd === undefined ? [] : [{ way, label, at, usd }];
  });
}

/** All that is bought, with the interval for which the tile of the answer has no room. */
function Purchase({ plan, place }: { plan: Plan; place: string }) {
  const headline = plan.headlines?.find(({ id }) => id === "purchase");
  if (headline === undefined) return null;
  return (
    <p class="note">
      {messages.headlines.purchase} <Figure place={place + headline.value.place} />{" "}
      <HeadlineNotes plan={place} headline={headline} as="span" />
    </p>
  );
}

export function RentOrOwn() {
  const { state } = usePage();
  const shown = shownPlan(state);
  if (shown === undefined) return null;
  const { plan, place } = shown;
  const answer = state.answer.value;
  const cost = `${place}/cost`;
  const bars = yearsOfWays(answer, place);
  const absent = [...(plan.cost?.missing ?? []), ...(plan.cost?.left_out ?? [])];
  if (bars.length === 0 && plan.decision === undefined) return null;
  const width = scaleLinear([0, max(bars, ({ usd }) => usd) || 1], [0, 100]);
  const purchase = `${cost}/on_premises/servers_usd`;
  return (
    <section class="card" aria-labelledby="rent-or-own">
      <h2 id="rent-or-own">{messages.rentOrOwnTitle}</h2>
      {plan.decision === undefined ? null : <p class="decision">{translated(plan.decision)}</p>}
      {bars.length === 0 ? null : (
        <dl class="year">
          {bars.map(({ label, at, usd }) => (
            <div key={at}>
              <dt>{label}</dt>
              <dd>
                <svg class="rent-bar" width="100%" height="16" aria-hidden="true">
                  <rect class="track" width="100%" height="16" />
                  <rect class="fill" width={`${width(usd)}%`} height="16" />
                </svg>
                <Figure place={at} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <Texts items={(plan.decision_factors ?? []).map((factor) => ({ ...factor, message: factor.text }))} />
      {numberAt(answer, purchase) === undefined ? null : (
        <p class="note">
          <Sentence
            template={
              numberAt(answer, `${purchase}_low`) === numberAt(answer, `${purchase}_high`)
                ? messages.purchaseAtOnePrice
                : messages.purchase
            }
            parts={{
              typical: <Figure place={purchase} />,
              low: <Figure place={`${purchase}_low`} />,
              high: <Figure place={`${purchase}_high`} />,
            }}
          />
        </p>
      )}
      <Purchase plan={plan} place={place} />
      <Quotes place={place} />
      {mayHaveDraws(state, cost) ? (
        <Fold title={reportTexts.paidByYear}>
          <PlanFan place={place} />
        </Fold>
      ) : null}
      {absent.length === 0 ? null : (
        <details>
          <summary>{messages.absentCosts}</summary>
          <Texts items={absent} />
        </details>
      )}
    </section>
  );
}
