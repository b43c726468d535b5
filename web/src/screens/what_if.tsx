/** The plan under another wish: each is asked when the part is opened, shown next to the plan on show, and taken over by a button. */
import { useEffect, useState } from "preact/hooks";
import { isObject, type JsonObject, mergePatch, numberAt, valueAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { type Page, usePage } from "../page.ts";
import { type State, shownPlan } from "../state.ts";
import { Figure } from "../views/figure.tsx";
import { planName, wayText } from "../views/names.ts";
import { placeNamed } from "../views/place_names.ts";
import { Beside, openBeside } from "./page_beside.tsx";
import { texts } from "./texts.ts";
import { wishesOf } from "./wishes.ts";

export function WhatIf() {
  const { state } = usePage();
  const request = state.answered.value;
  const wishes = wishesOf(request, (code) => placeNamed(state, code));
  const plan = shownPlan(state);
  return (
    <table class="plain">
      <thead>
        <tr>
          {[texts.wish, messages.columnPlan, messages.headlines.cost_per_year].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <th scope="col">
            <span class="hidden">{texts.takeWish}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {plan === undefined ? null : <Row name={texts.wishNow} place={plan.place} state={state} />}
        {wishes.map(({ name, patch }) => (
          <Asked key={name} name={name} request={mergePatch(request, patch) as JsonObject} patch={patch} />
        ))}
      </tbody>
    </table>
  );
}

/** A wish: its plan once the engine has answered. */
function Asked({ name, request, patch }: { name: string; request: JsonObject; patch: JsonObject }) {
  const { state, controller } = usePage();
  const [page, setPage] = useState<Page>();
  const question = JSON.stringify(request);
  useEffect(() => {
    let isCurrent = true;
    const asked = JSON.parse(question) as JsonObject;
    const options = isObject(asked.options) ? asked.options : {};
    void openBeside(state.initial, { ...asked, options: { ...options, draws: 0, top: 1 } }).then(
      (answered) => isCurrent && setPage(answered),
    );
    return () => {
      isCurrent = false;
    };
  }, [question]);
  const take = (
    <button
      type="button"
      class="small"
      aria-label={fill(texts.takeWhich, { name })}
      onClick={() => controller.applyWayOut(patch)}
    >
      {texts.takeWish}
    </button>
  );
  if (page === undefined)
    return (
      <tr>
        <th scope="row">{name}</th>
        <td colSpan={3}>{messages.updating}</td>
      </tr>
    );
  return <Row name={name} place="/plans/0" state={page.state} page={page} take={take} />;
}

interface RowProps {
  name: string;
  place: string;
  state: State;
  page?: Page;
  take?: preact.JSX.Element;
}

function Row({ name, place, state, page, take }: RowProps) {
  const plan = valueAt(state.answer.value, place);
  const cost = `${place}/ranked_by_usd_per_year`;
  const shown = isObject(plan) ? state.answer.value.plans?.[Number(place.split("/").at(-1))] : undefined;
  const number = (at: string) => (numberAt(state.answer.value, at) === undefined ? "–" : <Figure place={at} bare />);
  const cells =
    shown === undefined ? (
      <td colSpan={2}>{state.errors.value[0]?.message ?? messages.noPlanHeadline}</td>
    ) : (
      <>
        <td>
          {number(`${place}/gpu_count`)} × {planName(state, shown)}
          <span class="note"> {wayText(shown.way)}</span>
        </td>
        <td>{number(cost)}</td>
      </>
    );
  return (
    <tr>
      <th scope="row">{name}</th>
      {page === undefined ? cells : <Beside page={page}>{cells}</Beside>}
      <td>{take}</td>
    </tr>
  );
}
