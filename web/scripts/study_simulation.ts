/**
 * Does studying towards the date of an exam pay? Simulated learners study the same cards for the same time every day in two ways: by what a review
 * adds on the day of the exam (exam_plan.ts), and at a fixed retention of 90 %. Their memories follow FSRS-6 with parameters of their own, which
 * the plan does not know: it assumes the published defaults. Same seed, same table.
 *
 *   node scripts/study_simulation.ts [learners] [file]
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { default_w } from "ts-fsrs";
import { type Blueprint, objectiveWeights } from "../src/study/blueprint.ts";
import {
  type PlannedCard,
  type PlannedReview,
  type PlanSettings,
  reviewsAtRetention,
  reviewsForExam,
  type Weights,
  weightedRecall,
} from "../src/study/exam_plan.ts";
import {
  fsrsScheduler,
  type Grade,
  kAgain,
  kDayMs,
  kEasy,
  kGood,
  kHard,
  type Memory,
  type MemoryModel,
} from "../src/study/scheduler.ts";
import { writePart } from "./page_part.ts";

export interface Scenario {
  /** Days until the exam, one session on each. */
  days: number;
  minutesPerDay: number;
  cardsPerObjective: number;
}

/** One way of study over all learners: mean recall, weighted by the blueprint, by their true memories on the day of the exam. */
export interface WayOutcome {
  recall: number;
  hours: number;
  /** Mean of exam mode minus this way, its standard error, and the share of learners for whom it is above 0. */
  behind: number;
  standardError: number;
  better: number;
}

export interface Outcome {
  examMode: WayOutcome;
  /** Retention 90 %, due cards before new ones, and the other way round; left time goes to cards that are next to come. */
  dueFirst: WayOutcome;
  newFirst: WayOutcome;
}

/** A number in 0..1 that depends on its keys alone, so that both ways of study meet the same luck. */
function chance(...keys: readonly number[]): number {
  let state = 0x9e3779b9;
  for (const key of keys) {
    state = Math.imul(state ^ (key + 0x85ebca6b), 0xc2b2ae35);
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    state ^= state >>> 12;
  }
  state = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
  return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32;
}

/** A standard normal number of the keys (Box-Muller). */
const normal = (...keys: readonly number[]) =>
  Math.sqrt(-2 * Math.log(1 - chance(...keys, 1))) * Math.cos(2 * Math.PI * chance(...keys, 2));

const blueprint = JSON.parse(
  readFileSync(new URL("../../core/study/data/blueprints/nca-aiio.json", import.meta.url), "utf8"),
) as Blueprint;

const kNewSeconds = 60;
const kReviewSeconds = 25;
/** What the plan believes of a card never seen; learners differ (0.2 to 0.7). */
const kBelievedNewRecall = 0.45;

interface Learner {
  seed: number;
  newRecall: number;
  /** How the learner's memory really works. */
  truth: MemoryModel;
}

/** First stabilities, growth and forgetting differ between learners; each keeps within what FSRS-6 allows. */
function learnerOf(seed: number): Learner {
  const quick = Math.exp(0.5 * normal(seed, 11));
  const parameters = default_w.map((value, i) => {
    if (i < 4) return Math.min(100, value * quick);
    if (i === 8) return value + 0.25 * normal(seed, 12);
    if (i === 11) return value * Math.exp(0.3 * normal(seed, 13));
    if (i === 20) return Math.min(0.8, Math.max(0.1, value * Math.exp(0.3 * normal(seed, 14))));
    return value;
  });
  return {
    seed,
    newRecall: 0.2 + 0.5 * chance(seed, 15),
    truth: fsrsScheduler({ parameters, shortSteps: false }),
  };
}

const cardsOf = ({ cardsPerObjective }: Scenario): PlannedCard[] =>
  blueprint.objectives.flatMap(({ id }) =>
    Array.from({ length: cardsPerObjective }, (_, i) => ({ id: `${id}/${i}`, objective: id })),
  );

type Choose = (
  model: MemoryModel,
  cards: readonly PlannedCard[],
  weights: Weights,
  day: PlanSettings,
) => PlannedReview[];

/** What the learner answers: right as often as the true memory says, and then mostly Good. */
function answered(
  { seed, truth, newRecall }: Learner,
  card: PlannedCard,
  place: number,
  turn: number,
  now: number,
): Grade {
  const { memory, last } = card;
  const recall =
    memory === undefined || last === undefined ? newRecall : truth.recallAfter(memory, (now - last) / kDayMs);
  if (chance(seed, place, turn, 21) >= recall) return kAgain;
  const how = chance(seed, place, turn, 22);
  return how < 0.12 ? kHard : how < 0.92 ? kGood : kEasy;
}

/** Studies until the exam; gives true weighted recall on its day and the seconds that went into it. */
function study(learner: Learner, scenario: Scenario, weights: Weights, belief: MemoryModel, choose: Choose) {
  const examAt = scenario.days * kDayMs;
  const believed = cardsOf(scenario);
  const actual = cardsOf(scenario);
  const places = new Map(believed.map(({ id }, place) => [id, place]));
  const turns = believed.map(() => 0);
  let seconds = 0;
  for (let now = 0; now < examAt; now += kDayMs) {
    const chosen = choose(belief, believed, weights, {
      now,
      examAt,
      seconds: scenario.minutesPerDay * 60,
      reviewSeconds: kReviewSeconds,
      newSeconds: kNewSeconds,
      newRecall: kBelievedNewRecall,
    });
    for (const review of chosen) {
      const place = places.get(review.card.id) ?? 0;
      const [own, seen] = [actual[place], believed[place]];
      if (own === undefined || seen === undefined) continue;
      const turn = turns[place] ?? 0;
      const grade = answered(learner, own, place, turn, now);
      const after = (model: MemoryModel, memory: Memory | undefined) =>
        model.reviewed(memory, own.last === undefined ? 0 : (now - own.last) / kDayMs, grade);
      actual[place] = { ...own, memory: after(learner.truth, own.memory), last: now };
      believed[place] = { ...seen, memory: after(belief, seen.memory), last: now };
      turns[place] = turn + 1;
      seconds += review.seconds;
    }
  }
  return { recall: weightedRecall(learner.truth, actual, weights, examAt), hours: seconds / 3600 };
}

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

export function simulate(learners: number, scenario: Scenario): Outcome {
  const belief = fsrsScheduler({ shortSteps: false });
  const weights = objectiveWeights(
    blueprint,
    blueprint.objectives.map(({ id }) => id),
  );
  const all = Array.from({ length: learners }, (_, i) => learnerOf(i + 1));
  const by = (choose: Choose) => all.map((learner) => study(learner, scenario, weights, belief, choose));
  const examMode = by(reviewsForExam);
  const outcome = (way: ReturnType<typeof by>): WayOutcome => {
    const behind = way.map(({ recall }, i) => (examMode[i]?.recall ?? Number.NaN) - recall);
    return {
      recall: mean(way.map(({ recall }) => recall)),
      hours: mean(way.map(({ hours }) => hours)),
      behind: mean(behind),
      standardError: Math.sqrt(mean(behind.map((one) => (one - mean(behind)) ** 2)) / learners),
      better: mean(behind.map((one) => Number(one > 0))),
    };
  };
  const fixed = (newFirst: boolean) =>
    outcome(by((model, cards, _, day) => reviewsAtRetention(model, cards, day, { newFirst, fill: true })));
  return { examMode: outcome(examMode), dueFirst: fixed(false), newFirst: fixed(true) };
}

const kScenarios: readonly Scenario[] = [
  { days: 14, minutesPerDay: 20, cardsPerObjective: 10 },
  { days: 30, minutesPerDay: 10, cardsPerObjective: 10 },
  { days: 30, minutesPerDay: 20, cardsPerObjective: 10 },
  { days: 60, minutesPerDay: 10, cardsPerObjective: 10 },
  { days: 60, minutesPerDay: 20, cardsPerObjective: 10 },
];

/** The table, a line for each scenario. */
function table(learners: number): string[] {
  const percent = (share: number, digits = 1) => `${(100 * share).toFixed(digits)} %`;
  const fixedCells = ({ recall, behind, standardError, better }: WayOutcome) => [
    percent(recall),
    `${(100 * behind).toFixed(2)} ± ${(100 * standardError).toFixed(2)}`,
    percent(better, 0),
  ];
  const rows = kScenarios.map((scenario) => {
    const { examMode, dueFirst, newFirst } = simulate(learners, scenario);
    const cells = [
      scenario.days,
      scenario.minutesPerDay,
      percent(examMode.recall),
      ...fixedCells(dueFirst),
      ...fixedCells(newFirst),
      [examMode, dueFirst, newFirst].map(({ hours }) => hours.toFixed(2)).join(", "),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    `${learners} learners each; weighted recall on the day of the exam; differences in percentage points, ± standard error`,
    "",
    "| days | minutes a day | exam mode | 90 %, due first | difference | better for | 90 %, new first | difference | better for | hours |",
    "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ...rows,
  ];
}

function run(learners: number, file: string | undefined): void {
  const lines = table(learners);
  console.log(lines.join("\n"));
  if (file !== undefined) writePart(file, "schedule", lines);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) run(Number(process.argv[2] ?? 1000), process.argv[3]);
