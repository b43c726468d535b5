/** A practice exam while it is taken. Whatever is done is written at once, with the time spent, so that a reload goes on where it stopped. */
import { type Signal, signal } from "@preact/signals";
import {
  type Announcement,
  ask,
  type ClockState,
  elapsedSeconds,
  isOver,
  look,
  pause,
  resume,
  startClock,
} from "./exam_clock.ts";
import type { ExamAnswer, ExamRecord } from "./exam_record.ts";
import { type Answer, isWhole, type Question, readAnswer, readQuestion } from "./question.ts";
import type { StudyStore } from "./store.ts";

/** What is asked of the store. */
export type ExamKeeper = Pick<StudyStore, "saveExam" | "saveAnswer">;

/** Chosen before the start. */
export interface ExamWish extends Pick<ExamRecord, "form" | "number" | "quiz"> {
  seed: number;
  limitSeconds: number;
  strict: boolean;
}

/** How much longer than the real exam it may last. */
export const kTimeFactors: readonly number[] = [1, 1.5, 2];
export const limitOf = (minutes: number, factor: number) => Math.round(minutes * 60 * factor);

const kSeeds = 999_999;
export const kSeedRange = { min: 1, max: kSeeds, integer: true } as const;
export const newSeed = () => 1 + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % kSeeds);

/** An exam of the engine's questions, not begun; undefined where one of them cannot be read. */
export function examOf(
  id: string,
  exam: string,
  questions: readonly unknown[],
  { seed, limitSeconds, strict, form, number, quiz }: ExamWish,
  now: number,
): ExamRecord | undefined {
  const isReadable = questions.length > 0 && questions.every((one) => readQuestion(one) !== undefined);
  if (!isReadable) return undefined;
  return {
    id,
    exam,
    seed,
    ...(form === undefined ? {} : { form }),
    ...(number === undefined ? {} : { number }),
    ...(quiz === undefined ? {} : { quiz }),
    questions: questions as ExamRecord["questions"],
    clock: startClock(limitSeconds, now, strict),
  };
}

/** The questions of a record. A place whose question cannot be read any more holds nothing. */
export const questionsOf = ({ questions }: ExamRecord): (Question | undefined)[] => questions.map(readQuestion);

export const blankAnswer = (exam: string, place: number, time: number): ExamAnswer => ({
  exam,
  place,
  answer: null,
  flagged: false,
  struck: [],
  seconds: 0,
  time,
});

/** What the map of questions says of one place. */
export interface PlaceState {
  place: number;
  /** The place as people count. */
  name: number;
  /** An answer with nothing missing. */
  answered: boolean;
  flagged: boolean;
}

export function placeStates(
  questions: readonly (Question | undefined)[],
  answers: ReadonlyMap<number, ExamAnswer>,
): PlaceState[] {
  return questions.map((question, place) => {
    const own = answers.get(place);
    return {
      place,
      name: place + 1,
      answered: question !== undefined && isWhole(question, readAnswer(own?.answer)),
      flagged: own?.flagged === true,
    };
  });
}

/** Where the learner was last: a place is written when it is opened, too. */
function lastPlace(answers: readonly ExamAnswer[]): number {
  const [latest] = [...answers].sort((a, b) => b.time - a.time);
  return latest?.place ?? 0;
}

/** When an exam ended that nobody handed in; undefined while it stands. */
export function endOf({ startedAt, pausedMs, limitSeconds, pausedAt }: ClockState): number | undefined {
  return pausedAt === undefined ? startedAt + pausedMs + limitSeconds * 1000 : undefined;
}

const kNobody: ExamKeeper = { saveExam: async () => undefined, saveAnswer: async () => undefined };

export class ExamRun {
  readonly exam: Signal<ExamRecord>;
  readonly answers: Signal<ReadonlyMap<number, ExamAnswer>>;
  readonly place: Signal<number>;
  readonly questions: readonly (Question | undefined)[];
  #store: ExamKeeper;
  readonly #now: () => number;
  /** Second of the exam up to which the time at the question on show is counted. */
  #counted: number;

  constructor(store: ExamKeeper, exam: ExamRecord, answers: readonly ExamAnswer[], now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
    this.exam = signal(exam);
    this.answers = signal(new Map(answers.map((one) => [one.place, one])));
    this.questions = questionsOf(exam);
    this.place = signal(Math.min(lastPlace(answers), this.questions.length - 1));
    this.#counted = elapsedSeconds(exam.clock, now());
  }

  /** What was done at a place so far. */
  at(place: number): ExamAnswer {
    return this.answers.value.get(place) ?? blankAnswer(this.exam.value.id, place, this.#now());
  }

  /** Changes the question on show, and counts the time at it. */
  #change(change: Partial<ExamAnswer>): void {
    const elapsed = elapsedSeconds(this.exam.peek().clock, this.#now());
    const old = this.at(this.place.peek());
    const seconds = old.seconds + Math.max(0, elapsed - this.#counted);
    this.#counted = elapsed;
    this.#put({ ...old, ...change, seconds, time: this.#now() });
  }

  #put(answer: ExamAnswer): void {
    this.answers.value = new Map(this.answers.value).set(answer.place, answer);
    void this.#store.saveAnswer(answer);
  }

  #setClock(clock: ClockState): void {
    if (clock === this.exam.value.clock) return;
    this.exam.value = { ...this.exam.value, clock };
    void this.#store.saveExam(this.exam.value);
  }

  /** Opens a place; beyond the ends nothing happens. */
  go(place: number): void {
    if (place < 0 || place >= this.questions.length || place === this.place.value) return;
    this.#change({});
    this.place.value = place;
    this.#change({});
  }

  answer(answer: Answer | undefined): void {
    this.#change({ answer: answer === undefined ? null : typeof answer === "number" ? answer : [...answer] });
  }

  flag(): boolean {
    const flagged = !this.at(this.place.value).flagged;
    this.#change({ flagged });
    return flagged;
  }

  /** Strikes an option out, or takes that back; undefined where there is no such option. */
  strike(option: number): boolean | undefined {
    if (option < 0 || option >= (this.questions[this.place.value]?.options.length ?? 0)) return undefined;
    const { struck } = this.at(this.place.value);
    const isStruck = struck.includes(option);
    this.#change({ struck: isStruck ? struck.filter((one) => one !== option) : [...struck, option] });
    return !isStruck;
  }

  /** The place before (-1) or after (1) the one on show; at an end that one itself. */
  nextPlace(way: 1 | -1): number {
    return Math.min(this.questions.length - 1, Math.max(0, this.place.value + way));
  }

  /** Writes the time at the question on show. */
  count(): void {
    if (this.exam.value.submittedAt === undefined) this.#change({});
  }

  /** Writes the time so far, for a page that may be closed next. */
  keepTime(): void {
    if (this.exam.value.submittedAt !== undefined) return;
    this.#change({});
    const { clock } = this.exam.value;
    this.#setClock({ ...clock, seenAt: Math.max(clock.seenAt, this.#now()) });
  }

  pause(): void {
    this.#change({});
    this.#setClock(pause(this.exam.value.clock, this.#now()));
  }

  resume(): void {
    this.#setClock(resume(this.exam.value.clock, this.#now()));
    this.#counted = elapsedSeconds(this.exam.value.clock, this.#now());
  }

  /** What the clock has to say now. */
  look(): Announcement | undefined {
    const { clock, announcement } = look(this.exam.value.clock, this.#now());
    if (announcement !== undefined) this.#setClock(clock);
    return announcement;
  }

  ask(): Announcement {
    return ask(this.exam.value.clock, this.#now());
  }

  isOver(): boolean {
    return isOver(this.exam.value.clock, this.#now());
  }

  /** Another tab goes on with it: nothing is written here any more. */
  leave(): void {
    this.#store = kNobody;
  }

  /** Hands in; an exam whose time has run out is handed in as of its end. */
  async handIn(): Promise<ExamRecord> {
    this.#change({});
    const now = this.#now();
    const submittedAt = Math.min(now, endOf(this.exam.value.clock) ?? now);
    const exam = { ...this.exam.value, submittedAt };
    this.exam.value = exam;
    await this.#store.saveExam(exam);
    return exam;
  }
}
