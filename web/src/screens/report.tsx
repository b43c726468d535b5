/** The plan for paper: one page to decide on, and an appendix. */
import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { csv } from "../csv.ts";
import { isObject, type JsonObject, valueAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { type Page, PageContext, usePage } from "../page.ts";
import { addressOf } from "../route.ts";
import { shownPlan } from "../state.ts";
import { keepFile } from "../tools/keep_file.ts";
import { translated } from "../translation.ts";
import { Answer } from "../views/answer.tsx";
import { AssumptionsBody } from "../views/detail_bodies.tsx";
import { Figure } from "../views/figure.tsx";
import { TextBlock } from "../views/fold.tsx";
import { Frame } from "../views/frame.tsx";
import { LazyExplanation } from "../views/lazy.tsx";
import { Plans } from "../views/plans.tsx";
import { priceDay } from "../views/price_age.ts";
import { Rows } from "./answer_part.tsx";
import { loadPlaces } from "./places.ts";
import { RentOrOwn } from "./rent_or_own.tsx";
import { AskedLoad, RateNote, WrongInputs } from "./report_head.tsx";
import { Alternatives, ReportMoney } from "./report_money.tsx";
import { inputsOf, isPublic, pricesOf, usualTitle } from "./report_parts.ts";
import { TurnedDown } from "./report_rejected.tsx";
import { reportTexts } from "./report_texts.ts";
import { NamedHead } from "./tables.tsx";
import { texts } from "./texts.ts";
import { written } from "./written.ts";
import "./screens.css";

/** Kept while the page is open, and written into no link. */
const title = signal("");
const question = signal("");

const today = () => new Date().toISOString().slice(0, 10);

export function Report({ plan }: { plan: Page }) {
  useEffect(() => {
    if (plan.state.engine.peek() === "starting") void plan.controller.start();
    // Countries by their names, where no form has read them yet.
    void loadPlaces().catch(() => undefined);
  }, [plan]);
  // A report is read after its day, so unlike the answer it counts ages of prices from its own.
  const dated = useMemo(() => {
    const { state } = plan;
    return { ...plan, state: { ...state, initial: { ...state.initial, price_day: today() } } };
  }, [plan]);
  return (
    <PageContext.Provider value={dated}>
      <Frame single command="plan request.json">
        <Sheet />
      </Frame>
    </PageContext.Provider>
  );
}

/** Opens whatever is folded in a report, and what comes into it later: paper has no folds. A phone has no room until it prints. */
function useOpenFolds(sheet: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const open = () => {
      for (const fold of sheet.current?.querySelectorAll("details") ?? []) fold.open = true;
    };
    const watch = new MutationObserver(open);
    addEventListener("beforeprint", open);
    if (sheet.current !== null && matchMedia("(min-width: 40rem)").matches) {
      watch.observe(sheet.current, { childList: true, subtree: true });
      open();
    }
    return () => {
      watch.disconnect();
      removeEventListener("beforeprint", open);
    };
  }, [sheet]);
}

function Sheet() {
  const { state } = usePage();
  const sheet = useRef<HTMLElement>(null);
  useOpenFolds(sheet);
  const shown = shownPlan(state);
  const answer = state.answer.value;
  const bill = `${shown?.place}/bill_of_materials`;
  const lines = objectsIn(valueAt(answer, `${bill}/lines`));
  const uncounted = valueAt(answer, `${bill}/not_counted`);
  return (
    <article class="stack report" ref={sheet}>
      <Tools sheet={sheet} lines={lines} />
      <LazyExplanation />
      <WrongInputs />
      <p class="report-title">{title.value || usualTitle(state)}</p>
      <p class="note made-with">
        {today()}, {messages.product} {answer.podwright_version}.{" "}
        {isPublic(location.hostname) ? (
          <>
            {texts.reopen} <code>{`${location.origin}${location.pathname}${addressOf("plan")}`}</code>
          </>
        ) : null}
      </p>
      <RateNote />
      <AskedLoad />
      {question.value.trim() === "" ? null : (
        <section class="card">
          <h2>{texts.decisionAsked}</h2>
          {question.value.split("\n").map((line, i) => (
            <p key={i}>{line}</p>
          ))}
        </section>
      )}
      <Answer />
      <Plans />
      <Alternatives />
      <TurnedDown />
      <RentOrOwn />
      <ReportMoney />
      <Prices />
      <div class="columns">
        <TextBlock title={messages.risksTitle} items={shown?.plan.risks} />
        <TextBlock title={messages.flipsTitle} items={answer.what_would_change_the_decision} />
      </div>
      <h2 class="appendix">{texts.appendix}</h2>
      <InputTable />
      <div class="columns">
        <TextBlock title={messages.whyTitle} items={shown?.plan.reasons} />
      </div>
      {lines.length === 0 ? null : (
        <section class="card">
          <h2>{texts.bill}</h2>
          <Rows place={`${bill}/lines`} rows={lines} noteOf={countNote} />
        </section>
      )}
      <div class="columns">
        <TextBlock title={texts.billLeavesOut} items={Array.isArray(uncounted) ? (uncounted as string[]) : undefined} />
      </div>
      <section class="card">
        <h2>{texts.assumptionsPart}</h2>
        <AssumptionsBody items={answer.assumptions ?? []} />
      </section>
      <div class="columns">
        <TextBlock title={texts.notModelledPart} items={answer.not_modelled} />
      </div>
    </article>
  );
}

/** What a line's count is of. */
const countNote = (row: JsonObject, note: string) =>
  fill(reportTexts.countNote, { name: translated(String(row.name ?? "")), note });

const objectsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);

/** What one bill may say of a line: what the engine leaves out stays out. */
const kBillColumns = ["category", "name", "use", "count", "unit", "usd_each", "usd", "note"];

interface ToolsProps {
  sheet: RefObject<HTMLElement | null>;
  lines: Parameters<typeof csv>[0];
}

function Tools({ sheet, lines }: ToolsProps) {
  const { state } = usePage();
  const { trace: _trace, ...answer } = state.answer.value;
  const json = () => JSON.stringify({ request: state.request.value, answer }, null, 2);
  const markdown = () => (sheet.current === null ? "" : written(sheet.current));
  const columns = kBillColumns.filter((key) => lines.some((line) => line[key] !== undefined));
  return (
    <div class="report-tools">
      <label>
        <span>{texts.reportTitle}</span>
        <input
          type="text"
          value={title.value}
          placeholder={usualTitle(state)}
          onInput={({ currentTarget }) => {
            title.value = currentTarget.value;
          }}
        />
      </label>
      <label>
        <span>{texts.decisionAsked}</span>
        <textarea
          rows={2}
          value={question.value}
          placeholder={texts.decisionAskedExample}
          onInput={({ currentTarget }) => {
            question.value = currentTarget.value;
          }}
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
        onClick={() => keepFile("podwright-bill.csv", csv(lines, columns), "text/csv")}
      >
        {texts.billCsv}
      </button>
    </div>
  );
}

/** Whose rent the cost rests on. */
function Prices() {
  const { state } = usePage();
  const prices = pricesOf(state);
  if (prices.length === 0) return null;
  return (
    <section class="card">
      <h2>{texts.pricesPart}</h2>
      <p class="note">{fill(texts.agesFrom, { day: priceDay(state) })}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus */}
      <div class="wide-table" tabIndex={0}>
        <table class="plain rows stacking">
          <NamedHead
            names={[texts.priceUse, texts.priceOffer, texts.priceWhere, texts.priceAsOf, texts.pricePerGpuHour]}
          />
          <tbody>
            {prices.map(({ place, use, offer, where, asOf, days }) => (
              <tr key={place}>
                <th scope="row">{use}</th>
                <td data-label={texts.priceOffer}>{offer}</td>
                <td data-label={texts.priceWhere}>{where}</td>
                <td class="date" data-label={texts.priceAsOf}>
                  {days >= 0 ? `${asOf}${messages.comma}${fill(messages.daysOld, { days })}` : asOf}
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
