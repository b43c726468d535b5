/**
 * The chance to pass: the exam's questions, new to the learner, at the abilities that the answers leave likely. What is not known of the abilities
 * matters by how it moves the sum of the exam, so one direction of it is looked along: that in which the expected sum grows.
 */
import { chanceRight, type Estimate } from "./ability.ts";
import { type Blueprint, domainOf, objectiveWeights, questionsByDomain } from "./blueprint.ts";
import { type ExamAbility, type ExamAnswered, examAbility } from "./exam_ability.ts";
import type { ExamKind, FreshAnswer } from "./exam_kind.ts";
import { binomial, convolved, passCount, quantile, tail } from "./exam_result.ts";

/** Below this many answers at questions of the exam's kind nothing is foretold. */
export const kForecastAnswers = 40;

export interface ExamForecast {
  /** Over all that the answers leave open. */
  chance: number;
  /** 90 % interval of the chance: at an ability that is unlikely low, and unlikely high. */
  chanceLow: number;
  chanceHigh: number;
  /** Right answers: mean, and the 90 % interval. */
  expected: number;
  low: number;
  high: number;
  needed: number;
  questions: number;
}

/** The 95 % point of the standard normal distribution: two-sided 90 %. */
const kZ = 1.6448536269514722;
/** Points of the standard normal distribution, and their weights. */
const kPoints = Array.from({ length: 17 }, (_, i) => (i - 8) / 2);
const kWeights = kPoints.map((z) => Math.exp((-z * z) / 2));
const kWeightSum = kWeights.reduce((sum, one) => sum + one, 0);

/** Questions of one difficulty, and which share of all they are. */
interface Shared {
  difficulty: Estimate;
  share: number;
}

/** Difficulties of the questions that each objective can be asked; equal ones stand together. */
export function difficultiesOf(cards: Iterable<{ objective: string; difficulty: Estimate }>): Map<string, Shared[]> {
  const byObjective = new Map<string, Estimate[]>();
  for (const { objective, difficulty } of cards)
    byObjective.set(objective, [...(byObjective.get(objective) ?? []), difficulty]);
  const shared = (all: readonly Estimate[]) => {
    const counts = new Map<number, Shared>();
    for (const difficulty of all) {
      const share = (counts.get(difficulty.mean)?.share ?? 0) + 1 / all.length;
      counts.set(difficulty.mean, { difficulty, share });
    }
    return [...counts.values()];
  };
  return new Map([...byObjective].map(([objective, all]) => [objective, shared(all)]));
}

/** Of an objective without questions. */
const kMedium: readonly Shared[] = [{ difficulty: { mean: 0, deviation: 0 }, share: 1 }];

/** The mean chance at an ability that is known within a variance (logistic-normal approximation). */
const meanChance = (ability: number, variance: number, items: readonly Shared[]) =>
  items.reduce((sum, { difficulty: { mean, deviation }, share }) => {
    const shrink = Math.sqrt(1 + (Math.PI * (variance + deviation ** 2)) / 8);
    return sum + share * chanceRight((ability - mean) / shrink, 0);
  }, 0);

/** The direction of what is not known in which the exam's sum grows most: by how much each ability moves with it. */
function alongSum({ objectives, mean, covariance }: ExamAbility, weight: (objective: string) => number): number[] {
  const slopes = objectives.map((objective, i) => {
    const chance = chanceRight(mean[i] ?? 0, 0);
    return weight(objective) * chance * (1 - chance);
  });
  const count = objectives.length;
  const moved = objectives.map((_, i) =>
    slopes.reduce((sum, slope, j) => sum + (covariance[i * count + j] ?? 0) * slope, 0),
  );
  const variance = moved.reduce((sum, one, i) => sum + one * (slopes[i] ?? 0), 0);
  return moved.map((one) => one / Math.sqrt(variance));
}

/** What an exam asks of each domain. */
interface Asked {
  blueprint: Blueprint;
  difficulties: ReadonlyMap<string, readonly Shared[]>;
}

/** Chances of a question of each domain to be answered rightly, as a function of where the abilities are along the direction of the sum. */
function domainChances({ blueprint, difficulties }: Asked, ability: ExamAbility): (z: number) => Map<string, number> {
  const { objectives, mean, covariance, sums } = ability;
  const weights = objectiveWeights(blueprint, objectives);
  const along = alongSum(ability, (objective) => weights.get(objective) ?? 0);
  const count = objectives.length;
  // A sum stands in the place of a concept: on average so many of all questions.
  const sumShare = blueprint.exam.calculations / 2 / blueprint.exam.questions;
  const sumChance = meanChance(sums.mean, sums.deviation ** 2, kMedium);
  return (z) => {
    const chances = objectives.map((objective, i) => {
      const move = along[i] ?? 0;
      const left = Math.max(0, (covariance[i * count + i] ?? 0) - move ** 2);
      const chance = meanChance((mean[i] ?? 0) + z * move, left, difficulties.get(objective) ?? kMedium);
      return { domain: domainOf(objective), chance: (1 - sumShare) * chance + sumShare * sumChance };
    });
    const meanOf = (id: string) => {
      const own = chances.filter(({ domain }) => domain === id);
      return own.reduce((sum, { chance }) => sum + chance, 0) / Math.max(1, own.length);
    };
    return new Map(blueprint.domains.map(({ id }) => [id, meanOf(id)]));
  };
}

/** The forecast of an ability, without asking whether enough was answered. */
export function forecastOf(asked: Asked, ability: ExamAbility): ExamForecast {
  const { blueprint } = asked;
  const questions = [...questionsByDomain(blueprint, blueprint.exam.questions)];
  const needed = passCount(blueprint);
  const chancesAt = domainChances(asked, ability);
  const rightAt = (z: number) => {
    const chances = chancesAt(z);
    return questions.map(([domain, count]) => binomial(count, chances.get(domain) ?? 0)).reduce(convolved, [1]);
  };
  const all = kPoints.map(rightAt);
  const mixed = Array.from({ length: blueprint.exam.questions + 1 }, (_, right) =>
    all.reduce((sum, one, i) => sum + ((kWeights[i] ?? 0) / kWeightSum) * (one[right] ?? 0), 0),
  );
  return {
    chance: tail(mixed, needed),
    chanceLow: tail(rightAt(-kZ), needed),
    chanceHigh: tail(rightAt(kZ), needed),
    expected: mixed.reduce((sum, p, right) => sum + p * right, 0),
    low: quantile(mixed, 0.05),
    high: quantile(mixed, 0.95),
    needed,
    questions: blueprint.exam.questions,
  };
}

const answeredOf = ({ card: { objective, difficulty }, right }: FreshAnswer): ExamAnswered => ({
  objective,
  difficulty,
  right,
});

/** What answers at questions that were new say of the exam; undefined where they are too few. */
export function examForecast(
  blueprint: Blueprint,
  kind: ExamKind,
  { concepts, sums }: { concepts: readonly FreshAnswer[]; sums: readonly FreshAnswer[] },
): ExamForecast | undefined {
  if (concepts.length < kForecastAnswers) return undefined;
  const ability = examAbility(blueprint, concepts.map(answeredOf), sums.map(answeredOf));
  return forecastOf({ blueprint, difficulties: difficultiesOf(kind.concepts.values()) }, ability);
}
