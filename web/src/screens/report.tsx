/** The plan for paper: one page to decide on, and an appendix. */
import { useEffect, useState } from "preact/hooks";
import { csv } from "../csv.ts";
import { isObject, valueAt } from "../json.ts";
import { messages } from "../messages.ts";
import { type Page, PageContext, usePage } from "../page.ts";
import { addressOf } from "../route.ts";
import { shownPlan } from "../state.ts";
import { keepFile } from "../tools/keep_file.ts";
import { AgeBadge } from "../views/age_badge.tsx";
import { Answer } from "../views/answer.tsx";
import { AssumptionsBody } from "../views/detail_bodies.tsx";
import { Figure } from "../views/figure.tsx";
import { TextBlock } from "../views/fold.tsx";
import { Frame } from "../views/frame.tsx";
import { LazyExplanation } from "../views/lazy.tsx";
import { Plans } from "../views/plans.tsx";
import { Rows } from "./answer_part.tsx";
import { RentOrOwn } from "./rent_or_own.tsx";
import { inputsOf, markdownOf, pricesOf, usualTitle } from "./report_parts.ts";
import { texts } from "./texts.ts";
import "./screens.css";

export function Report({ plan }: { plan: Page }) {
  useEffect(() => {
    if (plan.state.engine.peek() === "starting") void plan.controller.start();
  }, [plan]);
  return (
    <PageContext.Provider value={plan}>
      <Frame single command="plan request.json">
        <Sheet />
      </Frame>
    </PageContext.Provider>
  );
}

const address = () => `${location.origin}${location.pathname}${addressOf("plan")}`;

function Sheet() {
  const { state } = usePage();
  const [title, setTitle] = useState("");
  const [date] = useState(() => new Date().toISOString().slice(0, 10));
  const shown = shownPlan(state);
  const answer = state.answer.value;
  const missing = answer.not_modelled ?? [];
  const named = title === "" ? usualTitle(state) : title;
  const bill = valueAt(answer, `${shown?.place}/bill_of_materials/lines`);
  const lines = Array.isArray(bill) ? bill.filter(isObject) : [];
  return (
    <article class="stack report">
      <Tools title={title} setTitle={setTitle} named={named} date={date} lines={lines} />
      <LazyExplanation />
      <p class="report-title">{named}</p>
      <p class="note made-with">
        {date}, {messages.product} {answer.podwright_version}. {texts.reopen} <code>{address()}</code>
      </p>
      <Answer />
      <Plans />
      <RentOrOwn />
      <Prices />
      <div class="columns">
        <TextBlock title={messages.risksTitle} items={shown?.plan.risks} />
      </div>
      <h2 class="appendix">{texts.appendix}</h2>
      <InputTable />
      <div class="columns">
        <TextBlock title={messages.whyTitle} items={shown?.plan.reasons} />
      </div>
      {lines.length === 0 ? null : (
        <section class="card">
          <h2>{texts.bill}</h2>
          <Rows place={`${shown?.place}/bill_of_materials/lines`} rows={lines} />
        </section>
      )}
      <section class="card">
        <h2>{texts.assumptionsPart}</h2>
        <AssumptionsBody items={answer.assumptions ?? []} />
      </section>
      <div class="columns">
        <TextBlock title={texts.notModelledPart} items={missing} />
      </div>
    </article>
  );
}

interface ToolsProps {
  title: string;
  setTitle: (title: string) => void;
  /** With the usual title in place of none. */
  named: string;
  date: string;
  lines: Parameters<typeof csv>[0];
}

function Tools({ title, setTitle, named, date, lines }: ToolsProps) {
  const { state } = usePage();
  const { trace: _trace, ...answer } = state.answer.value;
  const markdown = () => {
    const said = document.getElementById("headline")?.textContent ?? "";
    return markdownOf(state, said, named, date, address());
  };
  const json = () => JSON.stringify({ request: state.request.value, answer }, null, 2);
  return (
    <div class="report-tools">
      <label>
        <span>{texts.reportTitle}</span>
        <input
          type="text"
          value={title}
          placeholder={named}
          onInput={({ currentTarget }) => setTitle(currentTarget.value)}
        />
      </label>
      <button type="button" onClick={() => print()}>
        {texts.print}
      </button>
      <button type="button" onClick={() => keepFile("podwright-report.md", markdown(), "text/markdown")}>
        {texts.markdown}
      </button>
      <button type="button" onClick={() => keepFile("podwright-report.json", json(), "application/json")}>
        {texts.downloadAnswer}
      </button>
      <button
        type="button"
        disabled={lines.length === 0}
        onClick={() =>
          keepFile("podwright-bill.csv", csv(lines, ["category", "name", "use", "count", "unit"]), "text/csv")
        }
      >
        {texts.billCsv}
      </button>
    </div>
  );
}

/** Whose rent the cost rests on. */
function Prices() {
  const prices = pricesOf(usePage().state);
  if (prices.length === 0) return null;
  return (
    <section class="card">
      <h2>{texts.pricesPart}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus */}
      <div class="wide-table" tabIndex={0}>
        <table class="plain rows stacking">
          <thead>
            <tr>
              {[texts.priceUse, texts.priceOffer, texts.priceWhere, texts.priceAsOf, texts.pricePerGpuHour].map(
                (name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {prices.map(({ place, use, offer, where, asOf }) => (
              <tr key={place}>
                <th scope="row">{use}</th>
                <td data-label={texts.priceOffer}>{offer}</td>
                <td data-label={texts.priceWhere}>{where}</td>
                <td class="date" data-label={texts.priceAsOf}>
                  {asOf} <AgeBadge asOf={asOf} />
                </td>
                <td data-label={texts.pricePerGpuHour}>
                  <Figure place={`${place}/usd_per_gpu_hour`} bare />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function InputTable() {
  return (
    <section class="card">
      <h2>{messages.inputsTitle}</h2>
      <dl class="quantities input-list">
        {inputsOf(usePage().state).map(({ place, label, text }) => (
          <div key={place}>
            <dt title={place}>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
