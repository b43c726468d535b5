/**
 * How able the learner is at the exam's questions: one number for each objective, in logits, known together. Objectives of a domain resemble each
 * other, and so do, less, all of them, so an answer at one says something of the others. After each answer all may have moved a little: a learner
 * learns. Means and covariances of a normal distribution, updated at one objective as `abilityAfter` does and carried to the others by regression.
 */
import { abilityAfter, type Estimate, kUnknownAbility } from "./ability.ts";
import { type Blueprint, domainOf } from "./blueprint.ts";

/** Deviations of what all objectives share, what those of a domain share, and what each has of its own. */
interface Spread {
  all: number;
  domain: number;
  own: number;
}

/** Before the first answer. Assumptions; the simulation has learners that are more uneven, and less. */
const kPrior: Spread = { all: 1.1, domain: 0.5, own: 0.5 };
/** A mean at which passing and failing are about as likely. */
const kPriorMean = 0.6;
/** What an ability may move from one answer to the next. */
const kMove: Spread = { all: 0.06, domain: 0.02, own: 0.02 };

export interface ExamAbility {
  objectives: readonly string[];
  mean: Float64Array;
  /** Rows of `objectives.length`. */
  covariance: Float64Array;
  /** Of sums; no concept says anything of it. */
  sums: Estimate;
}

/** An answer at an item of an objective. */
export interface ExamAnswered {
  objective: string;
  difficulty: Estimate;
  right: boolean;
}

/** Covariances of a spread, in rows. */
function covarianceOf(domains: readonly string[], { all, domain, own }: Spread): Float64Array {
  const shared = (i: number, j: number) =>
    all ** 2 + (domains[i] === domains[j] ? domain ** 2 : 0) + (i === j ? own ** 2 : 0);
  return Float64Array.from(domains.flatMap((_, i) => domains.map((__, j) => shared(i, j))));
}

/** Abilities after answers, in their order. */
export function examAbility(
  { objectives }: Blueprint,
  concepts: readonly ExamAnswered[],
  sums: readonly ExamAnswered[] = [],
): ExamAbility {
  const names = objectives.map(({ id }) => id);
  const domains = names.map(domainOf);
  const count = names.length;
  const places = new Map(names.map((name, place) => [name, place]));
  const mean = new Float64Array(count).fill(kPriorMean);
  const covariance = covarianceOf(domains, kPrior);
  const move = covarianceOf(domains, kMove);
  const along = new Float64Array(count);
  for (const { objective, difficulty, right } of concepts) {
    const at = places.get(objective);
    if (at === undefined) continue;
    for (let k = 0; k < move.length; k += 1) covariance[k] = (covariance[k] ?? 0) + (move[k] ?? 0);
    const before = { mean: mean[at] ?? 0, deviation: Math.sqrt(covariance[at * count + at] ?? 0) };
    const after = abilityAfter(before, difficulty, right, 0);
    const narrower = before.deviation ** 2 - after.deviation ** 2;
    for (let i = 0; i < count; i += 1) {
      along[i] = (covariance[i * count + at] ?? 0) / before.deviation ** 2;
      mean[i] = (mean[i] ?? 0) + (along[i] ?? 0) * (after.mean - before.mean);
    }
    for (let i = 0; i < count; i += 1) {
      const part = (along[i] ?? 0) * narrower;
      for (let j = 0; j < count; j += 1)
        covariance[i * count + j] = (covariance[i * count + j] ?? 0) - part * (along[j] ?? 0);
    }
  }
  const ofSums = sums.reduce((now, { difficulty, right }) => abilityAfter(now, difficulty, right), kUnknownAbility);
  return { objectives: names, mean, covariance, sums: ofSums };
}
