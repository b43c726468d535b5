/** Sessions: what comes next, what a reload goes on with, what is undone, and what is said at the end. */
import { beforeEach, describe, expect, it } from "vitest";
import { kNothing, type StudyData } from "../../../web/src/study/backup.ts";
import { domainOf } from "../../../web/src/study/blueprint.ts";
import { forecast } from "../../../web/src/study/exam_plan.ts";
import {
  cardsOf,
  habits,
  type Learner,
  learnerOf,
  needs,
  secondsLeftToday,
  towardsExam,
  weakestDomain,
} from "../../../web/src/study/learner.ts";
import type { Review } from "../../../web/src/study/log.ts";
import type { QuestionPack } from "../../../web/src/study/pack.ts";
import { kDayMs } from "../../../web/src/study/scheduler.ts";
import {
  backToLast,
  begun,
  changed,
  finished,
  goesOn,
  keptSession,
  readSession,
  type Session,
  secondsAt,
  spentSeconds,
  startSession,
} from "../../../web/src/study/session.ts";
import { sessionMinutes } from "../../../web/src/study/session_minutes.ts";
import { nextCard, plannedReviews, secondsLeft } from "../../../web/src/study/session_queue.ts";
import { dueForecast, gradeSpans, isNewCard, sessionResult } from "../../../web/src/study/session_result.ts";
import { kBlueprint as blueprint } from "./blueprint_data.ts";
import { kNoon, review } from "./samples.ts";

const kWritten = { level: "associate", asks: "recall" } as const;
const kGenerated = { level: "professional", asks: "calculation" } as const;

/** Six written cards and two templates for each objective. */
const pack: QuestionPack = {
  blueprint,
  written: Object.fromEntries(
    blueprint.objectives.map(({ id }) => [
      id,
      Array.from({ length: 6 }, (_, i) => ({ id: `${id}-w${i}`, difficulty: 2, wrongOptions: 3, ...kWritten })),
    ]),
  ),
  templates: [
    ...blueprint.objectives.flatMap(({ id }) =>
      [0, 1].map((i) => ({ id: `t.${id}-${i}`, objective: id, difficulty: 2, ...kGenerated })),
    ),
    { id: "t.exam-score", objective: "exam", difficulty: 1, ...kGenerated },
  ],
};

let count = 0;
beforeEach(() => {
  count = 0;
});
const answered = (card: string, changes: Partial<Review> = {}): Review => {
  count += 1;
  const objective = cardsOf(pack).find(({ id }) => id === card)?.objective ?? "1.1";
  return review(`r${count}`, { card, question: `${card}/${count}`, objective, ...changes });
};
const dataOf = (reviews: readonly Review[], settings = {}): StudyData => ({ ...kNothing, reviews, settings });
const source = (data: StudyData, now: number) => ({
  blueprint,
  data,
  learner: learnerOf(pack, data, now),
});

/** Plays a session with every answer right after `seconds`, and gives the cards in their order. */
function played(session: Session, before: StudyData, seconds = 30, limit = 200): { cards: string[]; data: StudyData } {
  const cards: string[] = [];
  let data = before;
  let running = session;
  let now = session.startedAt;
  while (cards.length < limit) {
    const card = nextCard(source(data, now), running, now);
    if (card === undefined) break;
    cards.push(card);
    now += seconds * 1000;
    const one = answered(card, { session: session.id, time: now, seconds });
    data = { ...data, reviews: [...data.reviews, one] };
    running = finished(changed(begun(running, card, 1, now), now, { review: one.id }), now);
  }
  return { cards, data };
}

describe("cards", () => {
  it("are all written questions and templates of the blueprint's objectives", () => {
    const cards = cardsOf(pack);
    expect(cards).toHaveLength(blueprint.objectives.length * 8);
    expect(cards.map(({ id }) => id)).not.toContain("t.exam-score");
  });

  it("take as long as the learner's own do, once there are some", () => {
    expect(habits([])).toEqual({ reviewSeconds: 45, newSeconds: 75, newRecall: 0.5 });
    expect(habits([answered("lab.pipeline-bubble", { seconds: 200 })])).toEqual(habits([]));
    const many = Array.from({ length: 200 }, (_, i) => answered("1.1-w0", { time: kNoon + i, seconds: 10 }));
    const { reviewSeconds, newRecall } = habits(many);
    expect(reviewSeconds).toBeCloseTo(25.95, 1);
    expect(newRecall).toBeCloseTo((1 + 2.5) / 6, 6);
  });
});

describe("the queue", () => {
  it("lasts as long as the day's minutes and asks every card at most once but for short steps", () => {
    const { cards, data } = played(startSession("plan", 20, kNoon), kNothing);
    const last = data.reviews.at(-1)?.time ?? 0;
    expect(last - kNoon).toBeGreaterThan(18 * 60_000);
    expect(last - kNoon).toBeLessThanOrEqual(20 * 60_000 + 30_000);
    const again = cards.filter((card, i) => cards.indexOf(card) !== i);
    for (const card of again) expect(cards.filter((one) => one === card).length).toBeLessThanOrEqual(3);
  });

  it.each([undefined, 21])("brings back what was wrong in an earlier session first, exam in %s days", (days) => {
    const wrong = ["1.1-w0", "2.7-w3"].map((card) => answered(card, { session: "before", right: false, grade: 1 }));
    const data = dataOf(wrong, days === undefined ? {} : { examAt: kNoon + days * kDayMs });
    const { cards } = played(startSession("plan", 20, kNoon + 15 * 60_000), data, 30, 4);
    expect(cards.slice(0, 2).sort()).toEqual(["1.1-w0", "2.7-w3"]);
    const planned = plannedReviews(source(data, kNoon + 900_000).learner, data, kNoon + 900_000, 1200);
    expect(planned.slice(0, 2).map(({ card }) => card.id)).toEqual(["1.1-w0", "2.7-w3"]);
  });

  it("brings new cards of all domains by their weights", () => {
    const { cards } = played(startSession("plan", 60, kNoon), kNothing, 30, 100);
    const first = [...new Set(cards)];
    const share = (id: string) => first.filter((card) => domainOf(card.replace("t.", "")) === id).length / first.length;
    for (const { id, weight } of blueprint.domains) expect(Math.abs(share(id) - weight)).toBeLessThan(0.12);
  });

  it("puts what is due before what is new", () => {
    const old = ["2.1-w0", "3.2-w1", "1.4-w2"].map((card) => answered(card, { time: kNoon - 20 * kDayMs }));
    const data = dataOf(old);
    const plan = plannedReviews(learnerOf(pack, data, kNoon), data, kNoon, 1200).map(({ card }) => card.id);
    expect(plan.slice(0, 3).sort()).toEqual(["1.4-w2", "2.1-w0", "3.2-w1"]);
    expect(plan.length).toBeGreaterThan(8);
  });

  it.each([2, 30])(
    "towards an exam in %d days takes the reviews worth most and fills the day with all domains",
    (days) => {
      const old = ["2.1-w0", "3.2-w1", "1.4-w2"].map((card) => answered(card, { time: kNoon - 20 * kDayMs }));
      const data = dataOf(old, { examAt: kNoon + days * kDayMs });
      const plan = plannedReviews(learnerOf(pack, data, kNoon), data, kNoon, 1200);
      const isOld = plan.map(({ card }) => card.memory !== undefined);
      expect(isOld).toEqual([...isOld].sort((a, b) => Number(b) - Number(a)));
      expect(new Set(plan.map(({ card }) => domainOf(card.objective))).size).toBe(3);
      const seconds = plan.reduce((sum, one) => sum + one.seconds, 0);
      expect(seconds).toBeLessThanOrEqual(1200);
      expect(seconds).toBeGreaterThan(1100);
    },
  );

  it("brings a card that was wrong again in the same session", () => {
    const session = startSession("plan", 20, kNoon);
    const one = answered("1.1-w0", { session: session.id, time: kNoon, grade: 1, right: false });
    const running = finished(changed(begun(session, "1.1-w0", 1, kNoon), kNoon, { review: one.id }), kNoon);
    const data = dataOf([one]);
    expect(nextCard(source(data, kNoon + 1000), running, kNoon + 1000)).not.toBe("1.1-w0");
    expect(nextCard(source(data, kNoon + 61_000), running, kNoon + 61_000)).toBe("1.1-w0");
  });

  it("ends a placement after ten questions over all domains, whatever time they took", () => {
    const { cards } = played(startSession("placement", 1, kNoon), kNothing, 90);
    expect(cards).toHaveLength(10);
    expect(new Set(cards.map((card) => domainOf(card.replace("t.", "")))).size).toBe(3);
  });

  it("practises the cards at which a mistake was made and is still open", () => {
    const log = [
      answered("t.1.2-0", { right: false, traps: ["keys-only"], time: kNoon - 4000 }),
      answered("t.1.2-1", { right: false, traps: ["bits-for-bytes"], time: kNoon - 3000 }),
      answered("t.2.7-0", { right: false, traps: ["bits-for-bytes"], time: kNoon - 2000 }),
      answered("t.2.7-0", { right: true, time: kNoon - 1000 }),
    ];
    const cardsOfSession = (about?: string) =>
      played(startSession("mistakes", 20, kNoon, about), dataOf(log)).cards.sort();
    expect(cardsOfSession()).toEqual(["t.1.2-0", "t.1.2-1"]);
    expect(cardsOfSession("bits-for-bytes")).toEqual(["t.1.2-1"]);
    expect(cardsOfSession("no-such-thing")).toEqual([]);
  });

  it("practises one objective or one domain", () => {
    const of = (about: string) => played(startSession("objective", 60, kNoon, about), kNothing, 10).cards;
    expect(of("2.7")).toHaveLength(8);
    expect(of("2.10").every((card) => card.replace("t.", "").startsWith("2.10-"))).toBe(true);
    expect(new Set(of("3").map((card) => domainOf(card.replace("t.", ""))))).toEqual(new Set(["3"]));
  });

  it("finds nothing more once the learner has ended it", () => {
    const session = { ...startSession("plan", 20, kNoon), ended: true };
    expect(nextCard(source(kNothing, kNoon), session, kNoon)).toBeUndefined();
  });
});

describe("what is weak", () => {
  it("is the domain of largest weight before anything is known", () => {
    expect(weakestDomain(learnerOf(pack, kNothing, kNoon), kNoon)).toBe("2");
  });

  it("moves with the answers: a domain that is known has less to gain", () => {
    const known = blueprint.objectives
      .filter(({ id }) => domainOf(id) === "2")
      .flatMap(({ id }) => [0, 1, 2, 3, 4, 5].map((i) => answered(`${id}-w${i}`, { time: kNoon - 1000, grade: 4 })));
    const learner = learnerOf(pack, dataOf(known), kNoon);
    expect(weakestDomain(learner, kNoon)).toBe("1");
    const need = needs(learner, kNoon);
    expect(need.get("2.1") ?? 1).toBeLessThan((need.get("1.1") ?? 0) / 2);
  });
});

describe("a session over a reload", () => {
  const begin = () => begun(startSession("plan", 20, kNoon), "1.1-w0", 7, kNoon);

  it("comes back with its card, its answer in the making, and the time spent at it", () => {
    const session = changed(begin(), kNoon + 5000, { answer: [2], confidence: 0.8 });
    const text = JSON.stringify(keptSession(session, kNoon + 5000));
    const later = readSession(text, kNoon + 3_600_000);
    expect(later?.current).toMatchObject({ card: "1.1-w0", seed: 7, answer: [2], confidence: 0.8, seconds: 5 });
    expect(secondsAt(later?.current ?? { card: "", seed: 0, seconds: 0, since: 0 }, kNoon + 3_602_000)).toBe(7);
  });

  it("goes on within four hours, for the same kind alone", () => {
    const session = begin();
    expect(goesOn(session, "plan", undefined, kNoon + 3_600_000)).toBe(true);
    expect(goesOn(session, "plan", undefined, kNoon + 5 * 3_600_000)).toBe(false);
    expect(goesOn(session, "placement", undefined, kNoon)).toBe(false);
    expect(goesOn(startSession("objective", 20, kNoon, "2.7"), "objective", "2.8", kNoon)).toBe(false);
  });

  it.each([undefined, "", "{}", "[]", '{"id":"x"}', JSON.stringify({ ...begin(), current: { card: 3 } })])(
    "is none of %j",
    (text) => expect(readSession(text, kNoon)).toBeUndefined(),
  );
});

describe("undo", () => {
  it("goes back to the last card with what was answered", () => {
    const first = changed(begun(startSession("plan", 20, kNoon), "1.1-w0", 7, kNoon), kNoon, { review: "r1" });
    const second = begun(finished(first, kNoon), "1.2-w0", 8, kNoon);
    const back = backToLast(second, kNoon, { answer: [1], confidence: 0.9, seconds: 12 });
    expect(back.done).toEqual([]);
    expect(back.current).toMatchObject({ card: "1.1-w0", seed: 7, review: "r1", answer: [1], confidence: 0.9 });
    expect(finished(back, kNoon).done).toEqual([{ card: "1.1-w0", seed: 7, review: "r1" }]);
  });

  it("does nothing before the first card", () => {
    const session = begun(startSession("plan", 20, kNoon), "1.1-w0", 7, kNoon);
    expect(backToLast(session, kNoon, { answer: [1], seconds: 1 })).toEqual(session);
  });
});

describe("time", () => {
  it("counts from answer to answer, and a pause for five minutes at most", () => {
    const session = startSession("plan", 20, kNoon);
    expect(spentSeconds(session, [])).toBe(0);
    expect(spentSeconds(session, [kNoon + 60_000, kNoon + 90_000])).toBe(90);
    expect(spentSeconds(session, [kNoon + 3_600_000])).toBe(300);
    expect(secondsLeft(session, [review("a", { session: session.id, time: kNoon + 60_000 })])).toBe(1140);
    expect(secondsLeft(session, [review("a", { session: "other", time: kNoon + 60_000 })])).toBe(1200);
  });
});

describe("grades and the end", () => {
  it("shows longer intervals for better grades, and none after the exam", () => {
    const before = answered("1.1-w0", { time: kNoon - 10 * kDayMs });
    const now = answered("1.1-w0", { time: kNoon });
    const spans = gradeSpans(learnerOf(pack, kNothing, kNoon).scheduler, [before, now], now);
    const days = ({ count: n, unit }: { count: number; unit: string }) =>
      n * ({ minute: 1 / 1440, hour: 1 / 24, day: 1, month: 30, year: 365 }[unit] ?? 0);
    expect([1, 2, 3].every((g) => days(spans[g as 1]) < days(spans[(g + 1) as 2]))).toBe(true);
    const capped = learnerOf(pack, dataOf([], { examAt: kNoon + 5 * kDayMs }), kNoon).scheduler;
    for (const span of Object.values(gradeSpans(capped, [before, now], now))) expect(days(span)).toBeLessThanOrEqual(4);
  });

  it("knows a card that was never reviewed before this answer", () => {
    const one = answered("1.1-w0");
    expect(isNewCard([], "1.1-w0")).toBe(true);
    expect(isNewCard([one], "1.1-w0")).toBe(false);
    expect(isNewCard([one], "1.1-w0", one.id)).toBe(true);
  });

  it("sums up what was done: counts, time, confidence, and what comes back", () => {
    const session = startSession("plan", 20, kNoon);
    const own = { session: session.id };
    const log = [
      answered("1.1-w0", { ...own, time: kNoon + 30_000, confidence: 0.9 }),
      answered("2.1-w0", { ...own, time: kNoon + 60_000, confidence: 0.7, right: false, grade: 1 }),
      answered("3.1-w0", { time: kNoon - kDayMs }),
    ];
    const data = dataOf(log);
    const now = kNoon + 61_000;
    const result = sessionResult(session, data, learnerOf(pack, data, now), now, pack.blueprint);
    expect(result).toMatchObject({ asked: 2, right: 1, seconds: 60 });
    expect(result.calibration?.brier).toBeCloseTo((0.01 + 0.49) / 2, 9);
    expect(result.due).toHaveLength(7);
    expect(result.due[0]?.cards).toBe(3);
    expect(result.nextDays).toBe(0);
  });
});

describe("the days of a plan", () => {
  const examAt = kNoon + 21 * kDayMs;
  /** After so many quick answers at new questions. */
  const after = (answers: number, right: boolean, minutes = 20) => {
    const asked = cardsOf(pack).slice(0, answers);
    const reviews = asked.map(({ id }) =>
      answered(id, { time: kNoon, seconds: 24, right, ...(right ? {} : { grade: 1 }) }),
    );
    const learner = learnerOf(pack, dataOf(reviews, { examAt }), kNoon);
    const seconds = minutes * 60;
    const settings = { now: kNoon, examAt, seconds, ...habits(reviews) };
    const today = secondsLeftToday(learner, reviews, kNoon, seconds, seconds);
    const { scheduler, weights } = learner;
    return { learner, days: forecast(scheduler, towardsExam(learner), weights, settings, [today]) };
  };

  it("repeat today what is due today, and never ask more new questions than there are", () => {
    // In one minute, one; the others on the next days.
    for (const [minutes, most] of [
      [1, 1],
      [8, 10],
      [60, 10],
    ] as const) {
      const { learner, days } = after(10, false, minutes);
      const due = dueForecast(learner, kNoon, 1)[0]?.cards ?? 99;
      expect(due).toBe(10);
      expect(days[0]?.reviews).toBeGreaterThanOrEqual(most);
      expect(days.reduce((sum, { newCards }) => sum + newCards, 0)).toBeLessThanOrEqual(22 * 6 - 10);
    }
  });

  it("repeat a new question once more within a day", () => {
    const { days } = after(0, true);
    expect(days[1]?.reviews).toBeGreaterThanOrEqual(days[0]?.newCards ?? 99);
  });

  it("expect less of the exam after wrong answers, however quick", () => {
    const recall = (answers: number, right: boolean) => after(answers, right).days.at(-1)?.recallAtExam ?? 0;
    expect(recall(10, false)).toBeLessThan(recall(0, true));
    expect(recall(25, false)).toBeLessThan(recall(10, false));
    expect(recall(10, false)).toBeLessThan(recall(10, true));
  });
});

describe("the minutes of the next session", () => {
  const planned = learnerOf(pack, kNothing, kNoon).planned;
  const of = (left: number | undefined, reviews: readonly Review[] = [], cards: Learner["planned"] = planned) =>
    sessionMinutes({ planned: cards }, { ...dataOf(reviews), settings: { minutesPerDay: 60 } }, kNoon, left);

  it("are what the lessons of today leave for questions, and the whole day without a plan", () => {
    expect(of(undefined)).toBe(60);
    expect(of(34)).toBe(34);
    expect(of(3)).toBe(5);
    expect(of(0)).toBe(60);
  });

  it("become fewer with each answer, and are those of a day again once they are used up", () => {
    const answers = (count: number) =>
      Array.from({ length: count }, (_, i) => review(`r${i}`, { time: kNoon - 60_000, seconds: 45 }));
    expect(of(34, answers(10))).toBe(24);
    expect(of(34, answers(33))).toBe(5);
    expect(of(34, answers(34))).toBe(60);
  });

  it("have room for what comes back today", () => {
    const waiting = planned.slice(0, 10).map((card) => ({ ...card, again: kNoon }));
    expect(of(0, [], waiting)).toBe(8);
  });
});
