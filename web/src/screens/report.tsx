/** The plan on one page for paper: the sentence, the inputs, what it is built of, what it costs, what could go wrong. */
import { useEffect, useState } from "preact/hooks";
import { csv } from "../csv.ts";
import { figureText, phrase } from "../format.ts";
import { isObject, type Json, pointerToken, valueAt } from "../json.ts";
import { labelOf, messages } from "../messages.ts";
import { type Page, PageContext, usePage } from "../page.ts";
import { lastHash } from "../route.ts";
import { nameOf, shownPlan } from "../state.ts";
import { keepFile } from "../tools/keep_file.ts";
import { Answer } from "../views/answer.tsx";
import { Assumptions } from "../views/details.tsx";
import { TextBlock } from "../views/fold.tsx";
import { Frame } from "../views/frame.tsx";
import { LazyExplanation } from "../views/lazy.tsx";
import { choiceName } from "../views/names.ts";
import { Plans } from "../views/plans.tsx";
import { Rows } from "./answer_part.tsx";
import { fieldLabel } from "./form.tsx";
import { RentOrOwn } from "./rent_or_own.tsx";
import { texts } from "./texts.ts";
import { flagText } from "./words.ts";
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

function Sheet() {
  const { state } = usePage();
  const answer = state.answer.value;
  const shown = shownPlan(state);
  const [title, setTitle] = useState("");
  const lines = valueAt(answer, `${shown?.place}/bill_of_materials/lines`);
  const { trace: _trace, ...withoutTrace } = answer;
  return (
    <article class="stack report">
      <div class="report-tools">
        <label>
          <span>{texts.reportTitle}</span>
          <input
            type="text"
            value={title}
            placeholder={messages.tagline}
            onInput={({ currentTarget }) => setTitle(currentTarget.value)}
          />
        </label>
        <button type="button" onClick={() => print()}>
          {texts.print}
        </button>
        <button
          type="button"
          onClick={() =>
            keepFile(
              "podwright-report.json",
              JSON.stringify({ request: state.request.value, answer: withoutTrace }, null, 2),
              "application/json",
            )
          }
        >
          {texts.downloadAnswer}
        </button>
        <button
          type="button"
          disabled={!Array.isArray(lines)}
          onClick={() => {
            const rows = Array.isArray(lines) ? lines.filter(isObject) : [];
            keepFile("podwright-bill.csv", csv(rows, ["category", "name", "use", "count", "unit"]), "text/csv");
          }}
        >
          {texts.billCsv}
        </button>
      </div>
      <LazyExplanation />
      {title === "" ? null : <p class="report-title">{title}</p>}
      <Answer />
      <InputTable />
      <Plans />
      <RentOrOwn />
      {Array.isArray(lines) && lines.length > 0 ? (
        <section class="card">
          <h2>{texts.bill}</h2>
          <Rows place={`${shown?.place}/bill_of_materials/lines`} rows={lines.filter(isObject)} />
        </section>
      ) : null}
      <div class="columns">
        <TextBlock title={messages.whyTitle} items={shown?.plan.reasons} />
        <TextBlock title={messages.risksTitle} items={shown?.plan.risks} />
      </div>
      <Assumptions items={answer.assumptions ?? []} />
      <p class="note made-with">
        {texts.reopen} <code>{`${location.origin}${location.pathname}${lastHash.get("plan") ?? ""}`}</code>
      </p>
    </article>
  );
}

interface Input {
  place: string;
  label: string;
  text: string;
}

/** Every value that the request gives, in its order. */
function inputsOf(value: Json, name: (id: string) => string, place = ""): Input[] {
  const inside = (key: string, item: Json): Input[] => {
    const at = `${place}/${pointerToken(key)}`;
    if (at === "/kind" || at === "/schema") return [];
    if (isObject(item)) return inputsOf(item, name, at);
    if (Array.isArray(item) && item.every(isObject)) return item.flatMap((one, i) => inputsOf(one, name, `${at}/${i}`));
    const word = (one: Json) =>
      typeof one === "number"
        ? phrase(figureText(key, one))
        : typeof one === "boolean"
          ? flagText(one)
          : name(String(one));
    const text = Array.isArray(item) ? item.map(word).join(", ") : word(item);
    return [{ place: at, label: fieldLabel(key), text }];
  };
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => inside(key, item)) : [];
}

function InputTable() {
  const { state } = usePage();
  const items = [...state.initial.gpus, ...state.initial.models];
  return (
    <section class="card">
      <h2>{messages.inputsTitle}</h2>
      <dl class="quantities input-list">
        {inputsOf(state.answered.value, (id) => choiceName(nameOf(items, id))).map(({ place, label, text }) => (
          <div key={place}>
            <dt title={place}>{label || labelOf(place)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
