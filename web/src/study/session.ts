/** A session in the making: which card is on, what was done, and how it is kept over a reload. Plain data. */
import { isObject, type Json } from "../json.ts";
import { kMistakes, type Mistake, newId } from "./log.ts";
import { type Answer, readAnswer } from "./question.ts";

/** What a session is for; `about` names the objective or domain, or the mistake, that is practised, or has the choices of a quiz. */
export const kSessionKinds = ["plan", "placement", "mistakes", "objective", "terms", "own", "quiz"] as const;
export type SessionKind = (typeof kSessionKinds)[number];

/** A card that was asked in this session. */
export interface Asked {
  card: string;
  seed: number;
  /** The id of its review. */
  review: string;
}

/** The card that is on. */
export interface Current {
  card: string;
  seed: number;
  /** Seconds at the question before the last reload, and since when it is on. */
  seconds: number;
  since: number;
  /** Null is "I do not know". */
  answer?: Answer | null;
  confidence?: number;
  /** Set once it is answered: the solution is open, and the review is kept. */
  review?: string;
  /** Of a recall card: its back is shown. `seconds` is the time until then. */
  turned?: true;
  mistake?: Mistake;
}

export interface Session {
  id: string;
  kind: SessionKind;
  about?: string;
  minutes: number;
  startedAt: number;
  /** Last change. */
  seenAt: number;
  done: readonly Asked[];
  /** Cards that could not be asked. */
  skipped: readonly string[];
  current?: Current;
  /** What a quiz asks, in its order. */
  cards?: readonly string[];
  /** Ended by the learner before it was over. */
  ended?: boolean;
}

export const startSession = (kind: SessionKind, minutes: number, now: number, about?: string): Session => ({
  id: newId(),
  kind,
  ...(about === undefined ? {} : { about }),
  minutes,
  startedAt: now,
  seenAt: now,
  done: [],
  skipped: [],
});

/** A session goes on for this long after its last change; a later visit begins a new one. */
const kGoesOnMs = 4 * 3_600_000;

export const goesOn = (session: Session, kind: SessionKind, about: string | undefined, now: number) =>
  session.kind === kind &&
  (kind === "quiz" || session.about === about) &&
  now - session.seenAt < kGoesOnMs &&
  now >= session.startedAt;

/** Whether it ends by the clock. A placement has its count, and so has a quiz whose time is not limited. */
export const isTimed = ({ kind, minutes }: Session) => kind !== "placement" && !(kind === "quiz" && minutes === 0);

/** A longer gap between two answers is a pause. */
const kLongestGapMs = 300_000;

/** Seconds spent: from answer to answer, pauses cut. `times` are those of the session's reviews, in order. */
export function spentSeconds({ startedAt }: Session, times: readonly number[]): number {
  let last = startedAt;
  let spent = 0;
  for (const time of times) {
    spent += Math.min(Math.max(0, time - last), kLongestGapMs);
    last = time;
  }
  return spent / 1000;
}

/** Puts a card on. */
export const begun = (session: Session, card: string, seed: number, now: number): Session => ({
  ...session,
  seenAt: now,
  current: { card, seed, seconds: 0, since: now },
});

/** Seconds at the question so far: before a reload and since. A page that was left open does not count for hours. */
export const secondsAt = ({ seconds, since }: Current, now: number) =>
  seconds + Math.min(Math.max(0, now - since), kLongestGapMs) / 1000;

/** Changes the card that is on. */
export const changed = (session: Session, now: number, changes: Partial<Current>): Session =>
  session.current === undefined ? session : { ...session, seenAt: now, current: { ...session.current, ...changes } };

/** The card that is on is done. */
export function finished(session: Session, now: number): Session {
  const { current, ...rest } = session;
  if (current?.review === undefined) return session;
  const { card, seed, review } = current;
  return { ...rest, seenAt: now, done: [...session.done, { card, seed, review }] };
}

/** The card that is on could not be asked. */
export function skippedCurrent({ current, ...rest }: Session, now: number): Session {
  return current === undefined ? rest : { ...rest, seenAt: now, skipped: [...rest.skipped, current.card] };
}

/** What was answered at a card that is taken up again. */
export interface Answered {
  answer: Json;
  confidence?: number;
  mistake?: Mistake;
  seconds: number;
}

/** One step back from the next card to the last one's grades; the card that was on is asked again later. */
export function backToLast(session: Session, now: number, answered: Answered): Session {
  const last = session.done.at(-1);
  if (last === undefined) return session;
  const { answer, confidence, mistake, seconds } = answered;
  return {
    ...session,
    seenAt: now,
    done: session.done.slice(0, -1),
    current: { ...last, seconds, since: now, answer: readAnswer(answer) ?? null, confidence, mistake },
  };
}

/** As it is kept for a reload: time at the question goes into `seconds`. */
export function keptSession(session: Session, now: number): Session {
  const { current } = session;
  if (current === undefined || current.review !== undefined || current.turned === true) return session;
  return { ...session, current: { ...current, seconds: secondsAt(current, now), since: now } };
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isAsked = (value: unknown) =>
  isObject(value) && isText(value.card) && isNumber(value.seed) && isText(value.review);
const isCurrent = (value: unknown) =>
  isObject(value) &&
  isText(value.card) &&
  isNumber(value.seed) &&
  isNumber(value.seconds) &&
  isNumber(value.since) &&
  (value.answer === undefined || value.answer === null || readAnswer(value.answer as Json) !== undefined) &&
  (value.confidence === undefined || isNumber(value.confidence)) &&
  (value.review === undefined || isText(value.review)) &&
  (value.turned === undefined || value.turned === true) &&
  (value.mistake === undefined || kMistakes.some((one) => one === value.mistake));

const isSession = (value: unknown): value is Session =>
  isObject(value) &&
  isText(value.id) &&
  kSessionKinds.some((kind) => kind === value.kind) &&
  (value.about === undefined || isText(value.about)) &&
  ["minutes", "startedAt", "seenAt"].every((key) => isNumber(value[key])) &&
  Array.isArray(value.done) &&
  value.done.every(isAsked) &&
  Array.isArray(value.skipped) &&
  value.skipped.every(isText) &&
  (value.cards === undefined || (Array.isArray(value.cards) && value.cards.every(isText))) &&
  (value.current === undefined || isCurrent(value.current));

/** A session of its text; undefined where it is none. After a reload the clock of the question starts again from now. */
export function readSession(text: string | undefined, now: number): Session | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    if (!isSession(value)) return undefined;
    return value.current === undefined ? value : { ...value, current: { ...value.current, since: now } };
  } catch {
    return undefined;
  }
}
