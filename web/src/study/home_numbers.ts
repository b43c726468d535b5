/** Numbers of the study home, as its views show them. */
import { abilitiesAfter, chanceRight, type Estimate } from "./ability.ts";
import { type Blueprint, domainOf } from "./blueprint.ts";
import { type Calibration, calibration } from "./confidence.ts";
import { type ExamKind, type FreshAnswer, isAsked } from "./exam_kind.ts";
import { type DayLoad, recallAt, weightedRecall } from "./exam_plan.ts";
import { type Learner, readiness } from "./learner.ts";
import type { Review } from "./log.ts";
import { kDayMs } from "./scheduler.ts";
import { statedOf } from "./session_result.ts";

/** The 95 % point of the standard normal distribution: two-sided 90 %. */
const kZ = 1.6448536269514722;

export const wholeNumber = (value: number) => Math.round(value);

/** Shares are shown in whole percents. */
export const wholePercent = (share: number) => Math.round(share * 100) / 100;

/** The chance to be right at a question of medium difficulty, with its 90 % interval; undefined without an answer. */
export function abilityRange(ability: Estimate | undefined) {
  if (ability === undefined) return undefined;
  const { mean, deviation } = ability;
  const at = (z: number) => wholePercent(chanceRight(mean + z * deviation, 0));
  return { middle: at(0), low: at(-kZ), high: at(kZ) };
}

/** The learner as far as the exam asks: with the cards of its kind alone. */
export const examLearner = (learner: Learner, kind: ExamKind): Learner => ({
  ...learner,
  planned: learner.planned.filter(({ id }) => isAsked(kind, id)),
});

/** Abilities by domain, from first answers at questions of the exam's kind. */
export const examAbilities = (concepts: readonly FreshAnswer[]): Map<string, Estimate> =>
  abilitiesAfter(concepts.map(({ card, right }) => ({ item: card, right })));

export interface ReadyDomain {
  id: string;
  name: string;
  weight: number;
  /** Mean recall now, and on the day of the exam if nothing more is learned. */
  now: number;
  onTheDay?: number;
  seen: number;
  cards: number;
}

/** Readiness of each domain: estimated recall of its cards by the weights of its objectives; cards never seen count as not known. */
export function readyDomains(
  learner: Learner,
  { domains }: Blueprint,
  answered: ReadonlySet<string>,
  now: number,
  examAt?: number,
): ReadyDomain[] {
  const today = readiness(learner, now);
  const later = examAt === undefined ? undefined : readiness(learner, examAt);
  return domains.map(({ id, name, weight }) => {
    const own = learner.planned.filter(({ objective }) => domainOf(objective) === id);
    const onTheDay = later?.get(id);
    return {
      id,
      name,
      weight,
      now: wholePercent(today.get(id) ?? 0),
      ...(onTheDay === undefined ? {} : { onTheDay: wholePercent(onTheDay) }),
      seen: own.filter(({ id: card }) => answered.has(card)).length,
      cards: own.length,
    };
  });
}

/** Recall is told once this share of the cards is in memory: before, nearly all of it would be the cards that were never asked. */
const kRecallShare = 0.5;

export interface Remembered {
  /** In memory: answered in a session or taken over from an exam. */
  cards: number;
  needed: number;
  isTold: boolean;
}

export function rememberedOf({ planned }: Pick<Learner, "planned">): Remembered {
  const cards = planned.filter(({ memory }) => memory !== undefined).length;
  const needed = Math.ceil(kRecallShare * planned.length);
  return { cards, needed, isTold: planned.length > 0 && cards >= needed };
}

/** Sum over domains of weight x recall. */
export const readyTotal = ({ scheduler, planned, weights }: Learner, time: number) =>
  wholePercent(weightedRecall(scheduler, planned, weights, time));

export interface ReadyObjective {
  id: string;
  text: string;
  now: number;
  seen: number;
  cards: number;
}

export function readyObjectives(
  { planned, scheduler }: Learner,
  { objectives }: Blueprint,
  answered: ReadonlySet<string>,
  now: number,
): ReadyObjective[] {
  return objectives.map(({ id, text }) => {
    const own = planned.filter(({ objective }) => objective === id);
    const known = own.reduce((sum, card) => sum + recallAt(scheduler, card, now), 0);
    return {
      id,
      text,
      now: wholePercent(own.length === 0 ? 0 : known / own.length),
      seen: own.filter(({ id: card }) => answered.has(card)).length,
      cards: own.length,
    };
  });
}

/** Weighted recall that a plan aims at: at this mastery the assumed pass mark is reached in 97 of 100 exams. */
export const kAim = 0.8;

/** Fewest answers of which a statistic is shown. */
export const kStatisticAnswers = 20;

/** How many answers are missing until something is shown; 0 where none is. */
export const missingAnswers = (needed: number, answers: number) => Math.max(0, needed - answers);

/** Answers at questions whose wrong options come from known mistakes. */
export function computedAnswers(templates: readonly { id: string }[], reviews: readonly Review[]): number {
  const ids = new Set(templates.map(({ id }) => id));
  return reviews.filter(({ card }) => ids.has(card)).length;
}

/** Of all answers whose confidence was stated. */
export const calibrationOf = (reviews: readonly Review[]): Calibration | undefined => calibration(statedOf(reviews));

/** What a reliability plot says in a word: a difference of mean confidence and share right within this counts as none. */
const kBiasSeen = 0.05;
export function biasWord({ bias }: Calibration): "over" | "under" | "fair" {
  return bias > kBiasSeen ? "over" : bias < -kBiasSeen ? "under" : "fair";
}

/** Mean of what was stated, and the share that was right. */
export function statedAndRight({ bias, bins, answers }: Calibration): { stated: number; right: number } {
  const right = bins.reduce((sum, bin) => sum + bin.right, 0) / answers;
  return { stated: wholePercent(right + bias), right: wholePercent(right) };
}

export interface LoadSummary {
  /** Minutes of questions of the days so far, on average and of the longest. */
  minutes: number;
  most: number;
  /** Of all days. */
  reviews: number;
  newCards: number;
  /** Weighted recall on the day of the exam, if the plan is kept. */
  recallAtExam: number;
}

export const minutesOfDay = ({ seconds }: DayLoad) => Math.round(seconds / 60);

/** Undefined of no day. */
export function loadSummary(days: readonly DayLoad[]): LoadSummary | undefined {
  const last = days.at(-1);
  if (last === undefined) return undefined;
  const sum = (of: (day: DayLoad) => number) => days.reduce((total, day) => total + of(day), 0);
  return {
    minutes: Math.round(sum(({ seconds }) => seconds) / days.length / 60),
    most: Math.max(...days.map(minutesOfDay)),
    reviews: sum(({ reviews }) => reviews),
    newCards: sum(({ newCards }) => newCards),
    recallAtExam: wholePercent(last.recallAtExam),
  };
}

const kHintAfterMs = 7 * kDayMs;

/** A backup is suggested once a week at most: when there is something to lose, and neither a file nor a "later" of the last seven days. */
export function wantsBackup(
  reviews: readonly Review[],
  backupAt: number | undefined,
  laterAt: number | undefined,
  now: number,
): boolean {
  const first = reviews[0]?.time;
  const latest = Math.max(first ?? now, backupAt ?? 0, laterAt ?? 0);
  const isNews = reviews.some(({ time }) => time > (backupAt ?? 0));
  return first !== undefined && isNews && now - latest > kHintAfterMs;
}
