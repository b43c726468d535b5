/** What the recommended way costs in parts, and by how much the alternatives differ: what a board asks of a report. */
import { keyOf } from "../format.ts";
import { numberAt, textAt } from "../json.ts";
import { labelOf, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { shownPlan } from "../state.ts";
import { Figure } from "../views/figure.tsx";
import { planName, wayText } from "../views/names.ts";
import { layoutText } from "../views/plans.tsx";
import { NumbersTable } from "./charts/chart_table.tsx";
import { differenceText } from "./difference.ts";
import { yearsOfWays } from "./rent_or_own.tsx";
import { RateNote } from "./report_head.tsx";
import { texts } from "./texts.ts";

const kRanked = "ranked_by_usd_per_year";

/** The other ways of paying for the plan, and the other plans, each with its difference. */
export function Alternatives() {
  const { state } = usePage();
  const shown = shownPlan(state);
  const { answer } = state;
  const first = shown && numberAt(answer.value, `${shown.place}/${kRanked}`);
  if (shown === undefined || first === undefined) return null;
  const ways = yearsOfWays(answer.value, shown.place).filter(({ way }) => way !== shown.plan.way);
  const plans = (answer.value.plans ?? []).flatMap((plan, i) => {
    const at = `/plans/${i}/${kRanked}`;
    const usd = numberAt(answer.value, at);
    const label = `${plan.gpu_count} × ${planName(state, plan)}, ${layoutText(plan.layouts)}: ${wayText(plan.way)}`;
    return i === shown.index || usd === undefined ? [] : [{ label, at, usd }];
  });
  const rows = [...ways, ...plans].map(({ label, at, usd }) => ({
    key: at,
    cells: [label, <Figure key="usd" place={at} bare />, differenceText(kRanked, usd, first, { bare: true })],
  }));
  if (rows.length === 0) return null;
  return (
    <section class="card">
      <h2>{texts.alternatives}</h2>
      <NumbersTable columns={[texts.alternative, messages.headlines.cost_per_year, texts.difference]} rows={rows} />
    </section>
  );
}

/** Parts of a year and of the purchase, the sum last. */
const perYear = (parts: readonly string[]) => parts.map((part) => `${part}_usd_per_year`);
const kOwning = [
  "annual_capital_usd",
  ...perYear(["energy", "facility", "support", "staff", "license", "connection", "growth"]),
  "annual_usd",
].map((key) => `on_premises/${key}`);
const kRenting = perYear(["compute", "license", "storage", "egress", "support"]);
const kBuying = ["servers", "network", "storage", "spares", "installation", "capex", "residual"].map(
  (part) => `on_premises/${part}_usd`,
);

/** The parts of each way of paying, by their places in the cost. */
const kParts: Record<string, readonly string[]> = {
  own: [],
  "rent-on-demand": [...kRenting, "as_needed_usd_per_year"].map((key) => `cloud/${key}`),
  "rent-committed": [...kRenting, "usd_per_year"].map((key) => `committed/${key}`),
  hybrid: ["own_usd_per_year", "rent_usd_per_year", "usd_per_year", "capex_usd"].map((key) => `hybrid/${key}`),
};

function Parts({ place, title, keys }: { place: string; title?: string; keys: readonly string[] }) {
  const { state } = usePage();
  const known = keys.map((key) => `${place}/${key}`).filter((at) => numberAt(state.answer.value, at) !== undefined);
  if (known.length === 0) return null;
  return (
    <>
      {title === undefined ? null : <h3>{title}</h3>}
      <dl class="quantities">
        {known.map((at) => (
          <div key={at}>
            <dt>{labelOf(keyOf(at))}</dt>
            <dd>
              <Figure place={at} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

export function ReportMoney() {
  const { state } = usePage();
  const shown = shownPlan(state);
  if (shown === undefined) return null;
  const cost = `${shown.place}/cost`;
  const way = textAt(state.answer.value, `${shown.place}/way`) ?? "";
  const owns = way === "own" || way === "hybrid";
  return (
    <section class="card">
      <h2>{texts.costParts}</h2>
      <p class="note">{wayText(way)}</p>
      <RateNote />
      <Parts place={cost} keys={kParts[way] ?? []} />
      {owns ? (
        <>
          <Parts place={cost} title={way === "own" ? texts.owningParts : texts.owningAllParts} keys={kOwning} />
          <Parts place={cost} title={texts.buyingParts} keys={kBuying} />
        </>
      ) : null}
    </section>
  );
}
