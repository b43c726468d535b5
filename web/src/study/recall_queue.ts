/** Which recall card comes next: those that are due, then a few new ones. In the daily session only due ones, in a share of its time. */

import type { StudyData } from "./backup.ts";
import { type Blueprint, objectiveWeights } from "./blueprint.ts";
import { byNeed } from "./by_need.ts";
import { suspendedCards } from "./card_marks.ts";
import { statesOf } from "./learner.ts";
import type { Review } from "./log.ts";
import { asksForTerm, type Deck, isRecallCard, otherSide, type RecallCard } from "./recall.ts";
import type { CardState, Scheduler } from "./scheduler.ts";
import type { Session } from "./session.ts";

export interface RecallDeck {
  /** But those that are not to be asked. */
  cards: readonly RecallCard[];
  /** Of those that were seen. */
  states: ReadonlyMap<string, CardState>;
}

export function recallDeck(all: readonly RecallCard[], data: StudyData, now: number): RecallDeck {
  const suspended = suspendedCards(data);
  const cards = all.filter(({ id }) => !suspended.has(id));
  return {
    cards,
    states: statesOf(
      cards.map(({ id }) => id),
      data,
      now,
    ),
  };
}

export interface DeckCounts {
  /** Never asked. */
  fresh: number;
  due: number;
  /** Seen, and not due yet. */
  known: number;
}

export function deckCounts({ cards, states }: RecallDeck, deck: Deck, now: number): DeckCounts {
  const counts = { fresh: 0, due: 0, known: 0 };
  for (const card of cards) {
    if (card.deck !== deck) continue;
    const state = states.get(card.id);
    counts[state === undefined ? "fresh" : state.due <= now ? "due" : "known"] += 1;
  }
  return counts;
}

const isShort = ({ phase }: CardState) => phase === "learning" || phase === "relearning";

/** Due cards: short steps of minutes first, then the most forgotten. */
function dueCards({ cards, states }: RecallDeck, scheduler: Scheduler, now: number): string[] {
  return cards
    .flatMap((card) => {
      const state = states.get(card.id);
      return state === undefined || state.due > now ? [] : [{ card, state }];
    })
    .map(({ card, state }) => ({ card, short: isShort(state), due: state.due, recall: scheduler.recall(state, now) }))
    .sort((a, b) => Number(b.short) - Number(a.short) || (a.short ? a.due - b.due : a.recall - b.recall))
    .map(({ card }) => card.id);
}

/** New cards of a session: more of them would all come back on one day. */
export const kNewAtOnce = 20;

/** Cards that a session has brought for the first time. */
function newDone({ id }: Session, reviews: readonly Review[]): number {
  const before = new Set(reviews.filter(({ session }) => session !== id).map(({ card }) => card));
  return new Set(reviews.filter(({ session, card }) => session === id && !before.has(card)).map(({ card }) => card))
    .size;
}

/**
 * New terms in turns over objectives by their weight. The direction from the meaning comes once the other one is known over days: first of its
 * objective, as what was learned last.
 */
function newTerms({ cards, states }: RecallDeck, blueprint: Blueprint): string[] {
  const isReady = ({ id }: RecallCard) =>
    states.has(id) || !asksForTerm(id) || states.get(otherSide(id) ?? "")?.phase === "review";
  const ready = cards.filter((card) => card.deck === "terms" && isReady(card));
  const planned = [...ready.filter(({ id }) => asksForTerm(id)), ...ready.filter(({ id }) => !asksForTerm(id))].map(
    (card) => ({ ...card, memory: states.get(card.id)?.memory }),
  );
  const objectives = cards.map(({ objective }) => objective);
  const weights = objectiveWeights(blueprint, objectives);
  // The terms are those of one exam; another one that is chosen may weigh none of them.
  const need = weights.size > 0 ? weights : new Map(objectives.map((one) => [one, 1]));
  return byNeed(planned, need, planned.length).map(({ id }) => id);
}

interface RecallSource {
  blueprint: Blueprint;
  deck: RecallDeck;
  scheduler: Scheduler;
  reviews: readonly Review[];
}

/** Both directions of a term in one session would be one answer twice. */
function askable(session: Session, ids: readonly string[]): string[] {
  const done = new Set(session.done.map(({ card }) => card));
  return ids.filter((id) => !session.skipped.includes(id) && !done.has(otherSide(id) ?? ""));
}

/** Of a session of one deck; undefined where nothing is due and no new card is left. */
export function nextOfDeck(
  { blueprint, deck, scheduler, reviews }: RecallSource,
  session: Session,
  name: Deck,
  now: number,
): string | undefined {
  const own = { ...deck, cards: deck.cards.filter((card) => card.deck === name) };
  const [due] = askable(session, dueCards(own, scheduler, now));
  if (due !== undefined) return due;
  if (newDone(session, reviews) >= kNewAtOnce) return undefined;
  const inOrder = name === "terms" ? newTerms(own, blueprint) : own.cards.map(({ id }) => id);
  return askable(
    session,
    inOrder.filter((id) => !own.states.has(id)),
  )[0];
}

/** Of the time of a daily session, what recall cards may take. */
export const kRecallShare = 0.2;
/** What turning and grading take, beyond the time until the back is shown. */
const kTurnSeconds = 5;
const kLongestSeconds = 60;

/** Recall cards of a daily session in order: those begun before and due, while their share of its time lasts. */
export function recallOfPlan(
  { deck, scheduler, reviews }: Pick<RecallSource, "deck" | "scheduler" | "reviews">,
  session: Session,
  now: number,
): string[] {
  const spent = reviews
    .filter((one) => one.session === session.id && isRecallCard(one.card))
    .reduce((sum, { seconds }) => sum + Math.min(seconds, kLongestSeconds) + kTurnSeconds, 0);
  if (spent >= session.minutes * 60 * kRecallShare) return [];
  return askable(session, dueCards(deck, scheduler, now));
}
