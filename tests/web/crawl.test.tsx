/**
 * Three hundred random plans in all areas of the page: one quantity has one text, one label one quantity, every equation comes
 * out, no screen by hand beats the plan that it begins with, and more is never shown for less money.
 */
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Plan, PlanAnswer } from "../../web/src/contract.ts";
import { isObject, type JsonObject, numberAt, textAt, valueAt } from "../../web/src/json.ts";
import { chosenOf, requestByHand } from "../../web/src/screens/by_hand.ts";
import { ask, hasProgram, listOf } from "./ask_native.ts";
import { areasOf, byHandOf, type Lists, stateOf } from "./drawn_areas.tsx";
import { equationsOf } from "./equations_of.tsx";
import { loaded } from "./loaded.ts";
import {
  amountIn,
  labelsOfTwoNumbers,
  placesOfTwoTexts,
  type Shown,
  shownOn,
  unlikeSentences,
  unnamedStatistics,
} from "./one_number.ts";
import { wrongWith } from "./printed_equations.ts";
import { type Known, kMore, randomPlan } from "./random_plans.ts";

// Parts that a reader opens stand open.
vi.mock("../../web/src/views/fold.tsx", async (original) => ({
  ...(await original<typeof import("../../web/src/views/fold.tsx")>()),
  Disclosure: ({ summary, children }: { summary: string; children: () => preact.ComponentChildren }) => (
    <details open>
      <summary>{summary}</summary>
      {children()}
    </details>
  ),
}));

const kScenarios = 300;
/** A screen by hand is asked for one plan of so many, and the equations of one of so many. */
const kByHandOf = 3;
const kExplainedOf = 15;

interface Scenario {
  seed: number;
  request: JsonObject;
  answer: PlanAnswer;
  /** The first area as it is drawn. */
  first: string;
  shown: Shown[];
}

let lists: Lists & Known;

async function scenarioOf(seed: number): Promise<Scenario> {
  const asked = randomPlan(seed, lists);
  const options = asked.options as JsonObject;
  const request = seed % kExplainedOf === 0 ? { ...asked, options: { ...options, explain: true } } : asked;
  const answer = await ask(request);
  const areas = areasOf(stateOf(lists, request, answer));
  const shown = Object.entries(areas).flatMap(([screen, html]) => shownOn(screen, html));
  return { seed, request, answer, first: areas.plan ?? "", shown };
}

const scenarios: Scenario[] = [];
const feasible = () => scenarios.filter(({ answer }) => answer.feasible);

/** What is wrong with each of the scenarios. */
function wrongIn(some: readonly Scenario[], find: (scenario: Scenario) => readonly string[]): string[] {
  return some.flatMap((scenario) => find(scenario).map((wrong) => `${scenario.seed}: ${wrong}`));
}

/** Sentences that say fewer digits than the page. Each is a template of core/base/data/messages.json. */
const kCoarser: readonly [code: RegExp, name: RegExp, why: string][] = [
  [/^(?:gpu-memory|memory-may-not-do|no-room-for-kv-cache)$/, /_gib$/, "whole GiB, where parts of a bar need tenths"],
  [/^tuning-ends\/little$/, /^(?:least|most)$/, "seconds, where the page says minutes"],
  [/^ill-conditioned$/, /^moves_percent$/, "two digits"],
  [/^above-site-power$/, /_kw$/, "four digits"],
  [/^carried-load$/, /_requests_per_s$/, "four digits"],
  [/^follows-load$/, /^paid_gpu_hours$/, "six digits, of hours that no other number is"],
];

describe.skipIf(!hasProgram)("three hundred random plans", () => {
  beforeAll(async () => {
    vi.stubGlobal("location", { origin: "", pathname: "/", hash: "" });
    await loaded();
    const [models, gpus] = await Promise.all([
      listOf<Known["models"][number] & Lists["models"][number]>("models"),
      listOf<Lists["gpus"][number]>("gpus"),
    ]);
    lists = { models, gpus };
    scenarios.push(...(await Promise.all(Array.from({ length: kScenarios }, (_, seed) => scenarioOf(seed)))));
  }, 600_000);

  it("are answered: with plans, or with reasons and no number of a plan", () => {
    expect(scenarios.filter(({ answer }) => "errors" in answer)).toEqual([]);
    expect(feasible().length).toBeGreaterThan(kScenarios / 2);
    const without = scenarios.filter(({ answer }) => answer.plans?.[0] === undefined);
    expect(without.length).toBeGreaterThan(kScenarios / 10);
    for (const { answer, shown } of without) {
      expect([...(answer.rejected ?? []), ...(answer.reasons ?? [])]).not.toEqual([]);
      expect(shown).toEqual([]);
    }
    const all = scenarios.reduce((sum, { shown }) => sum + shown.length, 0);
    expect(all).toBeGreaterThan(100 * feasible().length);
  });

  it("say at once which limits cannot be shown to hold", () => {
    const open = scenarios.filter(
      ({ answer: { plans, feasible: isFeasible } }) => !isFeasible && plans?.[0] !== undefined,
    );
    const limits = open.flatMap(({ answer, first }) =>
      (answer.plans?.[0]?.unchecked ?? []).map(({ message }) => ({ message, isSaid: first.includes(message) })),
    );
    expect(limits.length).toBeGreaterThan(0);
    expect(limits.filter(({ isSaid }) => !isSaid)).toEqual([]);
  });

  it("write each place of an answer in one way", () => {
    expect(wrongIn(scenarios, ({ shown }) => placesOfTwoTexts(shown))).toEqual([]);
  });

  it("call one quantity by one label", () => {
    expect(wrongIn(scenarios, ({ shown }) => labelsOfTwoNumbers(shown))).toEqual([]);
  });

  it("say of every latency which statistic it is", () => {
    expect(wrongIn(scenarios, ({ shown }) => unnamedStatistics(shown))).toEqual([]);
  });

  it("say in sentences what stands in the numbers", () => {
    const wrong = wrongIn(feasible(), ({ answer, shown }) => {
      const { trace: _trace, plans: [first] = [], ...others } = answer;
      const numberOf = (place: string) => numberAt(answer, place) ?? Number.NaN;
      return unlikeSentences([others, first], shown, numberOf);
    });
    const isCoarser = (text: string) =>
      kCoarser.some(([code, name]) => {
        const [, said = "", value = ""] = /^\d+: (\S+) (\S+):/.exec(text) ?? [];
        return code.test(said) && name.test(value);
      });
    expect(wrong.filter((text) => !isCoarser(text))).toEqual([]);
  });

  it("print equations that come out", () => {
    const explained = feasible().filter(({ answer }) => answer.trace !== undefined);
    expect(explained.length).toBeGreaterThan(kScenarios / kExplainedOf / 3);
    const wrong = wrongIn(explained, ({ answer }) => [...equationsOf(answer, "GiB")].map(wrongWith));
    expect(wrong.filter((text) => !/^\d+: $/.test(text))).toEqual([]);
  });

  it("begin a part by hand with the plan's numbers, and no search by hand beats the plan", async () => {
    const some = feasible().filter(({ seed }) => seed % kByHandOf === 0);
    const found = await Promise.all(some.map(byHand));
    expect(found.reduce((sum, { compared }) => sum + compared, 0)).toBeGreaterThan(20 * some.length);
    expect(found.flatMap(({ wrong }) => wrong)).toEqual([]);
  }, 600_000);

  it("show no lower cost for more load or a stricter wish", async () => {
    const names = Object.keys(kMore);
    const asked = feasible().flatMap((scenario) => {
      // One relation for each plan, in turn; the next one where the request has no room for it.
      const order = names.map((_, i) => names[(scenario.seed + i) % names.length] ?? "");
      const name = order.find((one) => kMore[one]?.(scenario.request) !== undefined);
      const more = name === undefined ? undefined : kMore[name]?.(scenario.request);
      return name === undefined || more === undefined ? [] : [{ scenario, name, more }];
    });
    const wrong = await Promise.all(asked.map(cheaper));
    expect(asked.length).toBeGreaterThan(kScenarios / 2);
    expect(new Set(asked.map(({ name }) => name))).toEqual(new Set(names));
    expect(wrong.flat()).toEqual([]);
  }, 600_000);
});

/** Where the answers of screens by hand have the plan's estimate and its design. */
const kSame = [
  ["serving", "/plans/0/estimates/0", ""],
  ["training", "/plans/0/estimates/0", ""],
  ["architecture", "/plans/0", "/designs/0"],
] as const;

const isUnder = (place: string) => (one: Shown) => one.place.startsWith(`${place}/`);

/** The plan's parts on the screens by hand: other texts of the same quantity, and what they find that beats the plan. */
async function byHand(scenario: Scenario): Promise<{ compared: number; wrong: string[] }> {
  const { seed, request, answer, shown } = scenario;
  const state = stateOf(lists, request, answer);
  const chosen = chosenOf(state);
  const wrong: string[] = [];
  let compared = 0;
  for (const [screen, inPlan, inAnswer] of kSame) {
    const asked = chosen && requestByHand(screen, chosen);
    if (asked === undefined) continue;
    const byScreen = await ask(asked);
    const texts = new Map(shown.filter(isUnder(inPlan)).map((one) => [one.place.slice(inPlan.length), one]));
    for (const one of shownOn(screen, byHandOf(stateOf(lists, asked, byScreen, screen)))) {
      const same = one.place.startsWith(`${inAnswer}/`) ? texts.get(one.place.slice(inAnswer.length)) : undefined;
      if (same === undefined) continue;
      compared += 1;
      // An interval says its unit once.
      if (same.text !== one.text || (same.unit !== one.unit && one.unit !== ""))
        wrong.push(
          `${seed}: ${one.place} is ${one.text} ${one.unit} on ${screen}, ${same.text} ${same.unit} in the plan`,
        );
    }
  }
  for (const screen of ["deployments", "layouts"] as const) {
    const asked = chosen && requestByHand(screen, chosen);
    if (asked === undefined) continue;
    const beaten = beats(scenario, await ask(asked), screen);
    compared += 1;
    if (beaten !== undefined) wrong.push(`${seed}: ${beaten}`);
  }
  return { compared, wrong };
}

const kHoursPerYear = 8760;
/** Of limits, where a request does not say another. */
const kConfidence = 0.8;
const kRankedBy = "/ranked_by_usd_per_year";

/** GPUs of one replica; pools are one, which stands all the time. */
function replicaOf(layout: unknown): number {
  if (valueAt(layout, "/pools") !== undefined) return numberAt(layout, "/gpu_count") ?? 0;
  const size = (name: string) => numberAt(layout, `/parallelism/${name}`) ?? 1;
  return size("tensor") * size("pipeline") * size("attention_data");
}

/**
 * What the search finds on the plan's GPU with fewer GPUs or in less time, where it would cost less in the plan too: owned
 * machines are bought whole, and rented ones follow the demand in whole replicas. Left out, because plans do not take it:
 * pools of their own next to other workloads (docs/method/decision.md#deployments), and a replica that spans more GPUs than
 * those of the plan, for which the plan's offer need not have the machines.
 */
function beats(
  { answer, request }: Scenario,
  found: PlanAnswer,
  screen: "deployments" | "layouts",
): string | undefined {
  const plan = answer.plans?.[0];
  const layout = valueAt(plan, "/layouts/0");
  const gpus = numberAt(layout, "/gpu_count") ?? 0;
  const list = valueAt(found, `/${screen}`);
  const same = (Array.isArray(list) ? list : []).find((one) => isObject(one) && one.gpu === plan?.gpu);
  const fewer = numberAt(same, "/gpu_count") ?? Number.POSITIVE_INFINITY;
  if (screen === "layouts") {
    const [days = 0, planned = 0] = [
      numberAt(same, "/run/time_days"),
      numberAt(plan, "/estimates/0/run/time_without_interruptions_days"),
    ];
    // A plan takes what fits with the confidence that is asked for; a search shows how sure that is.
    const isSure =
      (numberAt(same, "/memory_per_gpu/fit_probability") ?? 1) >=
      (numberAt(request, "/constraints/confidence") ?? kConfidence);
    const isFaster = same !== undefined && isSure && fewer <= gpus && days < planned * (1 - 1e-9);
    return isFaster ? `Layouts finds ${days} days on ${fewer} GPUs, the plan ${planned}` : undefined;
  }
  if (fewer >= gpus || (answer.plans?.[0]?.estimates?.length ?? 0) > 1) return undefined;
  if (replicaOf(same) > replicaOf(layout) && valueAt(same, "/pools") === undefined) return undefined;
  const inMachine = (numberAt(plan, "/architecture/gpus") ?? 1) / (numberAt(plan, "/architecture/nodes") ?? 1);
  const machines = (count: number) => Math.ceil(count / inMachine);
  if (!plan?.way?.startsWith("rent"))
    return machines(fewer) < machines(gpus) ? `Deployments finds ${fewer} GPUs, the plan ${gpus}` : undefined;
  const share = (numberAt(plan, "/demand/mean_gpus") ?? 0) / (numberAt(plan, "/demand/peak_gpus") ?? 1);
  const least = Math.max(replicaOf(same), fewer * share) * (numberAt(same, "/cost/usd_per_gpu_hour") ?? 0);
  const cost = numberAt(plan, kRankedBy) ?? 0;
  return least * kHoursPerYear < cost ? `Deployments finds ${fewer} GPUs for less, the plan ${gpus}` : undefined;
}

/** The cost of the recommended way as the first area prints it. */
function headlineOf(scenario: Pick<Scenario, "shown">): { usd: number; text: string } | undefined {
  const one = scenario.shown.find(
    ({ screen, label }) => screen === "plan" && /^Cost (?:per year|of the run)$/.test(label),
  );
  return one === undefined ? undefined : { usd: amountIn(one.text), text: one.text };
}

/**
 * Where the engine's cost falls with more, and why. Each is a matter of the engine, and tested there:
 * tests/api/plan_random_test.cc, tests/api/plan_monotone_test.cc.
 */
function isKnownToFall(name: string, before: Plan, after: Plan): boolean {
  // docs/method/prices.md#policy: the middle of a market of few may be lower.
  const isThin = (after as { risks?: { code?: string }[] }).risks?.some(({ code }) => code === "thin-market") === true;
  // Machines are rented whole: with a mean that stays, a load that varies more may leave a part of one idle less often.
  const hourly = numberAt(before, "/cost/cloud/usd_per_hour") ?? 0;
  const ofMachine = (hourly / (numberAt(before, "/cost/cloud/instances") ?? 1)) * kHoursPerYear;
  const fell = (numberAt(before, kRankedBy) ?? 0) - (numberAt(after, kRankedBy) ?? 0);
  const sparesPartOfMachine = name === "the peak alone twice" && before.way !== "own" && fell < ofMachine;
  // A run of training that takes more GPUs for a shorter time may leave fewer of them to be rented next to those owned.
  const isShorter = name === "done in 3/4 of the days" && before.way === "hybrid";
  // Of layouts of as many owned GPUs the one that carries most is chosen; another may draw less of what they idle with.
  const energy = (plan: Plan) => numberAt(plan, "/cost/on_premises/energy_usd_per_year") ?? 0;
  const drawsLess = before.way === "own" && after.way === "own" && energy(after) < energy(before);
  return isThin || sparesPartOfMachine || isShorter || drawsLess;
}

/** The headline that falls though more is asked; a plan where there was none. */
async function cheaper({
  scenario,
  name,
  more,
}: {
  scenario: Scenario;
  name: string;
  more: JsonObject;
}): Promise<string[]> {
  const asked = { ...more, options: { top: 1, draws: 0 } };
  const answer = await ask(asked);
  const [before, after] = [scenario.answer.plans?.[0], answer.plans?.[0]];
  if (before === undefined || after === undefined) return [];
  const shown = shownOn("plan", areasOf(stateOf(lists, asked, answer), ["plan"]).plan ?? "");
  const [was, now] = [headlineOf(scenario), headlineOf({ shown })];
  if (was === undefined || now === undefined || now.usd >= was.usd || isKnownToFall(name, before, after)) return [];
  return [
    `${scenario.seed}: ${name}: ${was.text} falls to ${now.text}, ${textAt(before, "/way")} to ${textAt(after, "/way")}`,
  ];
}
