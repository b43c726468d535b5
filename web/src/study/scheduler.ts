/**
 * When a card comes back, and how likely it is remembered. The rest of the study tool knows only `Scheduler`; FSRS-6 stands behind it as
 * ts-fsrs computes it, with fuzz off, so that the same reviews always give the same state.
 */
import {
  type Card,
  computeDecayFactor,
  createEmptyCard,
  FSRS,
  type Grade as FsrsGrade,
  Rating,
  roundTo,
  State,
} from "ts-fsrs";

/** Again, Hard, Good, Easy. */
export type Grade = 1 | 2 | 3 | 4;
export const kGrades: readonly Grade[] = [Rating.Again, Rating.Hard, Rating.Good, Rating.Easy];
export const kAgain: Grade = Rating.Again;
export const kHard: Grade = Rating.Hard;
export const kGood: Grade = Rating.Good;
export const kEasy: Grade = Rating.Easy;

/** A day in milliseconds. Times are milliseconds since 1970 UTC, as `Date.now()` gives them. */
export const kDayMs = 86_400_000;

/** What is left of a card in memory. */
export interface Memory {
  /** Days until recall falls to 90 %. */
  stability: number;
  /** 1 to 10. */
  difficulty: number;
}

/** All that is known of a card; plain data, which can be recomputed from the reviews. */
export interface CardState {
  phase: "new" | "learning" | "review" | "relearning";
  due: number;
  /** Undefined until the first review. */
  memory?: Memory;
  last?: number;
  /** Place in the short steps of a day (minutes) before intervals are days. */
  step: number;
  reviews: number;
  lapses: number;
}

/** What the reviews of one card say to a scheduler. */
export interface GradedAt {
  time: number;
  grade: Grade;
}

/** Memory over days, without dates: what plans are made with. */
export interface MemoryModel {
  /** Probability of recall `days` after a review that left `memory`. */
  recallAfter(memory: Memory, days: number): number;
  /** After a review `days` after the last one (whole days count; 0 is the same day), or after the first one where there is no memory. */
  reviewed(memory: Memory | undefined, days: number, grade: Grade): Memory;
  /** Days after which recall has fallen to `recall`. */
  daysUntil(memory: Memory, recall: number): number;
}

export interface Scheduler extends MemoryModel {
  newCard(time: number): CardState;
  grade(card: CardState, grade: Grade, time: number): CardState;
  /** The state after each of the four grades, so that their dates can be shown before one is chosen. */
  preview(card: CardState, time: number): Record<Grade, CardState>;
  /** Probability of recall at `time`; 0 of a card never seen. */
  recall(card: CardState, time: number): number;
  /** The state that these reviews of one card make, in the order of their times. */
  replay(reviews: readonly GradedAt[], created: number): CardState;
}

export interface SchedulerSettings {
  /** Recall at which a card comes back. */
  retention?: number;
  /** Time of the exam: no review is put after it, nor on its last day where there is time before. */
  examAt?: number;
  /** The 21 parameters of FSRS-6; the published defaults where none are given. */
  parameters?: readonly number[];
  /** Steps of minutes on the first day. Off, every interval is at least a day. */
  shortSteps?: boolean;
}

export const kUsualRetention = 0.9;

const kPhases: Record<State, CardState["phase"]> = {
  [State.New]: "new",
  [State.Learning]: "learning",
  [State.Review]: "review",
  [State.Relearning]: "relearning",
};
const kStates: Record<CardState["phase"], State> = {
  new: State.New,
  learning: State.Learning,
  review: State.Review,
  relearning: State.Relearning,
};

function fsrsCard({ phase, due, memory, last, step, reviews, lapses }: CardState): Card {
  return {
    due: new Date(due),
    stability: memory?.stability ?? 0,
    difficulty: memory?.difficulty ?? 0,
    elapsed_days: 0,
    scheduled_days: 0,
    reps: reviews,
    lapses,
    learning_steps: step,
    state: kStates[phase],
    last_review: last === undefined ? undefined : new Date(last),
  };
}

function stateOf({ state, due, stability, difficulty, last_review, learning_steps, reps, lapses }: Card): CardState {
  const seen = state === State.New ? {} : { memory: { stability, difficulty }, last: last_review?.getTime() };
  return { phase: kPhases[state], due: due.getTime(), ...seen, step: learning_steps, reviews: reps, lapses };
}

/** No later than a day before the exam; on that day no later than the exam; after it there is no limit. */
function cappedDue(due: number, time: number, examAt: number | undefined): number {
  if (examAt === undefined || time >= examAt) return due;
  const dayBefore = examAt - kDayMs;
  return Math.min(due, time < dayBefore ? dayBefore : examAt);
}

/** ts-fsrs counts whole days by the UTC calendar, so that a log gives the same state in every time zone. */
export function fsrsScheduler({
  retention = kUsualRetention,
  examAt,
  parameters,
  shortSteps = true,
}: SchedulerSettings = {}): Scheduler {
  const fsrs = new FSRS({
    request_retention: retention,
    enable_fuzz: false,
    enable_short_term: shortSteps,
    ...(parameters === undefined ? {} : { w: parameters }),
  });
  const capped = (card: CardState, time: number) => ({ ...card, due: cappedDue(card.due, time, examAt) });
  // As ts-fsrs computes it, which works out the shape of the curve anew for each point. Plans ask for very many points.
  const { decay, factor } = computeDecayFactor(fsrs.parameters.w);
  const recallAfter = ({ stability }: Memory, days: number) => roundTo((1 + (factor * days) / stability) ** decay, 8);
  // A clock that was set back must not make the time since the last review negative.
  const notBefore = ({ last }: CardState, time: number) => Math.max(time, last ?? time);

  const scheduler: Scheduler = {
    newCard: (time) => stateOf(createEmptyCard(new Date(time))),
    grade(card, grade, time) {
      const at = notBefore(card, time);
      return capped(stateOf(fsrs.next(fsrsCard(card), new Date(at), grade as FsrsGrade).card), at);
    },
    preview(card, time) {
      const at = notBefore(card, time);
      const all = fsrs.repeat(fsrsCard(card), new Date(at));
      const after = (grade: FsrsGrade) => capped(stateOf(all[grade].card), at);
      return {
        1: after(Rating.Again),
        2: after(Rating.Hard),
        3: after(Rating.Good),
        4: after(Rating.Easy),
      };
    },
    recall(card, time) {
      if (card.memory === undefined || card.last === undefined) return 0;
      return scheduler.recallAfter(card.memory, Math.max(0, time - card.last) / kDayMs);
    },
    replay(reviews, created) {
      const inOrder = [...reviews].sort((a, b) => a.time - b.time);
      return inOrder.reduce((card, { grade, time }) => scheduler.grade(card, grade, time), scheduler.newCard(created));
    },
    recallAfter,
    reviewed(memory, days, grade) {
      const whole = Math.floor(days);
      const recall = memory === undefined ? undefined : recallAfter(memory, whole);
      return fsrs.next_state(memory ?? null, whole, grade as FsrsGrade, recall);
    },
    daysUntil: ({ stability }, recall) => stability * fsrs.calculate_interval_modifier(recall),
  };
  return scheduler;
}

/** One line of a forecast: how many cards of those given come back on a day. Day 0 is today with all that is overdue. */
export function dueByDay(cards: readonly CardState[], now: number, days: number): number[] {
  const counts = new Array<number>(days).fill(0);
  for (const { due } of cards) {
    const day = Math.max(0, Math.floor((due - now) / kDayMs));
    if (day < days) counts[day] = (counts[day] ?? 0) + 1;
  }
  return counts;
}

/** What is known of one answer when a grade is suggested. */
export interface GradedAnswer {
  right: boolean;
  seconds: number;
  /** Stated before the answer was shown, where it was asked. */
  confidence?: number;
}

/**
 * The grade that is marked before the learner chooses one: wrong is Again; right but slow or half a guess is Hard; right, quick and sure is
 * Easy. `usualSeconds` is what the exam gives for a question.
 */
export function suggestedGrade({ right, seconds, confidence }: GradedAnswer, usualSeconds: number): Grade {
  if (!right) return kAgain;
  if (seconds > usualSeconds * 1.5 || (confidence ?? 1) <= 0.6) return kHard;
  return seconds < usualSeconds / 3 && (confidence ?? 0) >= 0.9 ? kEasy : kGood;
}
