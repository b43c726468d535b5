/** An answer as it is being made: options chosen and taken back, steps moved, pairs set, a number read as it was typed. */
import type { Answer, Option, Question } from "./question.ts";

/** What the fields of a question are called on the page; no two questions share it. */
export const fieldId = ({ id }: Question) => `question-${id.replaceAll(/[^a-z0-9-]/gi, "-")}`;

/** "a" for the first option. */
export const letterOf = (place: number) => String.fromCharCode(97 + place);

/** The option that a key stands for; undefined where there is none. */
export function placeOfKey({ options }: Question, key: string): number | undefined {
  const place = options.findIndex((_, i) => letterOf(i) === key.toLowerCase());
  return place === -1 ? undefined : place;
}

const placesOf = (answer: Answer | undefined): readonly number[] =>
  answer === undefined || typeof answer === "number" ? [] : answer;

/** Two can be chosen: a third takes the place of the one that was chosen first, and a chosen one is taken back. */
export function toggled(answer: Answer | undefined, place: number): readonly number[] {
  const chosen = placesOf(answer);
  return chosen.includes(place) ? chosen.filter((one) => one !== place) : [...chosen, place].slice(-2);
}

/** The answer after an option is chosen by its place, as a press on it or its letter does. */
export function chosen({ kind }: Question, answer: Answer | undefined, place: number): readonly number[] {
  return kind === "choose-two" ? toggled(answer, place) : [place];
}

/** The steps of an order as they stand: as they came until one was moved. */
export function orderOf({ options }: Question, answer: Answer | undefined): readonly number[] {
  const places = placesOf(answer);
  return places.length === options.length ? places : options.map((_, i) => i);
}

/** The place of an option as people count it, from 1. */
export const ordinalOf = (order: readonly number[], option: number) => order.indexOf(option) + 1;

/** `by` places further down; unchanged at the ends. */
export function moved(order: readonly number[], from: number, by: number): readonly number[] {
  const to = from + by;
  const one = order[from];
  if (one === undefined || to < 0 || to >= order.length) return order;
  const others = order.filter((_, i) => i !== from);
  return [...others.slice(0, to), one, ...others.slice(to)];
}

/** The option that stands beside each left side; -1 where none was chosen yet. */
export function pairsOf({ lefts = [] }: Question, answer: Answer | undefined): readonly number[] {
  const places = placesOf(answer);
  return lefts.map((_, i) => places[i] ?? -1);
}

export const paired = (pairs: readonly number[], left: number, option: number): readonly number[] =>
  pairs.map((one, i) => (i === left ? option : one));

/**
 * A number as people type it: spaces group, the later of comma and point is the decimal mark, and a lone comma before exactly three digits groups as
 * on the rest of the page. Undefined where it is no number.
 */
export function typedNumber(text: string): number | undefined {
  const close = text.trim().replaceAll(/[\s'’_]/g, "");
  const comma = close.lastIndexOf(",");
  const point = close.lastIndexOf(".");
  const isGrouped = comma > point ? /^[+-]?\d{1,3}(,\d{3})+$/.test(close) && !/^[+-]?0/.test(close) : true;
  const plain = isGrouped ? close.replaceAll(",", "") : close.replaceAll(".", "").replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : undefined;
}

/** The named mistakes of the engine whose options were chosen. */
export function trapsChosen({ kind, options }: Question, answer: Answer | undefined): string[] {
  if (kind === "order" || kind === "match") return [];
  return placesOf(answer).flatMap((place) => options[place]?.mistake ?? []);
}

/** An answer in words, for texts that leave the page. */
export function answerText(question: Question, answer: Answer | undefined): string {
  if (typeof answer === "number") return `${answer} ${question.answer.unit ?? ""}`.trim();
  const textOf = (option: Option | undefined) => option?.text ?? "-";
  const texts = placesOf(answer).map((place) => textOf(question.options[place]));
  if (question.kind === "match") return texts.map((text, i) => `${question.lefts?.[i] ?? ""}: ${text}`).join("; ");
  return texts.join("; ");
}

/** The right answer in the form of an answer. */
export const rightAnswer = ({ answer: { number, options } }: Question): Answer => number ?? options ?? [];

/** What is copied to report that something is wrong with a question: all that says which one it was. */
export function problemText(question: Question, answer: Answer | undefined, versions: string): string {
  return [
    `Question: ${question.id} (objective ${question.objective}, ${versions})`,
    `Asked: ${question.prompt}`,
    `My answer: ${answer === undefined ? "-" : answerText(question, answer)}`,
    `Answer given as right: ${answerText(question, rightAnswer(question))}`,
    `Sources: ${question.source ?? "-"}`,
    "What is wrong: ",
  ].join("\n");
}

/** The right options of a generated question whose answer is in words: its solution ends in a number, which does not say which option that means. */
export function conclusionOf({ template, kind, options }: Pick<Question, "template" | "kind" | "options">) {
  const isChosen = kind === "choice" || kind === "choose-two" || kind === "read-drawing";
  const right = options.filter((one) => one.right === true).map(({ text }) => text);
  if (template === undefined || !isChosen || right.length === 0 || right.some((text) => /\d/.test(text)))
    return undefined;
  return right.join("; ");
}
