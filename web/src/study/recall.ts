/** Recall cards: a front, and a back that the learner says before looking. Terms of the glossary in both directions, and own cards. They have the schedule and the log of the questions, and say nothing of abilities. */
import type { GlossaryTerm } from "./glossary.ts";
import { isLabCard } from "./labs.ts";
import { type OwnCard, ownCards } from "./own_cards.ts";

export const kDecks = ["terms", "own"] as const;
export type Deck = (typeof kDecks)[number];

/** A card before it is asked. */
export interface RecallCard {
  id: string;
  deck: Deck;
  /** Of own cards without one, `kNoObjective`. */
  objective: string;
}

/** Every review names an objective; this one is in no blueprint. */
export const kNoObjective = "own";

const kTerm = "term.";
const kOwn = "own.";
const kBack = ".back";

/** "kv-cache" of "KV cache"; the build refuses a glossary in which two terms have one. */
export const termSlug = (term: string) =>
  term
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");

export const termCard = (term: string) => `${kTerm}${termSlug(term)}`;
export const termBackCard = (term: string) => `${termCard(term)}${kBack}`;
export const ownCardId = (id: string) => `${kOwn}${id}`;

export const isTermCard = (card: string) => card.startsWith(kTerm);
export const isRecallCard = (card: string) => isTermCard(card) || card.startsWith(kOwn);
/** Whether answers to a card say what the learner can do at questions: neither predictions of labs nor recall cards do. */
export const isQuestionCard = (card: string) => !isLabCard(card) && !isRecallCard(card);

/** The other direction of a term; undefined of an own card. */
export function otherSide(card: string): string | undefined {
  if (!isTermCard(card)) return undefined;
  return card.endsWith(kBack) ? card.slice(0, -kBack.length) : `${card}${kBack}`;
}

/** True of the direction that begins with the meaning. */
export const asksForTerm = (card: string) => isTermCard(card) && card.endsWith(kBack);

/** Every recall card: fronts of the terms in their order, then the other direction, then own cards from the oldest. */
export function recallCards(terms: readonly GlossaryTerm[], own: readonly OwnCard[]): RecallCard[] {
  const ofTerms = (idOf: (term: string) => string) =>
    terms.map(({ term, objective = kNoObjective }): RecallCard => ({ id: idOf(term), deck: "terms", objective }));
  return [
    ...ofTerms(termCard),
    ...ofTerms(termBackCard),
    ...ownCards(own).map(
      ({ id, objective = kNoObjective }): RecallCard => ({ id: ownCardId(id), deck: "own", objective }),
    ),
  ];
}

/** What is on a card. */
export interface RecallText {
  card: string;
  objective: string;
  /** What is asked: the meaning of a term, the term of a meaning, or whatever the learner wrote. */
  asks: "meaning" | "term" | "own";
  front: string;
  back: string;
  /** Of a term: what its abbreviation stands for, and the lesson that teaches it. */
  expands?: string;
  lesson?: string;
}

/** A meaning that holds its own term would give it away. */
export function withoutTerm(meaning: string, term: string): string {
  const escaped = term.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return meaning.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "giu"), "___");
}

/** Undefined where the term or the own card is gone. */
export function recallText(
  card: string,
  terms: readonly GlossaryTerm[],
  own: readonly OwnCard[],
): RecallText | undefined {
  if (!isTermCard(card)) {
    const found = ownCards(own).find(({ id }) => ownCardId(id) === card);
    if (found === undefined) return undefined;
    const { front, back, objective = kNoObjective } = found;
    return { card, asks: "own", front, back, objective };
  }
  const found = terms.find(({ term }) => termCard(term) === card || termBackCard(term) === card);
  if (found === undefined) return undefined;
  const { term, meaning, expands, lesson, objective = kNoObjective } = found;
  const isBack = asksForTerm(card);
  return {
    card,
    objective,
    asks: isBack ? "term" : "meaning",
    front: isBack ? withoutTerm(meaning, term) : term,
    back: isBack ? term : meaning,
    ...(expands === undefined ? {} : { expands }),
    ...(lesson === undefined ? {} : { lesson }),
  };
}
