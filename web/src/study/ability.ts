/**
 * How able the learner is in each domain, how hard each item is, and which item to ask next. One-parameter (Rasch) model: a learner of ability a
 * answers an item of difficulty b rightly with probability 1 / (1 + exp(b - a)). Both are kept as a mean with a standard deviation and updated
 * after each answer, as Elo ratings are, but by a step that shrinks as they become known. There is no crowd: a difficulty is a prior made
 * from what an item is.
 */
import { type Blueprint, domainOf } from "./blueprint.ts";

/** A number that is known within bounds: mean and standard deviation of a normal distribution, in logits. */
export interface Estimate {
  mean: number;
  deviation: number;
}

/** Before the first answer: anything from knowing little to knowing most. */
export const kUnknownAbility: Estimate = { mean: 0, deviation: 1.5 };

export const chanceRight = (ability: number, difficulty: number) => 1 / (1 + Math.exp(difficulty - ability));

/** An estimate after a right or wrong answer, with the other side taken as known: the mode of the posterior, and its curvature. */
function updated({ mean, deviation }: Estimate, against: number, right: boolean): Estimate {
  const precision = 1 / deviation ** 2;
  let mode = mean;
  let chance = chanceRight(mode, against);
  // Newton's steps; the posterior is log-concave, and six settle it to the last digits.
  for (let i = 0; i < 6; i += 1) {
    mode -= (precision * (mode - mean) - (Number(right) - chance)) / (precision + chance * (1 - chance));
    chance = chanceRight(mode, against);
  }
  return { mean: mode, deviation: 1 / Math.sqrt(precision + chance * (1 - chance)) };
}

/** How much an ability may have moved between two answers: it keeps the latest answers in sight. */
const kDrift = 0.05;

/** Ability after an answer at an item; what is not known of the item counts as doubt about the answer. */
export function abilityAfter(ability: Estimate, item: Estimate, right: boolean, drift = kDrift): Estimate {
  const drifted = { mean: ability.mean, deviation: Math.hypot(ability.deviation, drift) };
  return updated(drifted, flattened(ability.mean, item), right);
}

/** A difficulty that gives, at this ability, the chance that the doubtful one gives on average (logistic-normal approximation). */
function flattened(ability: number, { mean, deviation }: Estimate): number {
  const shrink = Math.sqrt(1 + (Math.PI * deviation ** 2) / 8);
  return ability + (mean - ability) / shrink;
}

/** What is known of an item before anyone has answered it. */
export interface ItemFeatures {
  /** 1 recall, 2 understanding, 3 reasoning over a situation. */
  level: number;
  /** Equations of the solution. */
  steps?: number;
  /** Changes between units (bits and bytes, decimal and binary). */
  conversions?: number;
  /** Wrong options beside the right one; fewer make guessing easier. */
  wrongOptions?: number;
  /** A known mistake leads to one of the options. */
  trap?: boolean;
  /** A number is written rather than chosen. */
  written?: boolean;
}

/** Weights of the features in logits: assumptions; the wide deviation says so. */
const kFeatureLogits = { level: 0.8, step: 0.15, conversion: 0.25, wrongOption: 0.1, trap: 0.35, written: 0.5 };
const kPriorDeviation = 0.8;

/** Difficulty before the first answer. Level 2 with one step and three wrong options stands at 0. */
export function difficultyPrior({
  level,
  steps = 1,
  conversions = 0,
  wrongOptions = 3,
  trap = false,
  written = false,
}: ItemFeatures): Estimate {
  const own = kFeatureLogits;
  const mean =
    own.level * (level - 2) +
    own.step * Math.max(0, steps - 1) +
    own.conversion * conversions +
    own.wrongOption * (wrongOptions - 3) +
    own.trap * Number(trap) +
    own.written * Number(written);
  return { mean, deviation: kPriorDeviation };
}

/** Something that can be asked. */
export interface Item {
  id: string;
  objective: string;
  difficulty: Estimate;
}

/** What an answer at an item would tell of an ability: Fisher information of the Rasch model, of a doubtful item at its flattened difficulty. */
export function information(ability: Estimate, { difficulty }: Item): number {
  const shrink = 1 + (Math.PI * difficulty.deviation ** 2) / 8;
  const chance = chanceRight(ability.mean, flattened(ability.mean, difficulty));
  return (chance * (1 - chance)) / shrink;
}

/** The key whose share of those asked is furthest below its weight. */
function largestDeficit(weights: readonly [string, number][], asked: (key: string) => number): string | undefined {
  const total = weights.reduce((sum, [key]) => sum + asked(key), 0);
  const all = weights.reduce((sum, [, weight]) => sum + weight, 0);
  const deficit = ([key, weight]: [string, number]) => (weight / all) * (total + 1) - asked(key);
  return [...weights].sort((a, b) => deficit(b) - deficit(a))[0]?.[0];
}

/**
 * The next item of an adaptive run: the most informative one that was not asked yet, in the objective furthest behind within the domain furthest
 * behind, so that a run of any length looks like the exam. Undefined once every item was asked.
 */
export function nextItem(
  blueprint: Blueprint,
  items: readonly Item[],
  asked: readonly Item[],
  abilities: ReadonlyMap<string, Estimate>,
): Item | undefined {
  const gone = new Set(asked.map(({ id }) => id));
  const left = items.filter(({ id }) => !gone.has(id));
  const objectivesLeft = new Set(left.map(({ objective }) => objective));
  const domainsLeft = new Set([...objectivesLeft].map(domainOf));
  const domain = largestDeficit(
    blueprint.domains.filter(({ id }) => domainsLeft.has(id)).map(({ id, weight }) => [id, weight]),
    (id) => asked.filter((one) => domainOf(one.objective) === id).length,
  );
  const objective = largestDeficit(
    blueprint.objectives.filter(({ id }) => domainOf(id) === domain && objectivesLeft.has(id)).map(({ id }) => [id, 1]),
    (id) => asked.filter((one) => one.objective === id).length,
  );
  const ability = (domain === undefined ? undefined : abilities.get(domain)) ?? kUnknownAbility;
  const worth = left
    .filter((one) => one.objective === objective)
    .map((item) => ({ item, gain: information(ability, item) }))
    .sort((a, b) => b.gain - a.gain || (a.item.id < b.item.id ? -1 : 1));
  return worth[0]?.item;
}

/** Questions of a placement: enough to see which domain is weak, few enough to be taken before anything else. */
export const kPlacementQuestions = 10;

export interface AnsweredItem {
  item: Item;
  right: boolean;
}

/** Abilities after answers, in their order. */
export function abilitiesAfter(answers: readonly AnsweredItem[]): Map<string, Estimate> {
  const abilities = new Map<string, Estimate>();
  for (const { item, right } of answers) {
    const domain = domainOf(item.objective);
    abilities.set(domain, abilityAfter(abilities.get(domain) ?? kUnknownAbility, item.difficulty, right));
  }
  return abilities;
}

/** The next question of a placement; undefined when it is over or there is nothing to ask. */
export function placementItem(
  blueprint: Blueprint,
  items: readonly Item[],
  answers: readonly AnsweredItem[],
): Item | undefined {
  if (answers.length >= kPlacementQuestions) return undefined;
  return nextItem(
    blueprint,
    items,
    answers.map(({ item }) => item),
    abilitiesAfter(answers),
  );
}
