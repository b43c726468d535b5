/**
 * What a practice exam says: by domain, and how likely the real one is passed. The pass mark of the exam is not published; the share that the
 * blueprint holds is an assumption, and `standing` there says so. Items are taken as independent.
 */
import { type Blueprint, domainOf, questionsByDomain } from "./blueprint.ts";
import { shareInterval } from "./confidence.ts";

export interface Marked {
  objective: string;
  right: boolean;
}

export interface DomainResult {
  domain: string;
  right: number;
  asked: number;
  /** 90 % interval of the share. */
  low: number;
  high: number;
}

/** Right and asked by domain of the blueprint; domains without a question are there with 0 of 0. */
export function resultByDomain(blueprint: Blueprint, marked: readonly Marked[]): DomainResult[] {
  return blueprint.domains.map(({ id }) => {
    const own = marked.filter(({ objective }) => domainOf(objective) === id);
    const right = own.filter((one) => one.right).length;
    return { domain: id, right, asked: own.length, ...shareInterval(right, own.length) };
  });
}

/** Share of right answers; 0 where nothing was asked. */
export const shareOf = ({ right, asked }: Pick<DomainResult, "right" | "asked">) => (asked === 0 ? 0 : right / asked);

/** Fewest right answers that reach the mark. */
export const passCount = ({ exam }: Blueprint) => Math.ceil(exam.questions * exam.pass_mark.share - 1e-9);

/** Probabilities of 0 to `n` successes whose chance is known. */
export function binomial(n: number, chance: number): number[] {
  let now = [1];
  for (let i = 0; i < n; i += 1) now = convolved(now, [1 - chance, chance]);
  return now;
}

/** Distribution of the sum of two independent counts. */
export function convolved(a: readonly number[], b: readonly number[]): number[] {
  const sums = new Array<number>(a.length + b.length - 1).fill(0);
  for (let i = 0; i < a.length; i += 1)
    for (let j = 0; j < b.length; j += 1) sums[i + j] = (sums[i + j] ?? 0) + (a[i] ?? 0) * (b[j] ?? 0);
  return sums;
}

export const tail = (distribution: readonly number[], from: number) =>
  distribution.slice(from).reduce((sum, p) => sum + p, 0);

/** Chance to pass with a mastery (share of all possible questions that the learner gets right) that is known exactly. */
export function passChance(blueprint: Blueprint, mastery: number): number {
  return tail(binomial(blueprint.exam.questions, mastery), passCount(blueprint));
}

/** Probabilities of 0 to `n` further right answers after `right` of `asked`, from a uniform prior of the mastery (beta-binomial). */
function furtherRight(n: number, right: number, asked: number): number[] {
  // Polya's urn: each answer drawn counts as one more seen.
  let now = [1];
  for (let drawn = 0; drawn < n; drawn += 1) {
    const next = new Array<number>(drawn + 2).fill(0);
    now.forEach((p, k) => {
      const chance = (right + 1 + k) / (asked + 2 + drawn);
      next[k] = (next[k] ?? 0) + p * (1 - chance);
      next[k + 1] = (next[k + 1] ?? 0) + p * chance;
    });
    now = next;
  }
  return now;
}

export interface PassEstimate {
  /** Chance to pass, over all that the answers leave open. */
  chance: number;
  /** Right answers in the exam: mean, and the 90 % interval. */
  expected: number;
  low: number;
  high: number;
  /** Right answers that the assumed mark asks for. */
  needed: number;
  questions: number;
}

/** Smallest count with at least `share` of the probability at or below it. */
export function quantile(distribution: readonly number[], share: number): number {
  let sum = 0;
  const at = distribution.findIndex((p) => {
    sum += p;
    return sum >= share;
  });
  return at === -1 ? distribution.length - 1 : at;
}

/** What the learner's own answers say of the exam: each domain's mastery from its answers, and as many questions of it as the weights give. */
export function passEstimate(
  blueprint: Blueprint,
  results: readonly Pick<DomainResult, "domain" | "right" | "asked">[],
): PassEstimate {
  const questions = questionsByDomain(blueprint, blueprint.exam.questions);
  const ofDomain = ([domain, count]: [string, number]) => {
    const own = results.find((one) => one.domain === domain);
    return furtherRight(count, own?.right ?? 0, own?.asked ?? 0);
  };
  const total = [...questions].map(ofDomain).reduce(convolved, [1]);
  return {
    chance: tail(total, passCount(blueprint)),
    expected: total.reduce((sum, p, k) => sum + p * k, 0),
    low: quantile(total, 0.05),
    high: quantile(total, 0.95),
    needed: passCount(blueprint),
    questions: blueprint.exam.questions,
  };
}

/** Points of the curve of the chance to pass over mastery, for a drawing. */
export function passCurve(blueprint: Blueprint, points = 101): { mastery: number; chance: number }[] {
  return Array.from({ length: points }, (_, i) => {
    const mastery = i / (points - 1);
    return { mastery, chance: passChance(blueprint, mastery) };
  });
}

/** A chance that one may rely on. */
export const kSafe = 0.9;

/** The curve from a little below what the learner may know; never shorter than its upper half. */
export function curveFrom<Point extends { mastery: number }>(points: readonly Point[], low: number): Point[] {
  const from = Math.floor(Math.max(0, Math.min(low - 0.05, 0.5)) * 10) / 10;
  return points.filter(({ mastery }) => mastery >= from - 1e-9);
}

/** Least whole per cent of mastery that passes with `chance`. */
export function masteryFor(blueprint: Blueprint, chance: number): number {
  for (let percent = 0; percent < 100; percent += 1) {
    if (passChance(blueprint, percent / 100) >= chance) return percent / 100;
  }
  return 1;
}
