/** What the report says, as rows and lines: drawn on the page and written as Markdown. */
import type { ShownNumber } from "../contract.ts";
import { figureText, keyOf, numberText, phrase } from "../format.ts";
import { isObject, type Json, numberAt, pointerToken, textAt, valueAt } from "../json.ts";
import { fill, inSentence, labelOf, messages } from "../messages.ts";
import { nameOf, type State, shownPlan } from "../state.ts";
import { translated } from "../translation.ts";
import { costTitle, planName, shownText, wayText } from "../views/names.ts";
import { countryOf, placeNamed } from "../views/place_names.ts";
import { layoutText } from "../views/plans.tsx";
import { ageInDays, kOldDays, priceDay } from "../views/price_age.ts";
import { fieldLabel } from "./field_names.ts";
import { texts } from "./texts.ts";
import { flagText, wordText } from "./words.ts";

export interface Input {
  place: string;
  label: string;
  text: string;
}

/** Every value that the request gives, in its order. */
export function inputsOf(state: State): Input[] {
  const word = (key: string, one: Json) =>
    typeof one === "number"
      ? phrase(figureText(key, one))
      : typeof one === "boolean"
        ? flagText(one)
        : key === "region"
          ? placeNamed(state, String(one))
          : wordText(state, String(one), key);
  const within = (value: Json, place: string): Input[] =>
    isObject(value) ? Object.entries(value).flatMap(([key, item]) => inside(key, item, place)) : [];
  const inside = (key: string, item: Json, place: string): Input[] => {
    const at = `${place}/${pointerToken(key)}`;
    if (at === "/kind" || at === "/schema") return [];
    if (key === "model" && isObject(item))
      return [{ place: at, label: fieldLabel(key), text: ownModelText(state, at) }];
    if (isObject(item)) return within(item, at);
    if (Array.isArray(item) && item.every(isObject)) return item.flatMap((one, i) => within(one, `${at}/${i}`));
    const text = Array.isArray(item) ? item.map((one) => word(key, one)).join(", ") : word(key, item);
    return [{ place: at, label: fieldLabel(key) || labelOf(at), text }];
  };
  return within(state.answered.value, "");
}

/** A model that the request describes itself: what the engine has read of it. */
function ownModelText(state: State, place: string): string {
  const [workload = ""] = /\d+/.exec(place) ?? [];
  const count = numberAt(state.answer.value, `${shownPlan(state)?.place}/estimates/${workload}/model_parameters/total`);
  if (count === undefined) return messages.ownModel;
  return `${messages.ownModel}${messages.comma}${inSentence(labelOf("model_parameters"))} ${numberText(count)}`;
}

/** "GPU plan for Llama-3.1-70B" */
export function usualTitle(state: State): string {
  const workloads = valueAt(state.answered.value, "/workloads");
  const models = (Array.isArray(workloads) ? workloads : []).map((_, i) =>
    nameOf(state.initial.models, textAt(state.answered.value, `/workloads/${i}/model`)),
  );
  return fill(texts.usualTitle, { models: [...new Set(models)].join(", ") });
}

/** Rent that the plan's cost rests on: where it is told, and of which day. */
export interface PriceRow {
  /** Of the offer in the answer. */
  place: string;
  use: string;
  offer: string;
  where: string;
  asOf: string;
}

const kOffers = ["cloud", "committed", "hybrid/rented_part"] as const;

export function pricesOf(state: State): PriceRow[] {
  const shown = shownPlan(state);
  return kOffers.flatMap((key) => {
    const place = `${shown?.place}/cost/${key}`;
    const word = (name: string) => textAt(state.answer.value, `${place}/${name}`) ?? "";
    if (numberAt(state.answer.value, `${place}/usd_per_gpu_hour`) === undefined) return [];
    return [
      {
        place,
        use: labelOf(key.split("/").at(-1) ?? ""),
        offer: `${word("provider_name")} ${word("instance")}`,
        where: [word("region"), countryOf(state, valueAt(state.answer.value, place))]
          .filter((text) => text !== "")
          .join(messages.comma),
        asOf: word("as_of"),
      },
    ];
  });
}

/** With its age where it is old, as the page marks it. */
function agedDate(state: State, asOf: string): string {
  const days = ageInDays(asOf, priceDay(state));
  return days > kOldDays ? asOf + messages.comma + fill(messages.daysOld, { days }) : asOf;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return rows.length === 0 ? [] : [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

/** The same report for wikis and tickets; `said` is the plan in a sentence, as the page shows it. */
export function markdownOf(state: State, said: string, title: string, date: string, address: string): string {
  const { answer } = state;
  const shown = shownPlan(state);
  const number = (place: string) => {
    const value = numberAt(answer.value, place);
    return value === undefined ? "–" : phrase(figureText(keyOf(place), value));
  };
  const list = (items: readonly unknown[] | undefined) => (items ?? []).map((one) => `- ${translated(one as string)}`);
  const part = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", `## ${heading}`, "", ...lines];
  const judged = (shown?.plan.headlines ?? []).map(
    ({ id, workload, statistic, value, low, high, target, probability }) => {
      const text = (one: ShownNumber) => shownText(state, shown?.place ?? "", one);
      const notes = [
        statistic === undefined ? "" : messages.statistics[statistic],
        low && high ? fill(messages.interval, { low: text(low), high: text(high) }) : "",
        target
          ? fill(id === "cost_per_year" || id === "purchase" ? messages.budget : messages.target, {
              value: text(target),
            })
          : "",
        probability ? fill(messages.kept, { probability: text(probability) }) : "",
      ].filter((note) => note !== "");
      const name = id === "cost_per_year" && shown ? costTitle([shown.plan]) : messages.headlines[id];
      const label = `${name}${workload === undefined ? "" : `, ${workload}`}`;
      return `- ${label}: ${text(value)}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
    },
  );
  const plans = (answer.value.plans ?? []).map((plan, i) => [
    `${plan.gpu_count} × ${planName(state, plan)}`,
    layoutText(plan.layouts),
    number(`/plans/${i}/ranked_by_usd_per_year`),
    wayText(plan.way),
  ]);
  const bill = valueAt(answer.value, `${shown?.place}/bill_of_materials/lines`);
  const lines = (Array.isArray(bill) ? bill.filter(isObject) : []).map((line) => [
    String(line.name ?? ""),
    String(line.use ?? ""),
    String(line.count ?? ""),
  ]);
  return [
    `# ${title}`,
    "",
    `${date}, Podwright ${answer.value.podwright_version ?? ""}, <${address}>`,
    ...part(texts.answerPart, [
      ...(said === "" ? [] : [said, ""]),
      ...(shown?.plan.decision === undefined ? [] : [translated(shown.plan.decision), ""]),
      ...judged,
    ]),
    ...part(
      messages.plansTitle,
      table([messages.columnPlan, messages.layoutTitle, costTitle(answer.value.plans), ""], plans),
    ),
    ...part(
      texts.pricesPart,
      table(
        [texts.priceUse, texts.priceOffer, texts.priceWhere, texts.priceAsOf, texts.pricePerGpuHour],
        pricesOf(state).map(({ place, use, offer, where, asOf }) => [
          ...[use, offer, where, agedDate(state, asOf)],
          number(`${place}/usd_per_gpu_hour`),
        ]),
      ),
    ),
    ...part(messages.risksTitle, list(shown?.plan.risks)),
    ...part(messages.whyTitle, list(shown?.plan.reasons)),
    ...part(
      messages.inputsTitle,
      inputsOf(state).map(({ label, text }) => `- ${label}: ${text}`),
    ),
    ...part(texts.bill, table([texts.bill, "", ""], lines)),
    ...part(texts.notModelledPart, list(answer.value.not_modelled)),
    "",
  ].join("\n");
}
