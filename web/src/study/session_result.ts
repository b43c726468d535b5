/** What a session says when it is over, and what each grade would do while it runs. */
import type { StudyData } from "./backup.ts";
import type { Blueprint } from "./blueprint.ts";
import { type Calibration, calibration } from "./confidence.ts";
import { type DomainResult, resultByDomain } from "./exam_result.ts";
import type { Learner } from "./learner.ts";
import { byCard, type Review } from "./log.ts";
import { type CardState, dueByDay, type Grade, kDayMs, kGrades, type Scheduler } from "./scheduler.ts";
import { type Session, spentSeconds } from "./session.ts";
import { reviewsOf, secondsLeft } from "./session_queue.ts";
import { calendarDays, type Span, spanOf } from "./spans.ts";

/** The state of a card before one of its reviews. */
function stateBefore(scheduler: Scheduler, reviews: readonly Review[], review: Review): CardState {
  const before = reviews.filter(
    ({ card, id, time }) => card === review.card && id !== review.id && time <= review.time,
  );
  return scheduler.replay(before, before[0]?.time ?? review.time);
}

/** When a card would come back after each grade of its review. */
export function gradeSpans(scheduler: Scheduler, reviews: readonly Review[], review: Review): Record<Grade, Span> {
  const after = scheduler.preview(stateBefore(scheduler, reviews, review), review.time);
  const span = (grade: Grade) => spanOf(after[grade].due - review.time);
  return Object.fromEntries(kGrades.map((grade) => [grade, span(grade)])) as Record<Grade, Span>;
}

/** True where the card was never reviewed before. */
export const isNewCard = (reviews: readonly Review[], card: string, but?: string) =>
  !(byCard(reviews).get(card) ?? []).some(({ id }) => id !== but);

/** Whole minutes of a session that are left, at least 1 while it runs. */
export const minutesLeft = (session: Session, reviews: readonly Review[]) =>
  Math.max(1, Math.ceil(secondsLeft(session, reviews) / 60));

/** The place of the card that is on, from 1. */
export const cardCount = ({ done }: Session) => done.length + 1;

export interface SessionResult {
  asked: number;
  right: number;
  seconds: number;
  /** Right and asked by domain. */
  domains: DomainResult[];
  /** Of the answers of the session whose confidence was stated. */
  calibration?: Calibration;
  /** Cards due on each of the next days; the first is today. */
  due: { time: number; cards: number }[];
  /** Days until the first card comes back, by the calendar. */
  nextDays?: number;
}

export const statedOf = (reviews: readonly Review[]) =>
  reviews.flatMap(({ confidence, right }) => (confidence === undefined ? [] : [{ confidence, right }]));

const kForecastDays = 7;

/** Cards due on each of the next days, in the order of days. */
export function dueForecast({ states }: Learner, now: number, days = kForecastDays) {
  return dueByDay([...states.values()], now, days).map((cards, day) => ({ time: now + day * kDayMs, cards }));
}

export function sessionResult(
  session: Session,
  data: StudyData,
  learner: Learner,
  now: number,
  blueprint: Blueprint,
): SessionResult {
  const own = reviewsOf(session, data.reviews);
  const dues = [...learner.states.values()].map(({ due }) => due);
  return {
    asked: own.length,
    right: own.filter(({ right }) => right).length,
    seconds: spentSeconds(
      session,
      own.map(({ time }) => time),
    ),
    domains: resultByDomain(blueprint, own),
    calibration: calibration(statedOf(own)),
    due: dueForecast(learner, now),
    ...(dues.length === 0 ? {} : { nextDays: Math.max(0, calendarDays(now, Math.min(...dues))) }),
  };
}
