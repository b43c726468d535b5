/** What the log says of the learner at a time: every card with its memory, what each takes, and what is weak. All of it can be computed anew. */
import { abilitiesAfter, chanceRight, difficultyPrior, type Estimate, type Item } from "./ability.ts";
import type { StudyData } from "./backup.ts";
import { type Blueprint, domainOf, objectiveWeights } from "./blueprint.ts";
import { suspendedCards } from "./card_marks.ts";
import { type PlannedCard, type PlanSettings, recallAt, recallByDomain, type Weights } from "./exam_plan.ts";
import { byCard, inOrder, type Review } from "./log.ts";
import type { QuestionPack, WrittenCard } from "./pack.ts";
import { isQuestionCard } from "./recall.ts";
import { type CardState, fsrsScheduler, kDayMs, type Scheduler } from "./scheduler.ts";
import { finished, type Work } from "./slices.ts";
import { calendarDays } from "./spans.ts";
import type { StudySettings } from "./study_settings.ts";

/** What the exam itself asks: concepts, and a few sums. */
export type ExamPart = "concept" | "sum";

/** A card that can be asked: a written question or a template. */
export interface StudyCard {
  id: string;
  objective: string;
  difficulty: Estimate;
  /** Undefined where only the study tool asks so. */
  part?: ExamPart;
}

/** Of a written question: the exam asks those of its level with options to choose from, which alone name how many of them are wrong. */
function partOf({ exam: { levels } }: Blueprint, { level, asks, wrongOptions }: WrittenCard): ExamPart | undefined {
  if (!levels.includes(level) || wrongOptions === undefined) return undefined;
  return asks === "calculation" ? "sum" : "concept";
}

const withPart = (card: StudyCard, part: ExamPart | undefined): StudyCard =>
  part === undefined ? card : { ...card, part };

/** Every card whose objective stands in the blueprint; what the exam asks comes first. */
export function cardsOf({ blueprint, written, templates }: QuestionPack): StudyCard[] {
  const known = new Set(blueprint.objectives.map(({ id }) => id));
  const ofPacks = Object.entries(written).flatMap(([objective, cards]) =>
    cards.map((card) => {
      const { id, difficulty, wrongOptions } = card;
      return withPart(
        { id, objective, difficulty: difficultyPrior({ level: difficulty, wrongOptions }) },
        partOf(blueprint, card),
      );
    }),
  );
  const generated = templates.map(({ id, objective, difficulty, simple }) =>
    withPart(
      { id, objective, difficulty: difficultyPrior({ level: difficulty, trap: true }) },
      simple === true ? "sum" : undefined,
    ),
  );
  const all = [...ofPacks, ...generated].filter(({ objective }) => known.has(objective));
  return [...all.filter(({ part }) => part !== undefined), ...all.filter(({ part }) => part === undefined)];
}

export const kUsualMinutes = 20;

/** Minutes that the learner gives a day. */
export const minutesOf = ({ minutesPerDay }: StudySettings) => minutesPerDay ?? kUsualMinutes;

/** The exam's date while it is still to come. */
export const examAhead = ({ examAt }: StudySettings, now: number) =>
  examAt !== undefined && examAt > now ? examAt : undefined;

/** Seconds that the exam gives for a question. */
export const usualSeconds = ({ exam }: Blueprint) => (exam.minutes * 60) / exam.questions;

/** Before anything is known: seconds of a review and of a first showing, solution included, and the chance to be right at first sight. */
const kPrior = { reviewSeconds: 45, newSeconds: 75, newRecall: 0.5 };
/** As many answers as what is assumed counts. */
const kPriorAnswers = 5;
/** What reading a solution adds to the time of an answer. */
const kReadingSeconds = 15;
const kLongestSeconds = 300;

const secondsOf = ({ seconds }: Review) => Math.min(seconds, kLongestSeconds) + kReadingSeconds;

/** What a card takes, and how often a new one is right, from the learner's own answers where there are some. A wrong answer, however quick, saves no time. */
export function habits(reviews: readonly Review[]): Pick<PlanSettings, "reviewSeconds" | "newSeconds" | "newRecall"> {
  const seen = new Set<string>();
  const first: Review[] = [];
  const again: Review[] = [];
  for (const review of inOrder(reviews.filter(({ card }) => isQuestionCard(card)))) {
    (seen.has(review.card) ? again : first).push(review);
    seen.add(review.card);
  }
  const mean = (values: readonly number[], prior: number) =>
    (values.reduce((sum, one) => sum + one, 0) + prior * kPriorAnswers) / (values.length + kPriorAnswers);
  const times = (list: readonly Review[]) =>
    list
      .filter(({ right }) => right)
      .slice(-100)
      .map(secondsOf);
  return {
    reviewSeconds: mean(times(again), kPrior.reviewSeconds),
    newSeconds: mean(times(first), kPrior.newSeconds),
    newRecall: mean(
      first.map(({ right }) => Number(right)),
      kPrior.newRecall,
    ),
  };
}

/** What of the seconds for questions is left today: at least what the cards take that come back today, for as long as a session lasts. */
export function secondsLeftToday(
  { planned }: Pick<Learner, "planned">,
  reviews: readonly Review[],
  now: number,
  seconds: number,
  longest: number,
): number {
  const spent = reviews
    .filter(({ time, exam, card }) => exam === undefined && isQuestionCard(card) && calendarDays(time, now) === 0)
    .reduce((sum, review) => sum + secondsOf(review), 0);
  const waiting = planned.filter(({ again }) => again !== undefined && again < now + kDayMs).length;
  // A second more, as a sum of shares may lie above their product.
  const forWaiting = waiting * habits(reviews).reviewSeconds + Math.sign(waiting);
  return Math.max(0, seconds - spent, Math.min(longest, forWaiting));
}

export interface Learner {
  cards: readonly StudyCard[];
  scheduler: Scheduler;
  /** Of every card that was seen, but for those that are not to be asked any more. */
  states: ReadonlyMap<string, CardState>;
  /** Every card that may be asked. */
  planned: readonly PlannedCard[];
  weights: Weights;
  /** By domain; only those with an answer. */
  abilities: ReadonlyMap<string, Estimate>;
}

/** What was replayed of a card. */
interface Replayed {
  log: readonly Review[];
  /** Before the last review: settings change when a card is due, never what is left in memory, so that of all dates only the last one is theirs. */
  before: CardState;
  /** After it, with these settings. */
  setting: string;
  state: CardState;
}

/** By card. After an answer one review is replayed, and after a change of settings one of each card. */
const replayed = new Map<string, Replayed>();

const startsWith = (log: readonly Review[], start: readonly Review[]) => start.every((review, i) => review === log[i]);

function stateBefore(scheduler: Scheduler, log: readonly Review[], known: Replayed | undefined): CardState {
  if (known !== undefined && startsWith(log, known.log)) {
    if (known.log.length === log.length) return known.before;
    if (known.log.length === log.length - 1) return known.state;
  }
  return scheduler.replay(log.slice(0, -1), log[0]?.time ?? 0);
}

function stateAfter(scheduler: Scheduler, setting: string, card: string, log: readonly [Review, ...Review[]]) {
  const known = replayed.get(card);
  if (known?.setting === setting && known.log.length === log.length && startsWith(log, known.log)) return known.state;
  const before = stateBefore(scheduler, log, known);
  const { grade, time } = log[log.length - 1] ?? log[0];
  const state = scheduler.grade(before, grade, time);
  replayed.set(card, { log, before, setting, state });
  return state;
}

/** Towards the exam while it is to come, else at the retention. */
export const schedulerOf = (settings: StudySettings, now: number): Scheduler =>
  fsrsScheduler({ retention: settings.retention, examAt: examAhead(settings, now) });

/** Cards between two pauses. */
const kCardsAtOnce = 10;

/** What is known of the learner: the log, the settings, and what is not to be asked. */
type Kept = Pick<StudyData, "reviews" | "settings"> & Partial<StudyData>;

/** The states of those of the cards that were seen; it pauses, as a log that was not replayed before takes long. */
export function* replaying(
  ids: readonly string[],
  { reviews, settings }: Kept,
  now: number,
): Work<Map<string, CardState>> {
  const scheduler = schedulerOf(settings, now);
  const setting = `${settings.retention} ${examAhead(settings, now)}`;
  const logs = byCard(reviews);
  const states = new Map<string, CardState>();
  for (const [i, id] of ids.entries()) {
    if (i % kCardsAtOnce === 0) yield;
    const [first, ...further] = logs.get(id) ?? [];
    if (first !== undefined) states.set(id, stateAfter(scheduler, setting, id, [first, ...further]));
  }
  return states;
}

/** All at once. */
export const statesOf = (...of: Parameters<typeof replaying>): Map<string, CardState> => finished(replaying(...of));

/** The learner at a time. It pauses while it replays a log. */
export function* learning(pack: QuestionPack, data: Kept, now: number): Work<Learner> {
  const cards = cardsOf(pack);
  const suspended = suspendedCards({ marks: data.marks ?? [] });
  const asked = cards.filter(({ id }) => !suspended.has(id));
  const states = yield* replaying(
    asked.map(({ id }) => id),
    data,
    now,
  );
  const planned = asked.map(({ id, objective }) => {
    const { memory, last, phase, due } = states.get(id) ?? {};
    const again = phase === "learning" || phase === "relearning" ? due : undefined;
    return { id, objective, memory, last, again };
  });
  const weights = objectiveWeights(
    pack.blueprint,
    asked.map(({ objective }) => objective),
  );
  const scheduler = schedulerOf(data.settings, now);
  return { cards, scheduler, states, planned, weights, abilities: abilitiesOf(cards, data.reviews) };
}

/** All at once. */
export const learnerOf = (...of: Parameters<typeof learning>): Learner => finished(learning(...of));

/** By domain, from all answers in their order: later ones count most, as an ability may move. */
export function abilitiesOf(cards: readonly Item[], reviews: readonly Review[]): Map<string, Estimate> {
  const items = new Map(cards.map((card) => [card.id, card]));
  const answers = inOrder(reviews).flatMap(({ card, right }) => {
    const item = items.get(card);
    return item === undefined ? [] : [{ item, right }];
  });
  return abilitiesAfter(answers);
}

/**
 * What is planned towards an exam: what it asks, for as long as some of that was never seen; then everything. What the exam does not ask would take
 * time from it, but for what comes back in minutes.
 */
export function towardsExam({ cards, planned }: Pick<Learner, "cards" | "planned">): readonly PlannedCard[] {
  const asked = new Set(cards.filter(({ part }) => part !== undefined).map(({ id }) => id));
  const own = planned.filter(({ id, again }) => asked.has(id) || again !== undefined);
  return own.some(({ memory }) => memory === undefined) ? own : planned;
}

/** Estimated recall of each domain at a time. */
export const readiness = ({ scheduler, planned, weights }: Learner, time: number) =>
  recallByDomain(scheduler, planned, weights, time);

/**
 * How much each objective still has to gain: its weight times the share that would be answered wrongly. A card that was seen counts by its recall;
 * one that was not by the ability in its domain, and not at all where that is not known either.
 */
export function needs({ scheduler, planned, weights, cards, abilities }: Learner, time: number): Map<string, number> {
  const difficulties = new Map(cards.map(({ id, difficulty }) => [id, difficulty.mean]));
  const chance = (card: PlannedCard) => {
    if (card.memory !== undefined) return recallAt(scheduler, card, time);
    const ability = abilities.get(domainOf(card.objective));
    return ability === undefined ? 0 : chanceRight(ability.mean, difficulties.get(card.id) ?? 0);
  };
  const known = new Map<string, { sum: number; cards: number }>();
  for (const card of planned) {
    const { sum, cards: count } = known.get(card.objective) ?? { sum: 0, cards: 0 };
    known.set(card.objective, { sum: sum + chance(card), cards: count + 1 });
  }
  return new Map(
    [...weights].map(([objective, weight]) => {
      const { sum, cards: count } = known.get(objective) ?? { sum: 0, cards: 1 };
      return [objective, weight * (1 - sum / count)];
    }),
  );
}

/** The domain with most to gain: the weakest by weight. */
export function weakestDomain(learner: Learner, time: number): string | undefined {
  const totals = new Map<string, number>();
  for (const [objective, need] of needs(learner, time)) {
    totals.set(domainOf(objective), (totals.get(domainOf(objective)) ?? 0) + need);
  }
  return [...totals].sort((a, b) => b[1] - a[1])[0]?.[0];
}
