/** Which card comes next in a session: what is due, then what is new where most is to gain, for as long as the time of the session lasts. */
import { placementItem } from "./ability.ts";
import type { StudyData } from "./backup.ts";
import { type Blueprint, domainOf } from "./blueprint.ts";
import { byNeed } from "./by_need.ts";
import { suspendedCards } from "./card_marks.ts";
import { type PlannedCard, type PlannedReview, recallAt, reviewsAtRetention, reviewsForExam } from "./exam_plan.ts";
import { examAhead, habits, type Learner, needs, towardsExam } from "./learner.ts";
import type { Review } from "./log.ts";
import { isRecallCard } from "./recall.ts";
import { nextOfDeck, type RecallDeck, recallOfPlan } from "./recall_queue.ts";
import { isTimed, type Session, spentSeconds } from "./session.ts";
import { cardsOfTraps, traps } from "./traps.ts";

/**
 * The reviews of `seconds` from now: towards the date of the exam where there is one, else at the retention. Which new cards come is decided by
 * need: cards of one objective gain alike, and a session of one objective alone would not look like the exam.
 */
export function plannedReviews(
  learner: Learner,
  { reviews, settings }: Pick<StudyData, "reviews" | "settings">,
  now: number,
  seconds: number,
): PlannedReview[] {
  const { scheduler, weights } = learner;
  const usual = habits(reviews);
  const waiting = new Set(dueAgain(learner, now));
  const short = learner.planned.filter(({ id }) => waiting.has(id));
  const left = Math.max(0, seconds - short.length * usual.reviewSeconds);
  const own = { now, seconds: left, ...usual };
  const examAt = examAhead(settings, now);
  const all = examAt === undefined ? learner.planned : towardsExam(learner);
  const planned = all.filter(({ id }) => !waiting.has(id));
  const plan =
    examAt === undefined
      ? reviewsAtRetention(scheduler, planned, { ...own, examAt: now }, { retention: settings.retention })
      : reviewsForExam(scheduler, planned, weights, { ...own, examAt });
  const again = plan.filter(({ card }) => card.memory !== undefined);
  const fresh = plan.length - again.length;
  const chosen = byNeed(planned, needs(learner, examAt ?? now), fresh);
  const shortly = short.map((card) => ({ card, seconds: usual.reviewSeconds }));
  return [...shortly, ...again, ...chosen.map((card) => ({ card, seconds: own.newSeconds }))];
}

/** Cards whose short step of a few minutes is over, of whatever session, the longest waiting first. */
function dueAgain({ planned }: Learner, now: number): string[] {
  const time = ({ again = Number.POSITIVE_INFINITY }: PlannedCard) => again;
  return planned
    .filter((card) => time(card) <= now)
    .sort((a, b) => time(a) - time(b))
    .map(({ id }) => id);
}

export interface QueueSource {
  blueprint: Blueprint;
  learner: Learner;
  data: StudyData;
  /** Terms and own cards, once they are there. */
  deck?: RecallDeck;
}

/** The reviews of a session in order. */
export const reviewsOf = ({ id }: Session, reviews: readonly Review[]) =>
  reviews.filter(({ session }) => session === id);

/** What was wrong, each with its place among the answers as people count. */
export const missedOf = (reviews: readonly Review[]) =>
  reviews.flatMap(({ card, objective, right }, i) => (right ? [] : [{ card, objective, name: i + 1 }]));

/** Of a placement: the answers so far as its items. */
function placementAnswers({ learner }: QueueSource, reviews: readonly Review[]) {
  const items = new Map(learner.cards.map((card) => [card.id, card]));
  return reviews.flatMap(({ card, right }) => {
    const item = items.get(card);
    return item === undefined ? [] : [{ item, right }];
  });
}

/** Those that are chosen by hand, the least remembered first. */
function practised({ learner: { planned, scheduler } }: QueueSource, is: (card: PlannedCard) => boolean, now: number) {
  return planned
    .filter(is)
    .map((card) => ({ card, recall: recallAt(scheduler, card, now) }))
    .sort((a, b) => a.recall - b.recall)
    .map(({ card }) => card.id);
}

/** What can be asked next, best first. */
function candidates(source: QueueSource, session: Session, now: number, left: number): string[] {
  const { learner, data, blueprint, deck } = source;
  const own = reviewsOf(session, data.reviews);
  switch (session.kind) {
    case "placement": {
      const suspended = suspendedCards(data);
      // As the exam asks, so that nobody begins with what it never asks.
      const concepts = learner.cards.filter(({ part }) => part === "concept");
      const items = (concepts.length > 0 ? concepts : learner.cards).filter(
        ({ id }) => !session.skipped.includes(id) && !suspended.has(id),
      );
      const next = placementItem(blueprint, items, placementAnswers(source, own));
      return next === undefined ? [] : [next.id];
    }
    case "mistakes": {
      const before = data.reviews.filter((one) => one.session !== session.id);
      const cards = cardsOfTraps(traps(before), session.about);
      return practised(source, ({ id }) => cards.has(id), now);
    }
    case "objective":
      return practised(source, ({ objective }) => [objective, domainOf(objective)].includes(session.about ?? ""), now);
    case "quiz":
      return [...(session.cards ?? [])];
    case "plan":
      return ofPlan(source, session, now, left);
    case "terms":
    case "own": {
      const next =
        deck && nextOfDeck({ blueprint, deck, scheduler: learner.scheduler, ...data }, session, session.kind, now);
      return next === undefined ? [] : [next];
    }
  }
}

/** Questions that are due, then recall cards that are, then the rest of the plan. */
function ofPlan({ learner, data, deck }: QueueSource, session: Session, now: number, left: number): string[] {
  const { scheduler, states } = learner;
  const plan = plannedReviews(learner, data, now, left).map(({ card }) => card.id);
  const isDue = (id: string) => (states.get(id)?.due ?? Number.POSITIVE_INFINITY) <= now;
  const recall = deck === undefined ? [] : recallOfPlan({ deck, scheduler, ...data }, session, now);
  return [...plan.filter(isDue), ...recall, ...plan.filter((id) => !isDue(id))];
}

/** Seconds of the session that are left. */
export const secondsLeft = (session: Session, reviews: readonly Review[]) =>
  session.minutes * 60 -
  spentSeconds(
    session,
    reviewsOf(session, reviews).map(({ time }) => time),
  );

/** The next card; undefined where the session is over. */
export function nextCard(source: QueueSource, session: Session, now: number): string | undefined {
  const left = secondsLeft(session, source.data.reviews);
  if (session.ended === true || (isTimed(session) && left <= 0)) return undefined;
  const done = new Set(session.done.map(({ card }) => card));
  if (session.kind === "plan") {
    const again = dueAgain(source.learner, now).find((id) => !session.skipped.includes(id));
    if (again !== undefined) return again;
  }
  // A recall card is due again after a short step, or not at all.
  const isOpen = (id: string) => (!done.has(id) || isRecallCard(id)) && !session.skipped.includes(id);
  return candidates(source, session, now, left).find(isOpen);
}
