/**
 * The clock of a practice exam. It is silent: it speaks at half time, ten minutes and one minute before the end, at the end, and when asked. Its
 * state is plain data with times of the wall clock, so it goes on after a reload; while the page is closed, time passes as in an exam room.
 */

export interface ClockState {
  limitSeconds: number;
  startedAt: number;
  /** Time spent in pauses that are over. */
  pausedMs: number;
  /** Set while it stands. */
  pausedAt?: number;
  /** Latest time seen: a system clock that was set back gives no time. */
  seenAt: number;
  /** Marks already announced, in seconds before the end. */
  announced: number[];
  /** A strict exam has no pause. */
  strict: boolean;
}

/** A limit that nobody reaches: a quiz may have none. */
export const kNoLimitSeconds = 1e9;
export const hasLimit = ({ limitSeconds }: ClockState) => limitSeconds < kNoLimitSeconds;

/** "half" comes at half time whatever the limit; the others count seconds before the end. */
export interface Announcement {
  kind: "half" | "remaining" | "over" | "asked";
  remainingSeconds: number;
}

const kMarks: readonly number[] = [600, 60, 0];

export function startClock(limitSeconds: number, now: number, strict = false): ClockState {
  return { limitSeconds, startedAt: now, pausedMs: 0, seenAt: now, announced: [], strict };
}

const latest = ({ seenAt }: ClockState, now: number) => Math.max(seenAt, now);

/** Seconds that the exam has run, without its pauses. */
export function elapsedSeconds(clock: ClockState, now: number): number {
  const until = clock.pausedAt ?? latest(clock, now);
  return Math.min(clock.limitSeconds, (until - clock.startedAt - clock.pausedMs) / 1000);
}

export const remainingSeconds = (clock: ClockState, now: number) => clock.limitSeconds - elapsedSeconds(clock, now);

export const isOver = (clock: ClockState, now: number) => remainingSeconds(clock, now) <= 0;

/** The clock stands from now on; unchanged where it is strict, over or stands already. */
export function pause(clock: ClockState, now: number): ClockState {
  if (clock.strict || clock.pausedAt !== undefined || isOver(clock, now)) return clock;
  const at = latest(clock, now);
  return { ...clock, pausedAt: at, seenAt: at };
}

export function resume({ pausedAt, ...clock }: ClockState, now: number): ClockState {
  if (pausedAt === undefined) return clock;
  const at = latest(clock, now);
  return { ...clock, pausedMs: clock.pausedMs + at - pausedAt, seenAt: at };
}

/** Marks of this limit, in seconds before the end: half time, and those of the others that come after it. */
const marksOf = (limitSeconds: number) => [limitSeconds / 2, ...kMarks.filter((mark) => mark < limitSeconds / 2)];

/**
 * What is to be announced now, and the clock that remembers it. Each mark is announced once. Where several passed since the last look (the page was
 * closed), only the latest is: an old one says nothing any more.
 */
export function look(clock: ClockState, now: number): { clock: ClockState; announcement?: Announcement } {
  const remaining = remainingSeconds(clock, now);
  const passed = marksOf(clock.limitSeconds).filter((mark) => remaining <= mark);
  const mark = passed.at(-1);
  const seen = { ...clock, seenAt: latest(clock, now) };
  if (mark === undefined || clock.announced.includes(mark)) return { clock: seen };
  const kind = mark === 0 ? "over" : mark === clock.limitSeconds / 2 ? "half" : "remaining";
  return { clock: { ...seen, announced: passed }, announcement: { kind, remainingSeconds: remaining } };
}

/** The time left, because the learner asked. */
export const ask = (clock: ClockState, now: number): Announcement => ({
  kind: "asked",
  remainingSeconds: remainingSeconds(clock, now),
});
