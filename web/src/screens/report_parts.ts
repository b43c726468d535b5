/** What the report says of the request and of its prices, as rows. */
import { figureText, numberText, phrase } from "../format.ts";
import { isObject, type Json, numberAt, pointerToken, textAt, valueAt } from "../json.ts";
import { fill, inSentence, labelOf, messages } from "../messages.ts";
import { nameOf, type State, shownPlan } from "../state.ts";
import { countryOf, placeNamed } from "../views/place_names.ts";
import { ageInDays, priceDay } from "../views/price_age.ts";
import { fieldLabel, fieldLabelAt } from "./field_names.ts";
import { texts } from "./texts.ts";
import { flagText, wordText } from "./words.ts";

export interface Input {
  place: string;
  label: string;
  text: string;
}

/** "No one can look after machines: no" is a limit that is not asked for. */
const isUnasked = (key: string, item: Json) => key.startsWith("no_") && item === false;

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
    if (at === "/kind" || at === "/schema" || isUnasked(key, item)) return [];
    if (key === "model" && isObject(item))
      return [{ place: at, label: fieldLabel(key), text: ownModelText(state, at) }];
    if (isObject(item)) return within(item, at);
    if (Array.isArray(item) && item.every(isObject)) return item.flatMap((one, i) => within(one, `${at}/${i}`));
    const text = Array.isArray(item) ? item.map((one) => word(key, one)).join(", ") : word(key, item);
    return [{ place: at, label: fieldLabelAt(at) || labelOf(at), text }];
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
  /** On the day from which ages are counted; not a number where the price has no date. */
  days: number;
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
        days: ageInDays(word("as_of"), priceDay(state)),
      },
    ];
  });
}

/** Is this the name of a machine that others can reach? Only then does its address belong into a report. */
export function isPublic(host: string): boolean {
  return host !== "" && !/^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}
