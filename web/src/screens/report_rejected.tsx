/** What the plan on show was chosen over: the other ways of paying, and GPUs that gave no plan. */
import { numberAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { type State, shownPlan } from "../state.ts";
import { translated } from "../translation.ts";
import { Figure } from "../views/figure.tsx";
import { wayText } from "../views/names.ts";
import { RejectedList } from "../views/rejected.tsx";
import { differenceText } from "./difference.ts";
import { yearsOfWays } from "./rent_or_own.tsx";
import { reportTexts } from "./report_texts.ts";
import { NamedHead } from "./tables.tsx";
import { texts } from "./texts.ts";

const kRanked = "ranked_by_usd_per_year";
/** Ways as the factors of a decision call their sides. */
const kSides: Record<string, string> = {
  own: "own",
  "rent-on-demand": "rent",
  "rent-committed": "rent",
  hybrid: "hybrid",
};

export interface WayTurnedDown {
  way: string;
  /** Of what a year costs; absent where the way was ruled out. */
  at?: string;
  why: string[];
}

/** The ways that the plan is not paid by: those with a price with what argues against them, the others with what rules them out. */
export function waysTurnedDown(state: State): WayTurnedDown[] {
  const shown = shownPlan(state);
  if (shown?.plan.way === undefined) return [];
  const { plan, place } = shown;
  const first = numberAt(state.answer.value, `${place}/${kRanked}`);
  const priced = yearsOfWays(state.answer.value, place);
  return Object.entries(kSides).flatMap(([way, side]): WayTurnedDown[] => {
    if (way === plan.way) return [];
    const against = (plan.decision_factors ?? []).filter(({ towards }) => towards !== side);
    const say = (factors: typeof against) => factors.map((factor) => translated({ ...factor, message: factor.text }));
    const year = priced.find((one) => one.way === way);
    if (year !== undefined) {
      const difference = first === undefined ? "" : differenceText(kRanked, year.usd, first, { bare: true });
      const cost = difference === "" ? [] : [fill(reportTexts.otherCost, { difference })];
      return [{ way, at: year.at, why: [...cost, ...say(against)] }];
    }
    // Owning a part stays open where renting everything is ruled out, and the answer does not say more of it.
    const deciding = way === "hybrid" ? [] : against.filter(({ decides }) => decides);
    return deciding.length === 0 ? [] : [{ way, why: say(deciding) }];
  });
}

export function TurnedDown() {
  const { state } = usePage();
  const { plans = [], rejected = [] } = state.answer.value;
  const ways = waysTurnedDown(state);
  // Without any plan the reasons stand in the headline's place already.
  const gpus = plans.length === 0 ? [] : rejected;
  if (ways.length === 0 && gpus.length === 0) return null;
  return (
    <section class="card turned-down">
      <h2>{reportTexts.turnedDown}</h2>
      {ways.length === 0 ? null : <WaysTable ways={ways} />}
      {gpus.length === 0 ? null : (
        <>
          <h3>{fill(reportTexts.gpusTurnedDown, { count: gpus.length })}</h3>
          <RejectedList items={gpus} />
        </>
      )}
    </section>
  );
}

function WaysTable({ ways }: { ways: readonly WayTurnedDown[] }) {
  const names = [texts.priceUse, messages.headlines.cost_per_year, reportTexts.why];
  return (
    <>
      <h3>{reportTexts.waysTurnedDown}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus */}
      <section class="wide-table" tabIndex={0}>
        <table class="plain rows stacking">
          <NamedHead names={names} />
          <tbody>
            {ways.map(({ way, at, why }) => (
              <tr key={way}>
                <th scope="row">{wayText(way)}</th>
                <td data-label={names[1]}>{at === undefined ? reportTexts.ruledOut : <Figure place={at} bare />}</td>
                <td data-label={names[2]}>{why.join(" ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
