/** Recall cards: what is on them, which comes next, and what they do not count for. */
import { beforeEach, describe, expect, it } from "vitest";
import { ankiText, recallNote, withOwnNote } from "../../../web/src/study/anki.ts";
import { kNothing, type StudyData } from "../../../web/src/study/backup.ts";
import { domainOf } from "../../../web/src/study/blueprint.ts";
import { markSet } from "../../../web/src/study/card_marks.ts";
import { examKind, freshAnswers } from "../../../web/src/study/exam_kind.ts";
import type { GlossaryTerm } from "../../../web/src/study/glossary.ts";
import { readyTotal } from "../../../web/src/study/home_numbers.ts";
import { habits, learnerOf } from "../../../web/src/study/learner.ts";
import type { Review } from "../../../web/src/study/log.ts";
import { newOwnCard } from "../../../web/src/study/own_cards.ts";
import type { QuestionPack } from "../../../web/src/study/pack.ts";
import {
  isQuestionCard,
  isRecallCard,
  otherSide,
  ownCardId,
  recallCards,
  recallText,
  termBackCard,
  termCard,
  termSlug,
  withoutTerm,
} from "../../../web/src/study/recall.ts";
import { deckCounts, kNewAtOnce, kRecallShare, recallDeck } from "../../../web/src/study/recall_queue.ts";
import { type Grade, kDayMs } from "../../../web/src/study/scheduler.ts";
import {
  begun,
  changed,
  finished,
  keptSession,
  readSession,
  type Session,
  type SessionKind,
  startSession,
} from "../../../web/src/study/session.ts";
import { nextCard } from "../../../web/src/study/session_queue.ts";
import { kBlueprint as blueprint } from "./blueprint_data.ts";
import { kNoon, review } from "./samples.ts";

/** Four terms and three questions for each objective. */
const terms: GlossaryTerm[] = blueprint.objectives.flatMap(({ id }) =>
  ["alpha", "beta", "gamma", "delta"].map((name) => ({
    term: `${name} ${id.replace(".", "-")}`,
    meaning: `What ${name} of ${id} is`,
    objective: id,
    sources: [],
  })),
);
const pack: QuestionPack = {
  blueprint,
  written: Object.fromEntries(
    blueprint.objectives.map(({ id }) => [
      id,
      [0, 1, 2].map((i) => ({
        id: `${id}-w${i}`,
        difficulty: 2,
        level: "associate" as const,
        asks: "recall" as const,
        wrongOptions: 3,
      })),
    ]),
  ),
  templates: [],
};
const firstTerm = termCard("alpha 1-1");

let count = 0;
beforeEach(() => {
  count = 0;
});
const graded = (card: string, time: number, changes: Partial<Review> = {}): Review => {
  count += 1;
  return review(`r${count}`, { card, question: card, objective: "1.1", time, answer: null, seconds: 6, ...changes });
};

const source = (data: StudyData, now: number) => ({
  blueprint,
  data,
  learner: learnerOf(pack, data, now),
  deck: recallDeck(recallCards(terms, data.own), data, now),
});

/** Plays a session; every card takes the same time and gets the same grade. */
function played(
  kind: SessionKind,
  before: StudyData,
  { seconds = 10, grade = 3 as Grade, minutes = 20, at = kNoon } = {},
) {
  const cards: string[] = [];
  let data = before;
  let running: Session = startSession(kind, minutes, at);
  let now = at;
  while (cards.length < 500) {
    const card = nextCard(source(data, now), running, now);
    if (card === undefined) break;
    cards.push(card);
    now += seconds * 1000;
    const one = graded(card, now, { session: running.id, seconds, grade, right: grade > 1 });
    data = { ...data, reviews: [...data.reviews, one] };
    running = finished(changed(begun(running, card, 1, now), now, { review: one.id }), now);
  }
  return { cards, data, now };
}

describe("recall cards", () => {
  it("have ids of their own, one for each direction of a term", () => {
    expect(termSlug("  KV cache (paged)")).toBe("kv-cache-paged");
    expect(termCard("KV cache")).toBe("term.kv-cache");
    expect(termBackCard("KV cache")).toBe("term.kv-cache.back");
    expect([otherSide("term.kv-cache"), otherSide("term.kv-cache.back")]).toEqual([
      "term.kv-cache.back",
      "term.kv-cache",
    ]);
    expect([otherSide("own.1"), isRecallCard("own.1"), isRecallCard("1.1-ngc"), isRecallCard("t.term")]).toEqual([
      undefined,
      true,
      false,
      false,
    ]);
    expect(["1.1-ngc", "t.kv-cache", "lab.x", "term.x", "own.x"].filter(isQuestionCard)).toEqual([
      "1.1-ngc",
      "t.kv-cache",
    ]);
  });

  it("do not give a term away by its meaning", () => {
    expect(withoutTerm("A DPU. The dpu-3 is one; DPUs are many.", "DPU")).toBe(
      "A ___. The ___-3 is one; DPUs are many.",
    );
    expect(withoutTerm("C++ is C++17 or C++", "C++")).toBe("___ is C++17 or ___");
  });

  it("show a term, a meaning, or what the learner wrote", () => {
    const own = newOwnCard({ front: "Which port?", back: "4791", objective: "2.7" }, kNoon);
    const dpu = {
      term: "DPU",
      expands: "data processing unit",
      meaning: "The DPU serves.",
      lesson: "dpu",
      sources: [],
    };
    expect(recallText("term.dpu", [dpu], [])).toEqual({
      card: "term.dpu",
      asks: "meaning",
      front: "DPU",
      back: "The DPU serves.",
      expands: "data processing unit",
      lesson: "dpu",
      objective: "own",
    });
    expect(recallText("term.dpu.back", [dpu], [])).toMatchObject({
      asks: "term",
      front: "The ___ serves.",
      back: "DPU",
    });
    const text = recallText(ownCardId(own.id), [dpu], [own]);
    expect(text).toMatchObject({ asks: "own", front: "Which port?", back: "4791", objective: "2.7" });
    expect([recallText("term.gone", [dpu], [own]), recallText("own.gone", [dpu], [own])]).toEqual([
      undefined,
      undefined,
    ]);
    if (text === undefined) return;
    const lines = ankiText([withOwnNote(recallNote(text, "nca-aiio"), "Remember\nit")], "Deck")
      .trimEnd()
      .split("\n");
    expect(lines.at(-1)).toBe(
      `podwright/own.${own.id}\tDeck\tWhich port?\t4791<br><br>Remember<br>it\tnca-aiio own objective-2.7`,
    );
  });
});

describe("a session of terms", () => {
  it("brings a few new ones by the weight of their objectives, from the term to its meaning", () => {
    const { cards, data } = played("terms", kNothing, { seconds: 5 });
    expect(cards).toHaveLength(kNewAtOnce);
    expect(cards.filter((card) => card.endsWith(".back"))).toEqual([]);
    const byDomain = new Map<string, number>();
    for (const card of cards) {
      const of = terms.find(({ term }) => termCard(term) === card)?.objective ?? "";
      byDomain.set(domainOf(of), (byDomain.get(domainOf(of)) ?? 0) + 1);
    }
    for (const { id, weight } of blueprint.domains)
      expect(Math.abs((byDomain.get(id) ?? 0) - weight * kNewAtOnce)).toBeLessThan(1.5);
    expect(deckCounts(source(data, kNoon + 1).deck, "terms", kNoon + 1)).toEqual({
      fresh: 2 * terms.length - kNewAtOnce,
      due: 0,
      known: kNewAtOnce,
    });
  });

  it("asks again what was forgotten once its minute is over, and what is due before anything new", () => {
    const { cards } = played("terms", kNothing, { seconds: 30, grade: 1, minutes: 4 });
    expect(new Set(cards).size).toBeLessThan(cards.length);
    const days = kNoon - 30 * kDayMs;
    const seen = [graded(firstTerm, days, { grade: 4 })];
    const [first] = played("terms", { ...kNothing, reviews: seen }, { minutes: 1 }).cards;
    expect(first).toBe(firstTerm);
  });

  it("has the other direction once the first is known over days, and never both in one session", () => {
    const seen = terms.filter(({ term }) => term.startsWith("alpha")).map(({ term }) => termCard(term));
    const before = { ...kNothing, reviews: seen.map((card) => graded(card, kNoon - kDayMs, { grade: 4 })) };
    const { cards } = played("terms", before, { seconds: 5 });
    expect(cards).toHaveLength(kNewAtOnce);
    expect(cards.every((card) => seen.some((one) => card === `${one}.back`))).toBe(true);
    const due = { ...kNothing, reviews: [graded(firstTerm, kNoon - 60 * kDayMs, { grade: 4 })] };
    const both = played("terms", due, { seconds: 5 }).cards;
    expect(both).toContain(firstTerm);
    expect(both).not.toContain(`${firstTerm}.back`);
  });

  it("never asks what is suspended", () => {
    const data = { ...kNothing, marks: [markSet(kNothing, firstTerm, "suspended", true, kNoon)] };
    expect(played("terms", kNothing).cards).toContain(firstTerm);
    expect(played("terms", data).cards).not.toContain(firstTerm);
  });

  it("keeps over a reload that a card was turned, and the time until then", () => {
    const turned = changed(begun(startSession("terms", 20, kNoon), firstTerm, 1, kNoon), kNoon, {
      turned: true,
      seconds: 4,
    });
    const later = kNoon + 90_000;
    expect(readSession(JSON.stringify(keptSession(turned, later)), later)?.current).toMatchObject({
      turned: true,
      seconds: 4,
    });
  });
});

describe("own cards", () => {
  const own = [0, 1, 2].map((i) => newOwnCard({ front: `f${i}`, back: "b" }, kNoon + i));
  it("come in the order in which they were made", () => {
    const { cards } = played("own", { ...kNothing, own: [...own].reverse() });
    expect(cards).toEqual(own.map(({ id }) => ownCardId(id)));
  });
});

describe("a daily session", () => {
  const learned = terms.slice(0, 60).map(({ term }) => graded(termCard(term), kNoon - 60 * kDayMs, { grade: 4 }));

  it("brings due recall cards in a share of its time, and none that is new", () => {
    const { cards } = played("plan", { ...kNothing, reviews: learned }, { seconds: 15 });
    const recall = cards.filter(isRecallCard);
    expect(recall.length).toBeGreaterThan(5);
    expect(recall.length * 20).toBeLessThanOrEqual(20 * 60 * kRecallShare + 20);
    expect(recall.every((card) => learned.some((one) => one.card === card))).toBe(true);
    expect(cards.filter(isQuestionCard).length).toBeGreaterThan(recall.length);
    expect(played("plan", kNothing).cards.filter(isRecallCard)).toEqual([]);
  });

  it.each([undefined, kNoon + 20 * kDayMs])("asks due questions first, with an exam at %s", (examAt) => {
    const due = blueprint.objectives.map(({ id }) => graded(`${id}-w0`, kNoon - 90 * kDayMs, { objective: id }));
    const data = { ...kNothing, reviews: [...learned, ...due], settings: examAt === undefined ? {} : { examAt } };
    const { cards } = played("plan", data, { seconds: 10, minutes: 40 });
    const first = cards.findIndex(isRecallCard);
    expect(first).toBeGreaterThan(0);
    const dueBefore = new Set(due.map(({ card }) => card));
    expect(cards.slice(0, first).every((card) => dueBefore.has(card))).toBe(true);
    expect(cards.slice(first).filter((card) => dueBefore.has(card))).toEqual([]);
  });
});

describe("what recall cards and suspended ones do to the rest", () => {
  const recall = Array.from({ length: 40 }, (_, i) =>
    graded(termCard(terms[i]?.term ?? ""), kNoon - i, { seconds: 1 }),
  );
  const asked = [
    graded("1.1-w0", kNoon - 5 * kDayMs),
    graded("2.1-w0", kNoon - 4 * kDayMs, { right: false, grade: 1 }),
  ];

  it("is nothing in abilities, readiness, first answers and habits", () => {
    const [without, together] = [asked, [...asked, ...recall]].map((reviews) => ({ ...kNothing, reviews }));
    if (without === undefined || together === undefined) return;
    const [one, other] = [learnerOf(pack, without, kNoon), learnerOf(pack, together, kNoon)];
    expect([...other.abilities]).toEqual([...one.abilities]);
    expect(other.planned).toEqual(one.planned);
    expect(readyTotal(other, kNoon)).toBe(readyTotal(one, kNoon));
    expect(freshAnswers(examKind(pack), together)).toEqual(freshAnswers(examKind(pack), without));
    expect(habits(together.reviews)).toEqual(habits(without.reviews));
  });

  it("is that a suspended question is neither planned nor asked in any kind of session", () => {
    const cards = pack.written["1.1"]?.map(({ id }) => id) ?? [];
    const marks = cards.map((card) => markSet(kNothing, card, "suspended", true, kNoon));
    const data = { ...kNothing, reviews: asked, marks };
    const learner = learnerOf(pack, data, kNoon);
    expect(learner.planned.some(({ id }) => cards.includes(id))).toBe(false);
    expect([...learner.states.keys()]).toEqual(["2.1-w0"]);
    expect([...learner.weights.values()].reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
    for (const kind of ["plan", "placement"] as const)
      expect(played(kind, data, { minutes: 60 }).cards.filter((card) => cards.includes(card))).toEqual([]);
    const session = startSession("objective", 60, kNoon, "1.1");
    expect(nextCard(source(data, kNoon), session, kNoon)).toBeUndefined();
  });
});
