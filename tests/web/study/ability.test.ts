/** Ability by domain, difficulties before and after answers, and which item comes next. */
import { describe, expect, it } from "vitest";
import {
  type AnsweredItem,
  abilitiesAfter,
  abilityAfter,
  chanceRight,
  difficultyPrior,
  type Estimate,
  type Item,
  information,
  kPlacementQuestions,
  kUnknownAbility,
  nextItem,
  placementItem,
} from "../../../web/src/study/ability.ts";
import { domainOf } from "../../../web/src/study/blueprint.ts";
import { randomFrom } from "../random_json.ts";
import { kBlueprint } from "./blueprint_data.ts";

const exactly = (mean: number): Estimate => ({ mean, deviation: 1e-6 });

/** Posterior mean and deviation by summing over a fine grid. */
function onGrid(prior: Estimate, answers: readonly { difficulty: number; right: boolean }[]): Estimate {
  const grid = Array.from({ length: 4001 }, (_, i) => -10 + i * 0.005);
  const weights = grid.map((ability) =>
    answers.reduce(
      (weight, { difficulty, right }) => {
        const chance = chanceRight(ability, difficulty);
        return weight * (right ? chance : 1 - chance);
      },
      Math.exp(-((ability - prior.mean) ** 2) / (2 * prior.deviation ** 2)),
    ),
  );
  const sum = weights.reduce((a, b) => a + b, 0);
  const mean = grid.reduce((a, ability, i) => a + ability * (weights[i] ?? 0), 0) / sum;
  const variance = grid.reduce((a, ability, i) => a + (ability - mean) ** 2 * (weights[i] ?? 0), 0) / sum;
  return { mean, deviation: Math.sqrt(variance) };
}

describe("chanceRight", () => {
  it("is the Rasch curve", () => {
    expect(chanceRight(0.3, 0.3)).toBe(0.5);
    expect(chanceRight(1, 0)).toBeCloseTo(0.7311, 4);
    expect(chanceRight(0, 1) + chanceRight(1, 0)).toBeCloseTo(1, 12);
  });
});

describe("abilityAfter", () => {
  it("rises with a right answer, falls with a wrong one, and is known better after either", () => {
    for (const right of [true, false]) {
      const after = abilityAfter(kUnknownAbility, exactly(0), right);
      expect(Math.sign(after.mean)).toBe(right ? 1 : -1);
      expect(after.deviation).toBeLessThan(kUnknownAbility.deviation);
    }
  });

  it("tells more the less it was expected", () => {
    const hard = abilityAfter(kUnknownAbility, exactly(2), true).mean;
    const easy = abilityAfter(kUnknownAbility, exactly(-2), true).mean;
    expect(hard).toBeGreaterThan(easy);
  });

  it("tells less at an item that is hardly known", () => {
    const sure = abilityAfter(kUnknownAbility, exactly(2), true).mean;
    expect(abilityAfter(kUnknownAbility, { mean: 2, deviation: 2 }, true).mean).toBeLessThan(sure);
  });

  it.each([5, 20, 60])("is near the exact posterior after %d answers, where abilities do not drift", (count) => {
    const random = randomFrom(count);
    const answers = Array.from({ length: count }, () => {
      const difficulty = 3 * random() - 1.5;
      return { difficulty, right: random() < chanceRight(0.8, difficulty) };
    });
    const exact = onGrid(kUnknownAbility, answers);
    const ours = answers.reduce(
      (now, { difficulty, right }) => abilityAfter(now, exactly(difficulty), right, 0),
      kUnknownAbility,
    );
    expect(Math.abs(ours.mean - exact.mean)).toBeLessThan(0.35 * exact.deviation);
    expect(ours.deviation / exact.deviation).toBeGreaterThan(0.9);
    expect(ours.deviation / exact.deviation).toBeLessThan(1.1);
  });

  it("covers the true ability in about 90 % of runs", () => {
    let covered = 0;
    const runs = 400;
    for (let run = 1; run <= runs; run += 1) {
      const random = randomFrom(run);
      const truth = 4 * random() - 2;
      let now = kUnknownAbility;
      for (let i = 0; i < 30; i += 1) {
        const difficulty = 3 * random() - 1.5;
        now = abilityAfter(now, exactly(difficulty), random() < chanceRight(truth, difficulty));
      }
      if (Math.abs(truth - now.mean) < 1.645 * now.deviation) covered += 1;
    }
    expect(covered / runs).toBeGreaterThan(0.86);
    expect(covered / runs).toBeLessThan(0.97);
  });

  it("never gets so sure that it stops following", () => {
    const right = (count: number) =>
      Array.from({ length: count }).reduce<Estimate>((now, _, i) => {
        return abilityAfter(now, exactly(now.mean), i % 2 === 0);
      }, kUnknownAbility);
    expect(right(400).deviation).toBeCloseTo(right(800).deviation, 3);
    // Drift squared in, a quarter of the fourth power out: the deviation settles where both are equal.
    expect(right(800).deviation).toBeCloseTo(Math.sqrt(0.05 * 2), 1);
  });

  it("follows a learner who learns", () => {
    const wrong = Array.from({ length: 60 }).reduce<Estimate>(
      (now) => abilityAfter(now, exactly(0), false),
      kUnknownAbility,
    );
    const learnt = Array.from({ length: 60 }).reduce<Estimate>((now) => abilityAfter(now, exactly(0), true), wrong);
    expect(wrong.mean).toBeLessThan(-1);
    expect(learnt.mean).toBeGreaterThan(0.5);
  });
});

describe("difficulties", () => {
  it("begin with what an item is", () => {
    const level = (features: object) => difficultyPrior({ level: 2, ...features }).mean;
    expect(level({})).toBe(0);
    for (const harder of [
      { level: 3 },
      { steps: 3 },
      { conversions: 1 },
      { wrongOptions: 4 },
      { trap: true },
      { written: true },
    ])
      expect(level(harder)).toBeGreaterThan(0);
    expect(level({ level: 1 })).toBeLessThan(0);
    expect(difficultyPrior({ level: 2 }).deviation).toBeGreaterThan(0.5);
  });
});

const kItems: Item[] = kBlueprint.objectives.flatMap(({ id }) =>
  Array.from({ length: 12 }, (_, i) => ({
    id: `${id}/${i}`,
    objective: id,
    difficulty: { mean: (i - 5.5) / 3, deviation: 0.3 },
  })),
);

function run(count: number, items = kItems): Item[] {
  const asked: Item[] = [];
  for (let i = 0; i < count; i += 1) {
    const next = nextItem(kBlueprint, items, asked, new Map());
    if (next === undefined) break;
    asked.push(next);
  }
  return asked;
}
const counts = (asked: readonly Item[], of: (objective: string) => string) => {
  const by = new Map<string, number>();
  for (const { objective } of asked) by.set(of(objective), (by.get(of(objective)) ?? 0) + 1);
  return by;
};

describe("nextItem", () => {
  it("asks 50 questions as the exam does", () => {
    const asked = run(50);
    expect(Object.fromEntries(counts(asked, domainOf))).toEqual({ "1": 19, "2": 20, "3": 11 });
    expect(new Set(asked.map(({ id }) => id)).size).toBe(50);
    const objectives = counts(asked, (id) => id);
    expect(objectives.size).toBe(22);
    for (const count of objectives.values()) expect(count).toBeLessThanOrEqual(3);
  });

  it("keeps to the weights at every length", () => {
    for (let length = 1; length <= 60; length += 1) {
      const by = counts(run(length), domainOf);
      for (const { id, weight } of kBlueprint.domains)
        expect(Math.abs((by.get(id) ?? 0) - weight * length)).toBeLessThan(1.1);
    }
  });

  it("takes the most informative item of its objective", () => {
    const abilities = new Map([["2", exactly(1.2)]]);
    const [first] = [nextItem(kBlueprint, kItems, [], abilities)];
    const own = kItems.filter(({ objective }) => objective === first?.objective);
    expect(domainOf(first?.objective ?? "")).toBe("2");
    const best = Math.max(...own.map((item) => information(exactly(1.2), item)));
    expect(first && information(exactly(1.2), first)).toBe(best);
    expect(first?.difficulty.mean).toBeCloseTo(7 / 6, 1);
  });

  it("goes on with what is left, until nothing is", () => {
    const few = kItems.filter(({ objective }) => objective === "1.1" || objective === "3.4");
    expect(run(100, few)).toHaveLength(24);
    expect(nextItem(kBlueprint, [], [], new Map())).toBeUndefined();
  });
});

describe("placement", () => {
  it("asks ten questions, 4, 4 and 2, harder after right answers", () => {
    const answers: AnsweredItem[] = [];
    for (;;) {
      const item = placementItem(kBlueprint, kItems, answers);
      if (item === undefined) break;
      answers.push({ item, right: domainOf(item.objective) === "1" });
    }
    expect(answers).toHaveLength(kPlacementQuestions);
    const asked = answers.map(({ item }) => item);
    expect(Object.fromEntries(counts(asked, domainOf))).toEqual({ "1": 4, "2": 4, "3": 2 });
    const last = (domain: string) =>
      asked.filter(({ objective }) => domainOf(objective) === domain).at(-1)?.difficulty.mean ?? 0;
    expect(last("1")).toBeGreaterThan(0.5);
    expect(last("2")).toBeLessThan(-0.5);
    const abilities = abilitiesAfter(answers);
    expect(abilities.get("1")?.mean).toBeGreaterThan(1);
    expect(abilities.get("2")?.mean).toBeLessThan(-1);
  });
});
