/** Names of places by the codes of requests and answers: those of the example come with the page, all others with the form. */
import { signal } from "@preact/signals";
import type { Named, Plan } from "../contract.ts";
import { textAt, valueAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { nameOf, type State } from "../state.ts";
import { translated } from "../translation.ts";

export const knownPlaces = signal<readonly Named[]>([]);

/** `Germany` for `DEU`; the code while its name is not known. */
export function placeNamed(state: State, code: string): string {
  return translated(nameOf([...(state.initial.places ?? []), ...knownPlaces.value], code));
}

/** The country of an offer; empty where its provider prints none. */
export function countryOf(state: State, offer: unknown): string {
  const code = textAt(offer, "/country") ?? "";
  return /[a-z]/.test(code) ? "" : placeNamed(state, code);
}

/** Countries whose names have an article in a sentence. */
const kWithArticle = /^(?:United|Netherlands|Philippines)/;

/** Where the plan's machines stand, owned ones in the country of the request, rented ones in that of the offer; none where no country is known. */
export function placesOfPlan(state: State, plan: Plan, offer: string | undefined): string[] {
  const own = plan.way?.startsWith("rent") ? undefined : textAt(state.answered.value, "/economics/region");
  const rented = offer === undefined ? "" : countryOf(state, valueAt(plan.cost, `/${offer}`));
  const places = [own === undefined ? "" : placeNamed(state, own), rented];
  return [...new Set(places)].filter((name) => name !== "");
}

/** ", in Germany". */
export function placeOfPlan(state: State, plan: Plan, offer: string | undefined): string {
  const names = placesOfPlan(state, plan, offer);
  if (names.length === 0) return "";
  const said = names.map((name) => (kWithArticle.test(name) ? fill(messages.withArticle, { name }) : name));
  return fill(messages.headlinePlace, { place: said.join(messages.placeAnd) });
}
