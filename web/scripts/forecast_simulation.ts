/**
 * Does the forecast of the exam hold? Simulated learners answer questions of the exam's kind, are told their chance to pass by the code of the page,
 * and then take exams whose questions are new to them. What the forecast assumes is not how they are made: they guess and slip, questions are
 * harder or easier than their features say, abilities differ between domains and objectives, and some grow while they learn. Same seeds, same table.
 *
 *   node scripts/forecast_simulation.ts [learners] [file]
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { difficultyPrior } from "../src/study/ability.ts";
import { type Blueprint, domainOf, questionsByDomain } from "../src/study/blueprint.ts";
import { type ExamForecast, examForecast } from "../src/study/exam_forecast.ts";
import { type ExamKind, type FreshAnswer, freshAnswers } from "../src/study/exam_kind.ts";
import { passCount } from "../src/study/exam_result.ts";
import type { StudyCard } from "../src/study/learner.ts";
import type { Review } from "../src/study/log.ts";
import { writePart } from "./page_part.ts";

const blueprint = JSON.parse(
  readFileSync(new URL("../../core/study/data/blueprints/nca-aiio.json", import.meta.url), "utf8"),
) as Blueprint;

/** How learners of a kind are made; abilities and their deviations in logits. */
export interface LearnerKind {
  name: string;
  /** Questions of the exam's kind that are answered. */
  answers: number;
  /** Deviation of what the objectives of a domain share, and of what each has of its own. */
  domain: number;
  own: number;
  /** How much the ability grows from the first answer to the last, fast at first. */
  growth: number;
  /** Chance that what is known is answered wrongly. */
  slip: number;
  /** Every question is asked again so often, and then mostly remembered. */
  repeats: number;
}

const kSteady: LearnerKind = { name: "steady", answers: 150, domain: 0.4, own: 0.4, growth: 0, slip: 0.02, repeats: 0 };

export const kLearnerKinds: readonly LearnerKind[] = [
  kSteady,
  { ...kSteady, name: "improving", answers: 200, growth: 1.5 },
  { ...kSteady, name: "uneven domains", domain: 1.2, own: 0.8 },
  { ...kSteady, name: "slips", slip: 0.1 },
  { ...kSteady, name: "few answers", answers: 40 },
  { ...kSteady, name: "many answers", answers: 400 },
  { ...kSteady, name: "repeaters", answers: 100, repeats: 4 },
];

/** Abilities of people who prepare for this exam: some would fail it, most are near its mark. */
const kPeople = { mean: 0.7, deviation: 0.9 };
/** Four options: who does not know guesses. */
const kGuess = 0.22;
/** Difficulties of questions: by level, and of their own. */
const kByLevel = 0.5;
const kOfItsOwn = 0.8;
/** Recall of a question that was asked before. */
const kRemembered = 0.92;
const kQuestionsOfObjective = 20;
const kExams = 20;

/** Numbers from 0 to 1 of a seed (mulberry32). */
class Luck {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  /** Standard normal. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }
  whole(below: number): number {
    return Math.floor(this.next() * below);
  }
  shuffled<One>(all: readonly One[]): One[] {
    const list = [...all];
    for (let i = list.length - 1; i > 0; i -= 1) {
      const j = this.whole(i + 1);
      [list[i], list[j]] = [list[j] as One, list[i] as One];
    }
    return list;
  }
}

/** Levels of the questions that the site has, about. */
const levelOf = (luck: Luck) => {
  const at = luck.next();
  return at < 0.4 ? 1 : at < 0.8 ? 2 : 3;
};
const trueDifficulty = (luck: Luck, level: number) => kByLevel * (level - 2) + kOfItsOwn * luck.normal();

interface Question {
  card: StudyCard;
  difficulty: number;
}

/** The site's questions: the same for everybody. */
function questionsOfSite(): Question[] {
  const luck = new Luck(7);
  return blueprint.objectives.flatMap(({ id }) =>
    Array.from({ length: kQuestionsOfObjective }, (_, i) => {
      const level = levelOf(luck);
      const card = { id: `${id}/${i}`, objective: id, difficulty: difficultyPrior({ level }) };
      return { card, difficulty: trueDifficulty(luck, level) };
    }),
  );
}

const kQuestions = questionsOfSite();
const kSums: readonly StudyCard[] = Array.from({ length: 12 }, (_, i) => ({
  id: `sum/${i}`,
  objective: "2.3",
  difficulty: difficultyPrior({ level: 2, trap: true }),
}));
const kKind: ExamKind = {
  concepts: new Map(kQuestions.map(({ card }) => [card.id, card])),
  sums: new Map(kSums.map((card) => [card.id, card])),
};

interface Learner {
  kind: LearnerKind;
  /** By objective, at the end. */
  abilities: Map<string, number>;
  /** Chance at a sum. */
  sums: number;
}

function learnerOf(kind: LearnerKind, luck: Luck): Learner {
  const shared = kPeople.mean + kPeople.deviation * luck.normal();
  const ofDomain = new Map(blueprint.domains.map(({ id }) => [id, kind.domain * luck.normal()]));
  const abilities = blueprint.objectives.map(({ id }): [string, number] => [
    id,
    shared + (ofDomain.get(domainOf(id)) ?? 0) + kind.own * luck.normal(),
  ]);
  return { kind, abilities: new Map(abilities), sums: 0.2 + 0.7 * luck.next() };
}

/** The chance to answer a question rightly that was never asked before. `done` is the share of the way that lies behind the learner. */
function chanceAt({ kind, abilities }: Learner, objective: string, difficulty: number, done: number): number {
  const missing = (kind.growth * (Math.exp(-2 * done) - Math.exp(-2))) / (1 - Math.exp(-2));
  const knows = 1 / (1 + Math.exp(difficulty - (abilities.get(objective) ?? 0) + missing));
  return knows * (1 - kind.slip) + (1 - knows) * kGuess;
}

/** Questions in the order in which a learner meets them: domains by weight, objectives of a domain alike. */
function met(luck: Luck, count: number): Question[] {
  const waiting = new Map<string, Question[]>();
  for (const one of luck.shuffled(kQuestions))
    waiting.set(one.card.objective, [...(waiting.get(one.card.objective) ?? []), one]);
  const order: Question[] = [];
  while (order.length < count) {
    const at = luck.next();
    let sum = 0;
    const domain = blueprint.domains.find(({ weight }) => {
      sum += weight;
      return at < sum;
    });
    const own = blueprint.objectives.filter(({ id }) => domainOf(id) === domain?.id);
    const next = waiting.get(own[luck.whole(own.length)]?.id ?? "")?.pop();
    if (next !== undefined) order.push(next);
  }
  return order;
}

const reviewOf = (card: StudyCard, right: boolean, time: number): Review => ({
  id: `${card.id} ${time}`,
  card: card.id,
  question: card.id,
  objective: card.objective,
  time,
  grade: right ? 3 : 1,
  right,
  answer: [0],
  seconds: 40,
});

/** What the learner's log has in the end: every question at first sight, and again later where the kind asks for it; some sums in between. */
function logOf(learner: Learner, luck: Luck): Review[] {
  const { answers, repeats } = learner.kind;
  const log: Review[] = [];
  let time = 0;
  const add = (card: StudyCard, chance: number) => {
    time += 1;
    log.push(reviewOf(card, luck.next() < chance, time));
  };
  met(luck, answers).forEach(({ card, difficulty }, i) => {
    add(card, chanceAt(learner, card.objective, difficulty, i / answers));
  });
  for (const card of kSums.slice(0, 6)) add(card, learner.sums);
  const first = log.slice(0, answers);
  for (let round = 0; round < repeats; round += 1)
    for (const { card } of first) add(kKind.concepts.get(card) as StudyCard, kRemembered);
  return log;
}

/** The places of an exam's form: 19, 20 and 11, objectives in turns, up to three of them sums. */
function takesExam(learner: Learner, luck: Luck): boolean {
  const places = [...questionsByDomain(blueprint, blueprint.exam.questions)].flatMap(([domain, count]) => {
    const own = luck.shuffled(blueprint.objectives.filter(({ id }) => domainOf(id) === domain));
    return Array.from({ length: count }, (_, i) => own[i % own.length]?.id ?? "");
  });
  const sums = luck.whole(blueprint.exam.calculations + 1);
  const right = luck.shuffled(places).filter((objective, place) => {
    const difficulty = trueDifficulty(luck, levelOf(luck));
    return luck.next() < (place < sums ? learner.sums : chanceAt(learner, objective, difficulty, 1));
  });
  return right.length >= passCount(blueprint);
}

/** Which answers a forecast is made of; the page takes the first at each question. */
export type Rule = "first answers" | "all answers" | "latest answers";
export const kRules: readonly Rule[] = ["first answers", "all answers", "latest answers"];

function answersBy(rule: Rule, log: readonly Review[]) {
  const { concepts, sums } = freshAnswers(kKind, { reviews: log, exams: [], answers: [] });
  if (rule === "first answers") return { concepts, sums };
  const all = log.flatMap(({ card, right, time }): FreshAnswer[] => {
    const concept = kKind.concepts.get(card);
    return concept === undefined ? [] : [{ card: concept, right, time }];
  });
  const latest = () => [...new Map(all.map((one) => [one.card.id, one])).values()];
  return { concepts: rule === "all answers" ? all : latest(), sums };
}

/** What one learner was told, and the share of the exams that were passed. */
export interface Told {
  forecast: ExamForecast;
  passed: number;
}

/** Not among the seeds 1 to 3, at which the move of an ability between answers was chosen. */
const kSeed = 101;

/** Learners of a kind, from seeds of their own. */
export function toldLearners(kind: LearnerKind, learners: number, rule: Rule = "first answers", seed = kSeed): Told[] {
  return Array.from({ length: learners }, (_, i) => {
    const luck = new Luck(seed * 1_000_003 + i);
    const learner = learnerOf(kind, luck);
    const log = logOf(learner, luck);
    const forecast = examForecast(blueprint, kKind, answersBy(rule, log));
    if (forecast === undefined) throw new Error(`${kind.name}: ${kind.answers} answers give no forecast`);
    const passed = Array.from({ length: kExams }, () => takesExam(learner, luck)).filter(Boolean).length / kExams;
    return { forecast, passed };
  });
}

export interface Band {
  from: number;
  learners: number;
  /** Means of what was told, and of what was passed. */
  told: number;
  passed: number;
}

const kBand = 0.1;

/** Learners by what they were told, in tenths. */
export function bandsOf(all: readonly Told[]): Band[] {
  return Array.from({ length: 10 }, (_, i) => {
    const own = all.filter(({ forecast }) => Math.min(9, Math.floor(forecast.chance / kBand)) === i);
    const mean = (of: (one: Told) => number) => own.reduce((sum, one) => sum + of(one), 0) / own.length;
    return {
      from: i / 10,
      learners: own.length,
      told: mean(({ forecast }) => forecast.chance),
      passed: mean(({ passed }) => passed),
    };
  });
}

const percent = (share: number) => `${Math.round(100 * share)}`;

/** A line for each kind, and for each rule where questions are asked again: share passed in each band, and the number of learners in it. */
function table(learners: number): string[] {
  const heads = Array.from({ length: 10 }, (_, i) => `${10 * i}-${10 * (i + 1)}`);
  const row = (name: string, told: readonly Told[]) => {
    const cells = bandsOf(told).map((band) =>
      band.learners === 0 ? "" : `${percent(band.passed)} (${band.learners})`,
    );
    return `| ${[name, ...cells].join(" | ")} |`;
  };
  const others = kLearnerKinds.filter(({ repeats }) => repeats > 0);
  return [
    `${learners} learners of each kind, ${kExams} exams each. Columns: the chance that they were shown, in %; cells: exams passed`,
    "in %, with the number of learners.",
    "",
    `| learners | ${heads.join(" | ")} |`,
    `|---|${"---:|".repeat(10)}`,
    ...kLearnerKinds.map((kind) => row(kind.name, toldLearners(kind, learners))),
    ...others.flatMap((kind) =>
      kRules.slice(1).map((rule) => row(`${kind.name}, ${rule}`, toldLearners(kind, learners, rule))),
    ),
  ];
}

function run(learners: number, file: string | undefined): void {
  const lines = table(learners);
  console.log(lines.join("\n"));
  if (file !== undefined) writePart(file, "forecast", lines);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) run(Number(process.argv[2] ?? 1000), process.argv[3]);
