/**
 * What to review today: towards the date of an exam, or at one retention for ever.
 *
 * Towards an exam, what counts is the sum over objectives of weight x mean recall of its cards on the day of the exam. A review is worth what it
 * is expected to add to that sum, per second that it takes; the day's time goes to the reviews worth most. While there is time for every card to
 * come once more, a review is judged by what it leaves after that last round: otherwise early days go to cards whose gain the last round undoes.
 * `scripts/study_simulation.ts` compares this with a fixed retention at equal time.
 */
import { domainOf } from "./blueprint.ts";
import { type Grade, kAgain, kDayMs, kGood, kUsualRetention, type Memory, type MemoryModel } from "./scheduler.ts";
import { finished, type Work } from "./slices.ts";
import { daysUntilExam } from "./spans.ts";

/** A card as a plan sees it. */
export interface PlannedCard {
  id: string;
  objective: string;
  /** Undefined until the first review. */
  memory?: Memory;
  /** Time of the last review. */
  last?: number;
  /** Within short steps of minutes: when it comes back, whatever else would gain more. */
  again?: number;
  /** Answered before, be it only in an exam. */
  isMet?: boolean;
}

export interface PlanSettings {
  now: number;
  examAt: number;
  /** Time that the learner gives a day. */
  seconds: number;
  /** What of it is left for questions today, where other things take some. */
  secondsToday?: number;
  /** Cards that come back before this time go first. */
  againUntil?: number;
  /** Expected seconds of a review, and of a card's first showing. */
  reviewSeconds: number;
  newSeconds: number;
  /** Chance that a card never seen is answered rightly all the same. */
  newRecall: number;
}

export interface PlannedReview {
  card: PlannedCard;
  seconds: number;
  /** In a plan towards an exam: what it is expected to add to weighted recall on its day, a share of 1. */
  gain?: number;
}

export type Weights = ReadonlyMap<string, number>;

export const daysBetween = (from: number, to: number) => Math.max(0, (to - from) / kDayMs);

/** Each card's part of its objective's weight. */
function cardWeights(cards: readonly PlannedCard[], weights: Weights): (card: PlannedCard) => number {
  const counts = new Map<string, number>();
  for (const { objective } of cards) counts.set(objective, (counts.get(objective) ?? 0) + 1);
  return ({ objective }) => (weights.get(objective) ?? 0) / (counts.get(objective) ?? 1);
}

/** Probability of recall at `time`; a card never seen is not known. */
export function recallAt(model: MemoryModel, { memory, last }: PlannedCard, time: number): number {
  return memory === undefined || last === undefined ? 0 : model.recallAfter(memory, daysBetween(last, time));
}

/** Sum over objectives of weight x mean recall of its cards at `time`. */
export function weightedRecall(model: MemoryModel, cards: readonly PlannedCard[], weights: Weights, time: number) {
  const weightOf = cardWeights(cards, weights);
  return cards.reduce((sum, card) => sum + weightOf(card) * recallAt(model, card, time), 0);
}

/** Readiness: mean recall at `time` of each domain's part of the blueprint, objectives as `weights` has them. */
export function recallByDomain(
  model: MemoryModel,
  cards: readonly PlannedCard[],
  weights: Weights,
  time: number,
): Map<string, number> {
  const totals = new Map<string, number>();
  for (const [objective, weight] of weights) {
    totals.set(domainOf(objective), (totals.get(domainOf(objective)) ?? 0) + weight);
  }
  const ofDomain = (id: string) => cards.filter(({ objective }) => domainOf(objective) === id);
  return new Map([...totals].map(([id, total]) => [id, weightedRecall(model, ofDomain(id), weights, time) / total]));
}

/** What a review now is expected to leave: both ways it can go, and how likely the right one is. */
function outcomes(model: MemoryModel, card: PlannedCard, { now, newRecall }: PlanSettings) {
  const days = card.last === undefined ? 0 : daysBetween(card.last, now);
  return {
    right: card.memory === undefined ? newRecall : recallAt(model, card, now),
    remembered: model.reviewed(card.memory, days, kGood),
    forgotten: model.reviewed(card.memory, days, kAgain),
  };
}

/** Recall on the day of the exam of what a review at `last` left, with one more review at `again` where that is still to come. */
function recallOnTheDay(model: MemoryModel, memory: Memory, last: number, examAt: number, again?: number): number {
  if (again === undefined || again <= last) return model.recallAfter(memory, daysBetween(last, examAt));
  const between = daysBetween(last, again);
  const left = daysBetween(again, examAt);
  const right = model.recallAfter(memory, between);
  const after = (grade: Grade) => model.recallAfter(model.reviewed(memory, between, grade), left);
  return right * after(kGood) + (1 - right) * after(kAgain);
}

/**
 * What a review of `card` now is expected to add to its recall on the day of the exam; with `again`, if the card comes once more at that time
 * either way. It can be below 0, as a lapse costs more than it teaches where nothing else comes before the exam.
 */
export function recallGain(model: MemoryModel, card: PlannedCard, settings: PlanSettings, again?: number): number {
  const { now, examAt, newRecall } = settings;
  const { right, remembered, forgotten } = outcomes(model, card, settings);
  const onTheDay = (memory: Memory, last: number) => recallOnTheDay(model, memory, last, examAt, again);
  const after = right * onTheDay(remembered, now) + (1 - right) * onTheDay(forgotten, now);
  if (card.memory !== undefined && card.last !== undefined) return after - onTheDay(card.memory, card.last);
  if (again === undefined) return after;
  // A card never seen would be shown for the first time then.
  const first = (grade: Grade) => recallOnTheDay(model, model.reviewed(undefined, 0, grade), again, examAt);
  return after - newRecall * first(kGood) - (1 - newRecall) * first(kAgain);
}

const secondsOf = ({ memory }: PlannedCard, { reviewSeconds, newSeconds }: PlanSettings) =>
  memory === undefined ? newSeconds : reviewSeconds;

/** Takes reviews in their order for as long as they fit into the day. */
function filled(inOrder: readonly PlannedReview[], seconds: number): PlannedReview[] {
  let left = seconds;
  return inOrder.filter((one) => {
    if (one.seconds > left) return false;
    left -= one.seconds;
    return true;
  });
}

/** Rounds that must still fit before a review is judged by what it leaves after the last one. By trial in the simulation. */
const kRoundsAhead = 1.5;

/** The middle of the last round through all cards before the exam; undefined once time is too short for it. */
function lastRound(cards: readonly PlannedCard[], settings: PlanSettings): number | undefined {
  const { now, examAt, seconds } = settings;
  const days = cards.reduce((sum, card) => sum + secondsOf(card, settings), 0) / seconds;
  return daysBetween(now, examAt) > kRoundsAhead * days ? examAt - (days / 2) * kDayMs : undefined;
}

/** `of`, worked out once for cards with one memory: those never seen, and in a forecast those whose memory one review has made. */
function onceForMemory<Value>(of: (card: PlannedCard) => Value): (card: PlannedCard) => Value {
  const known = new Map<Memory | undefined, { last: number | undefined; value: Value }>();
  return (card) => {
    const { memory, last } = card;
    const same = known.get(memory);
    if (same !== undefined && same.last === last) return same.value;
    const value = of(card);
    known.set(memory, { last, value });
    return value;
  };
}

/** Cards between two pauses. */
const kCardsAtOnce = 30;

/** See `reviewsForExam`; it pauses between cards, as thousands of memories are looked ahead at. */
function* planning(
  model: MemoryModel,
  cards: readonly PlannedCard[],
  weights: Weights,
  settings: PlanSettings,
): Work<PlannedReview[]> {
  const weightOf = cardWeights(cards, weights);
  const again = lastRound(cards, settings);
  const gainOf = onceForMemory((card) => recallGain(model, card, settings, again));
  const { againUntil = Number.NEGATIVE_INFINITY } = settings;
  const waiting: PlannedReview[] = [];
  const worth: Required<PlannedReview>[] = [];
  for (const [i, card] of cards.entries()) {
    if (i % kCardsAtOnce === 0) yield;
    if (card.again !== undefined && card.again < againUntil) {
      waiting.push({ card, seconds: secondsOf(card, settings) });
      continue;
    }
    const gain = weightOf(card) * gainOf(card);
    if (gain > 0) worth.push({ card, seconds: secondsOf(card, settings), gain });
  }
  worth.sort((a, b) => b.gain / b.seconds - a.gain / a.seconds || (a.card.id < b.card.id ? -1 : 1));
  return filled([...waiting, ...worth], settings.secondsToday ?? settings.seconds);
}

/** The reviews of today that raise weighted recall on the day of the exam most, best first. None that would lower it. */
export const reviewsForExam = (...of: Parameters<typeof planning>): PlannedReview[] => finished(planning(...of));

/** How a fixed retention is kept; see `reviewsAtRetention`. */
export interface FixedRetention {
  retention?: number;
  /** Cards never seen come before those that are due. */
  newFirst?: boolean;
  /** Time that is left goes to the cards that are next to come, so that a day takes as long as one towards the exam. */
  fill?: boolean;
}

/** The reviews of today at one retention: cards whose recall has fallen to it, the most forgotten first, and new ones in their order. */
export function reviewsAtRetention(
  model: MemoryModel,
  cards: readonly PlannedCard[],
  settings: PlanSettings,
  { retention = kUsualRetention, newFirst = false, fill = false }: FixedRetention = {},
): PlannedReview[] {
  const seen = cards
    .filter(({ memory }) => memory !== undefined)
    .map((card) => ({ card, recall: recallAt(model, card, settings.now) }))
    .sort((a, b) => a.recall - b.recall);
  const due = seen.filter(({ recall }) => recall <= retention).map(({ card }) => card);
  const unseen = cards.filter(({ memory }) => memory === undefined);
  const early = fill ? seen.filter(({ recall }) => recall > retention).map(({ card }) => card) : [];
  const inOrder = newFirst ? [...unseen, ...due, ...early] : [...due, ...unseen, ...early];
  return filled(
    inOrder.map((card) => ({ card, seconds: secondsOf(card, settings) })),
    settings.seconds,
  );
}

export interface DayLoad {
  /** 0 is today. */
  day: number;
  reviews: number;
  newCards: number;
  seconds: number;
  /** Weighted recall on the day of the exam, if study ended with this day. */
  recallAtExam: number;
}

/** The memory that a review leaves on average. */
function expectedMemory(model: MemoryModel, card: PlannedCard, settings: PlanSettings): Memory {
  const { right, remembered, forgotten } = outcomes(model, card, settings);
  const mean = (key: keyof Memory) => right * remembered[key] + (1 - right) * forgotten[key];
  return { stability: mean("stability"), difficulty: mean("difficulty") };
}

/**
 * The load of every day until the exam, with the seconds that are left for questions on each where these differ, shown before a plan is accepted: the
 * plan of each day, played through with average answers. As in a session, what is in its short steps comes first, and a new card once more within a
 * day. Many days take long, so it pauses often.
 */
export function* forecastDays(
  model: MemoryModel,
  cards: readonly PlannedCard[],
  weights: Weights,
  settings: PlanSettings,
  secondsOn: readonly number[] = [],
): Work<DayLoad[]> {
  const loads: DayLoad[] = [];
  const days = settings.examAt > settings.now ? daysUntilExam(settings.now, settings.examAt) : 0;
  let state = [...cards];
  for (let day = 0; day < days; day += 1) {
    const now = settings.now + day * kDayMs;
    const today = { ...settings, now, againUntil: now + kDayMs, secondsToday: secondsOn[day] ?? settings.seconds };
    const chosen = yield* planning(model, state, weights, today);
    const memoryAfter = onceForMemory((card) => expectedMemory(model, card, today));
    const again = ({ memory }: PlannedCard) => (memory === undefined ? now : undefined);
    const after = new Map(
      chosen.map(({ card }) => [card.id, { ...card, memory: memoryAfter(card), last: now, again: again(card) }]),
    );
    state = state.map((card) => after.get(card.id) ?? card);
    const newCards = chosen.filter(({ card }) => card.memory === undefined && card.isMet !== true).length;
    loads.push({
      day,
      reviews: chosen.length - newCards,
      newCards,
      seconds: chosen.reduce((sum, { seconds }) => sum + seconds, 0),
      recallAtExam: weightedRecall(model, state, weights, settings.examAt),
    });
  }
  return loads;
}

/** All days at once. */
export const forecast = (...of: Parameters<typeof forecastDays>): DayLoad[] => finished(forecastDays(...of));
