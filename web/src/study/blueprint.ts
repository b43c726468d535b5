/** The published blueprint of an exam, as `core/study/data/blueprints/<exam>.json` holds it. Its numbers come from there alone. */

export interface Domain {
  id: string;
  name: string;
  /** Share of the exam's questions; those of all domains make 1. */
  weight: number;
}

export interface Objective {
  /** Domain and number: "2.7". */
  id: string;
  text: string;
}

export interface Blueprint {
  exam: {
    id: string;
    name?: string;
    /** Its questions and lessons were not tried by many yet. */
    beta?: boolean;
    /** Of the blueprint, as its source calls it, and when that was looked at. */
    version?: string;
    checked?: string;
    questions: number;
    minutes: number;
    /** Levels of the questions that it asks. */
    levels: readonly string[];
    /** Sums in one exam: from 0 to this many. */
    calculations: number;
    /** Not published for every exam; `standing` says what the share rests on. */
    pass_mark: { share: number; standing: string };
  };
  domains: readonly Domain[];
  objectives: readonly Objective[];
}

/** The short name of an exam: "NCA-AIIO". */
export const examCode = (exam: string) => exam.toUpperCase();

/** "2" of "2.7". */
export const domainOf = (objective: string) => objective.slice(0, objective.indexOf("."));

/**
 * Weight of each objective that has something to learn: its domain's weight, spread evenly over the domain's objectives among `present`.
 * The blueprint publishes no weights below domains. The sum is that of the domains that are present.
 */
export function objectiveWeights(blueprint: Blueprint, present: Iterable<string>): Map<string, number> {
  const there = new Set(present);
  const weights = new Map<string, number>();
  for (const { id, weight } of blueprint.domains) {
    const own = blueprint.objectives.filter((one) => domainOf(one.id) === id && there.has(one.id));
    for (const one of own) weights.set(one.id, weight / own.length);
  }
  return weights;
}

/** How many of `count` questions each domain gets: whole numbers nearest to the weights that make `count` together (largest remainders). */
export function questionsByDomain(blueprint: Blueprint, count: number): Map<string, number> {
  const shares = blueprint.domains.map(({ id, weight }) => ({ id, exact: weight * count }));
  // A hair above, so that 0.22 * 50 does not become 10 by its last bit.
  const whole = new Map(shares.map(({ id, exact }) => [id, Math.floor(exact + 1e-9)]));
  const byRemainder = [...shares].sort((a, b) => b.exact - Math.floor(b.exact) - (a.exact - Math.floor(a.exact)));
  let left = count - [...whole.values()].reduce((sum, one) => sum + one, 0);
  for (const { id } of byRemainder) {
    if (left <= 0) break;
    whole.set(id, (whole.get(id) ?? 0) + 1);
    left -= 1;
  }
  return whole;
}
