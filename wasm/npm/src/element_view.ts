/** What an answer looks like in the element. Every part has its class as its `part`, by which a page can style it. */
import type { Message, PlanAnswer as PageAnswer, Plan, Rejected } from "../../../web/src/contract.ts";
import { isObject, type JsonObject } from "../../../web/src/json.ts";
import { isOneRun } from "../../../web/src/one_run.ts";
import type { Headline, PlanAnswer, Refusal } from "./messages.js";
import type { Words } from "./words.js";

export type Answer = PlanAnswer | Refusal;

/** A sentence, which assistive technology reads out when it changes, and what is below it. */
export interface Shown {
  said: string;
  parts: HTMLElement[];
}

export function part(tag: string, name: string, ...inside: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  if (name !== "") {
    element.className = name;
    element.part.add(name);
  }
  element.append(...inside);
  return element;
}

const kUnit = /(\d) (?=%|(?:(?:[nµm]?s|min|h|days?|[kKMGT]i?B|[kM]?W|million|billion|trillion)\b|天))/g;

/** Numbers stay with their units where lines break. */
export const unbroken = (text: string) => text.replaceAll(kUnit, "$1\u00a0");

/** More reasons than this wait folded. */
const kAtOnce = 4;

export class View {
  readonly #words: Words;
  readonly #request: JsonObject;

  constructor(words: Words, request: unknown) {
    this.#words = words;
    this.#request = isObject(request) ? request : {};
  }

  /** What stays English in a page of another language says so. */
  #sentence(tag: string, name: string, text: string): HTMLElement {
    const element = part(tag, name, unbroken(text));
    if (this.#words.tag !== "en" && !/\p{Script=Han}/u.test(text)) element.lang = "en";
    return element;
  }

  #number(number: NonNullable<Headline["value"]>, plan: Plan): string {
    return this.#words.numberText(number, plan, this.#request).replaceAll(" ", "\u00a0");
  }

  #notes(headline: Headline, plan: Plan): string {
    const { texts, messages, fill, ownedText } = this.#words;
    const { id, statistic, low, high, target, probability } = headline;
    const text = (number: NonNullable<Headline["value"]>) => this.#number(number, plan);
    const isCost = id === "cost_per_year";
    const statistics: Record<string, string> = messages.statistics;
    const notes = [
      statistic === undefined ? "" : (statistics[statistic] ?? statistic),
      isCost && isOneRun(plan) ? texts.oneRun : "",
      id === "purchase" ? ownedText(plan) : "",
      low && high ? fill(messages.interval, { low: text(low), high: text(high) }) : "",
      target ? fill(isCost || id === "purchase" ? messages.budget : messages.target, { value: text(target) }) : "",
      probability ? fill(messages.kept, { probability: text(probability) }) : "",
    ];
    return unbroken(notes.filter((note) => note !== "").join(messages.comma));
  }

  #row(headline: Headline, plan: Plan, isNamed: boolean): HTMLElement {
    const { messages } = this.#words;
    const { id, workload, value } = headline;
    const label = (messages.headlines as Record<string, string>)[id] ?? id;
    const notes = this.#notes(headline, plan);
    return part(
      "div",
      "row",
      part("dt", "label", isNamed && workload !== undefined ? label + messages.comma + workload : label),
      part("dd", "value", value === undefined ? "" : this.#number(value, plan)),
      ...(notes === "" ? [] : [part("dd", "note", notes)]),
    );
  }

  #plan(plan: Plan, headlines: readonly Headline[]): Shown {
    const isNamed = new Set(headlines.flatMap(({ workload }) => workload ?? [])).size > 1;
    const said = [plan.decision, ...(plan.unchecked ?? [])].filter((one): one is Message => one !== undefined);
    return {
      said: this.#words.summary(plan, this.#request),
      parts: [
        part("dl", "numbers", ...headlines.map((headline) => this.#row(headline, plan, isNamed))),
        ...said.map((one) => this.#sentence("p", "decision", this.#words.say(one))),
      ],
    };
  }

  #reason(reason: Rejected): HTMLElement {
    const { messages, texts, say, waysOut } = this.#words;
    const ways = waysOut(this.#request, reason).join(texts.and);
    const sentence = this.#sentence("p", "why", say(reason));
    return part(
      "li",
      "reason",
      sentence,
      ...(ways === "" ? [] : [part("p", "way-out", messages.waysOut + texts.colon + ways)]),
    );
  }

  #none({ reasons = [], rejected = [] }: PageAnswer): Shown {
    const { messages, texts, fill, limits } = this.#words;
    const all = (reasons.length > 0 ? reasons : rejected).map((reason) => this.#reason(reason));
    const asked = limits(this.#request).join(texts.and);
    const rest = all.slice(kAtOnce);
    const more = part("summary", "more", fill(texts.more, { count: rest.length }));
    return {
      said: messages.noPlanHeadline,
      parts: [
        ...(asked === "" ? [] : [part("p", "asked", unbroken(fill(texts.asked, { limits: asked })))]),
        part("ul", "reasons", ...all.slice(0, kAtOnce)),
        ...(rest.length === 0 ? [] : [part("details", "", more, part("ul", "reasons", ...rest))]),
      ],
    };
  }

  answer(answer: Answer): Shown {
    if ("errors" in answer) return this.#refusal(answer);
    const [plan] = answer.plans;
    return answer.feasible && plan !== undefined
      ? this.#plan(plan as Plan, plan.headlines ?? [])
      : this.#none(answer as PageAnswer);
  }

  #refusal({ errors }: Refusal): Shown {
    const { texts, fault } = this.#words;
    const lines = errors.map((error) => this.#sentence("li", "error", fault(error, this.#request)));
    return { said: texts.fault, parts: [part("ul", "errors", ...lines)] };
  }
}
