/** A quiz of one's own choice: which questions fit, which of them are drawn, and how its address keeps the choices. */
import type { StudyData } from "./backup.ts";
import { type Blueprint, domainOf } from "./blueprint.ts";
import { bookmarkedCards, suspendedCards } from "./card_marks.ts";
import { markedPlaces } from "./exam_marks.ts";
import { type Asks, kAsks, kLevels, type Level, type QuestionPack } from "./pack.ts";
import { cardOf } from "./question.ts";
import { type Session, startSession } from "./session.ts";
import { shuffledPlaces, stream } from "./shown_question.ts";

export const kQuizOnly = ["all", "missed", "new", "bookmarked"] as const;
export type QuizOnly = (typeof kQuizOnly)[number];

export const kQuizModes = ["study", "exam"] as const;
export type QuizMode = (typeof kQuizModes)[number];

export interface QuizWish {
  count: number;
  /** Empty: all. */
  objectives: ReadonlySet<string>;
  only: QuizOnly;
  asks: ReadonlySet<Asks>;
  /** Usually that of the exam, where it has one; undefined: every level. */
  level?: Level;
  timed: boolean;
  mode: QuizMode;
}

export const kQuizCount = { min: 5, max: 50, integer: true } as const;
const kUsualCount = 10;

/** Fields of the address; an absent one is "". */
export const kQuizFields = ["n", "of", "only", "asks", "level", "time", "mode"] as const;
export type QuizFields = Record<(typeof kQuizFields)[number], string>;

const wordsOf = (text: string) => text.split(" ").filter((word) => word !== "");

/** The objectives that words name, a domain's word all of its own. */
function objectivesNamed({ objectives }: Blueprint, words: readonly string[]): Set<string> {
  const named = new Set(words);
  return new Set(objectives.flatMap(({ id }) => (named.has(id) || named.has(domainOf(id)) ? [id] : [])));
}

/** A field that was emptied is not the usual count, which has "". */
const kNone = "none";
export const countField = (text: string) => (text === "" ? kNone : text);
/** The count as it was typed. */
export const countText = ({ n }: QuizFields) => (n === "" ? String(kUsualCount) : n === kNone ? "" : n);

function usualLevel({ exam: { levels } }: Blueprint): Level | undefined {
  return levels.length === 1 ? kLevels.find((one) => one === levels[0]) : undefined;
}

/** A level as an address has it. */
const levelField = (blueprint: Blueprint, level: Level | undefined) =>
  level === usualLevel(blueprint) ? "" : (level ?? kEveryLevel);
export const kEveryLevel = "every";

/** What an address asks for. What it says wrongly is as if it did not say it, but for the count, which is shown as it was typed. */
export function wishOf(blueprint: Blueprint, fields: QuizFields): QuizWish {
  const asked = wordsOf(fields.asks);
  const named = kLevels.find((one) => one === fields.level) ?? usualLevel(blueprint);
  const level = fields.level === kEveryLevel ? undefined : named;
  return {
    count: fields.n === "" ? kUsualCount : Number(fields.n),
    objectives: objectivesNamed(blueprint, wordsOf(fields.of)),
    only: kQuizOnly.find((one) => one === fields.only) ?? "all",
    asks: new Set(asked.length === 0 ? kAsks : kAsks.filter((one) => asked.includes(one))),
    ...(level === undefined ? {} : { level }),
    timed: fields.time === "timed",
    mode: fields.mode === "exam" ? "exam" : "study",
  };
}

/** Objectives as an address has them: whole domains by their word. */
function objectivesText({ domains, objectives }: Blueprint, chosen: ReadonlySet<string>): string {
  return domains
    .flatMap(({ id }) => {
      const own = objectives.filter((one) => domainOf(one.id) === id).map((one) => one.id);
      const some = own.filter((one) => chosen.has(one));
      return some.length === own.length ? [id] : some;
    })
    .join(" ");
}

/** The fields of a wish; what is usual is "". */
export function fieldsOf(blueprint: Blueprint, wish: QuizWish): QuizFields {
  const isAll = kAsks.every((one) => wish.asks.has(one));
  const asks = kAsks.filter((one) => wish.asks.has(one)).join(" ");
  return {
    n: wish.count === kUsualCount ? "" : Number.isNaN(wish.count) ? kNone : String(wish.count),
    of: objectivesText(blueprint, wish.objectives),
    only: wish.only === "all" ? "" : wish.only,
    asks: isAll ? "" : asks === "" ? kNone : asks,
    level: levelField(blueprint, wish.level),
    time: wish.timed ? "timed" : "",
    mode: wish.mode === "study" ? "" : wish.mode,
  };
}

/** What follows the question mark of the address; "" where everything is usual. */
export const queryText = (fields: QuizFields): string =>
  new URLSearchParams(kQuizFields.flatMap((name) => (fields[name] === "" ? [] : [[name, fields[name]]]))).toString();

/** Whether a count may be asked for. */
export const isCount = (count: number) => Number.isInteger(count) && count >= kQuizCount.min && count <= kQuizCount.max;

/** One objective more or less. */
export function toggledIn<Item>(chosen: ReadonlySet<Item>, items: readonly Item[], isIn: boolean): Set<Item> {
  const next = new Set(chosen);
  for (const item of items) {
    if (isIn) next.add(item);
    else next.delete(item);
  }
  return next;
}

export interface QuizCard {
  id: string;
  objective: string;
  level: Level;
  asks: Asks;
}

/** Every question of the blueprint's objectives. */
export function quizCards({ blueprint, written, templates }: QuestionPack): QuizCard[] {
  const known = new Set(blueprint.objectives.map(({ id }) => id));
  const ofPacks = Object.entries(written).flatMap(([objective, cards]) =>
    cards.map(({ id, level, asks }) => ({ id, objective, level, asks })),
  );
  const generated = templates.map(({ id, objective, level, asks }) => ({ id, objective, level, asks }));
  return [...ofPacks, ...generated].filter(({ objective }) => known.has(objective));
}

/** Whether each card that was ever answered was right when it was answered last, in a session or in an exam that was handed in. */
export function lastOutcomes({ reviews, exams, answers }: StudyData): Map<string, boolean> {
  const last = new Map<string, { time: number; right: boolean }>();
  const note = (card: string, time: number, right: boolean) => {
    const known = last.get(card);
    if (known === undefined || time >= known.time) last.set(card, { time, right });
  };
  const marked = new Set<string>();
  for (const exam of exams) {
    const { id, submittedAt } = exam;
    if (submittedAt === undefined) continue;
    marked.add(id);
    const own = answers.filter((one) => one.exam === id);
    for (const { question, right, answer } of markedPlaces(exam, own))
      if (answer !== undefined) note(cardOf(question), submittedAt, right);
  }
  // What an exam added to the reviews is marked there.
  for (const { card, time, right, exam } of reviews)
    if (exam === undefined || !marked.has(exam)) note(card, time, right);
  return new Map([...last].map(([card, { right }]) => [card, right]));
}

/** What the learner's log says of cards. */
export interface QuizHistory {
  outcomes: ReadonlyMap<string, boolean>;
  bookmarked: ReadonlySet<string>;
  /** Not to be asked. */
  suspended: ReadonlySet<string>;
}

export const quizHistory = (data: StudyData): QuizHistory => ({
  outcomes: lastOutcomes(data),
  bookmarked: new Set(bookmarkedCards(data)),
  suspended: suspendedCards(data),
});

function isOnly(only: QuizOnly, card: string, { outcomes, bookmarked }: QuizHistory): boolean {
  switch (only) {
    case "missed":
      return outcomes.get(card) === false;
    case "new":
      return !outcomes.has(card);
    case "bookmarked":
      return bookmarked.has(card);
    case "all":
      return true;
  }
}

/** The cards that a wish allows. */
export function fittingCards(cards: readonly QuizCard[], wish: QuizWish, history: QuizHistory): QuizCard[] {
  const { objectives, level, asks, only } = wish;
  return cards.filter(
    (card) =>
      !history.suspended.has(card.id) &&
      (objectives.size === 0 || objectives.has(card.objective)) &&
      (level === undefined || card.level === level) &&
      asks.has(card.asks) &&
      isOnly(only, card.id, history),
  );
}

const shuffled = <Item>(items: readonly Item[], next: () => number): Item[] =>
  shuffledPlaces(items.length, next).flatMap((place) => items.slice(place, place + 1));

/** `count` of the cards by chance: objectives take turns, so that none with many cards crowds out the others. */
export function drawnCards(cards: readonly QuizCard[], count: number, seed: number): string[] {
  const next = stream(seed);
  const byObjective = new Map<string, string[]>();
  for (const { id, objective } of shuffled(cards, next))
    byObjective.set(objective, [...(byObjective.get(objective) ?? []), id]);
  const lists = shuffled([...byObjective.values()], next);
  const turns = Math.max(0, ...lists.map((list) => list.length));
  const inTurns = Array.from({ length: turns }, (_, turn) => lists.flatMap((list) => list[turn] ?? [])).flat();
  return shuffled(inTurns.slice(0, count), next);
}

/** How many will be asked. */
export const askedCount = (fitting: number, { count }: QuizWish) => Math.min(fitting, count);

/** Seconds for a quiz, at as many for each question as the exam gives. */
export const quizSeconds = ({ exam }: Blueprint, count: number) => (count * exam.minutes * 60) / exam.questions;

export const quizMinutes = (blueprint: Blueprint, count: number) =>
  Math.ceil(quizSeconds(blueprint, count) / 60 - 1e-9);

/** A quiz in study mode: a session of these cards. `minutes` is 0 where its time is not limited. */
export const startQuiz = (cards: readonly string[], minutes: number, now: number, query: string): Session => ({
  ...startSession("quiz", minutes, now, query),
  cards,
});

/** The address of a quiz of a query. */
export const withQuery = (address: string, query: string | undefined) =>
  query === undefined || query === "" ? address : `${address}?${query}`;
