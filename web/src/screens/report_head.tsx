/** What stands at the top of a report: what is wrong with the request, the load that was asked, and the rate of the currency on show. */
import { useEffect, useState } from "preact/hooks";
import { currency } from "../currency.ts";
import { fieldText, figureText, numberText, phrase } from "../format.ts";
import { isObject, numberAt, textAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import type { State } from "../state.ts";
import { catalogRows } from "./catalog_lists.ts";
import { placeText, withLabels } from "./faults.ts";
import { formTexts } from "./form_texts.ts";
import { reportTexts } from "./report_texts.ts";

/** The errors of the request in the engine's words, above a plan that answers the request before it. */
export function WrongInputs() {
  const errors = usePage().state.errors.value;
  if (errors.length === 0) return null;
  return (
    <div class="card report-wrong" role="alert">
      <p>
        <b>{reportTexts.wrongTitle}</b>
      </p>
      <p>{reportTexts.wrongNote}</p>
      <ul>
        {errors.map(({ path, message, hint }) => (
          <li key={path + message}>
            {placeText(path) === "" ? null : <b>{placeText(path)} </b>}
            {withLabels(message)} {hint === undefined ? null : fill(messages.hint, { hint: withLabels(hint) })}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The loads that the request gives by their users, with what the engine made of them. */
export function loadsByUsers({ answer, answered }: State): string[] {
  const { workloads } = answered.value;
  const { loads = [] } = answer.value;
  return (Array.isArray(workloads) ? workloads.filter(isObject) : []).flatMap((workload) => {
    const users = numberAt(workload, "/users");
    const load =
      loads.find((one) => one.workload === textAt(workload, "/name")) ?? (loads.length === 1 ? loads[0] : undefined);
    if (users === undefined || load === undefined) return [];
    const think = numberAt(workload, "/think_time_s");
    const who = { workload: load.workload, users: numberText(users) };
    const asked =
      think === undefined
        ? fill(reportTexts.usersAsked, who)
        : fill(reportTexts.usersThink, { ...who, time: phrase(figureText("think_time_s", think)) });
    const mean = numberAt(load, "/mean_requests_per_s") ?? load.peak_requests_per_s;
    const [peak = "", average = "", tokens = ""] = [load.peak_requests_per_s, mean, load.tokens_per_day].map((value) =>
      numberText(value),
    );
    const makes = fill(reportTexts.loadOfUsers, { peak, mean: average, tokens });
    return [`${asked} ${makes}`];
  });
}

export function AskedLoad() {
  return (
    <>
      {loadsByUsers(usePage().state).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </>
  );
}

/** The rate of the currency on show, its month and its source; nothing for US dollars. */
export function RateNote() {
  const { id, as_of, per_usd, source = "" } = currency.value;
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (source === "") return;
    void catalogRows("sources").then(
      (rows) => {
        const row = rows.find((one) => one.id === source);
        setTitle([row?.publisher, row?.title].filter((text) => typeof text === "string").join(", "));
      },
      () => undefined,
    );
  }, [source]);
  if (as_of === "") return null;
  const rate = fill(formTexts.currencyRate, { rate: fieldText(per_usd), currency: id, date: as_of });
  return (
    <p class="note rate-note">
      {fill(reportTexts.rateUsed, { rate })}{" "}
      {source === "" ? null : fill(reportTexts.rateSource, { source: title || source })}
    </p>
  );
}
