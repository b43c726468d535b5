/** What the screens beside the first are made of: routes, undo, the form of a schema, parts of any answer, commands, scenarios. */
import { renderToString } from "preact-render-to-string";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { PlanAnswer } from "../../web/src/contract.ts";
import { createController, kIdleController } from "../../web/src/controller.ts";
import { csv } from "../../web/src/csv.ts";
import { emptyPast, leave, redo, undo } from "../../web/src/history.ts";
import type { JsonObject } from "../../web/src/json.ts";
import { speak } from "../../web/src/language.ts";
import { PageContext } from "../../web/src/page.ts";
import { kScreens, routeOf } from "../../web/src/route.ts";
import { AnswerParts } from "../../web/src/screens/ask_screen.tsx";
import { requestAt } from "../../web/src/screens/charts/break_even.tsx";
import { Front, rowsOfColumns } from "../../web/src/screens/charts/front.tsx";
import { numberPlaces } from "../../web/src/screens/compare_table.tsx";
import { factsOf, filtered, sortedBy, sourcesOf } from "../../web/src/screens/data.tsx";
import { hasField } from "../../web/src/screens/faults_elsewhere.tsx";
import { SchemaForm } from "../../web/src/screens/form.tsx";
import { firstSentence, Headline } from "../../web/src/screens/headline.tsx";
import { askedAs, type Field, unitOf } from "../../web/src/screens/requests.ts";
import { columnsOf, numberGroups, restOf } from "../../web/src/screens/words.ts";
import { type Asking, createState, type State } from "../../web/src/state.ts";
import { matching, numberInputs, settingOf } from "../../web/src/tools/commands.ts";
import { readScenarios, withScenario } from "../../web/src/tools/scenarios.ts";
import { loaded } from "./loaded.ts";

beforeAll(loaded);

const kSchema: Field = {
  properties: {
    kind: { enum: ["serving"] },
    model: { description: "Model of the catalog", type: ["string", "object"] },
    gpu_count: { description: "GPUs of it", type: "integer", minimum: 1 },
    engine: { description: "Serving engine", enum: ["vllm", "sglang"], default: "vllm" },
    load: {
      description: "One of these",
      type: "object",
      properties: { concurrency: { description: "In flight", type: "integer" } },
    },
    workloads: {
      description: "Models to place",
      type: "array",
      items: { type: "object", properties: { name: { type: "string", description: "Name" } } },
    },
    deadline_days: { description: "Days until done", type: "number" },
    explain: { type: "boolean", default: false },
  },
  required: ["model", "gpu_count"],
};

const kServing: Asking = { screen: "serving", explain: "at the top" };

function stateOf(request: JsonObject, answer: PlanAnswer, asking = kServing): State {
  const item = (id: string, name: string) => ({ id, name, group: "Group" });
  return createState(
    { preset: request, answer, models: [item("model-a", "Model A")], gpus: [item("gpu-a", "GPU A")], verbs: {} },
    asking,
  );
}

const draw = (state: State, view: preact.JSX.Element) =>
  renderToString(<PageContext.Provider value={{ state, controller: kIdleController }}>{view}</PageContext.Provider>);
const words = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

describe("routeOf", () => {
  it("knows every screen, and shows the plan for everything else", () => {
    for (const screen of kScreens) {
      const hash = screen === "plan" ? "#/?s=1.0W10" : `#/${screen}?s=1.0W10`;
      expect(routeOf(hash).screen).toBe(screen);
    }
    for (const hash of ["", "#", "#/", "#nonsense", "#/nonsense", "#/plan"]) expect(routeOf(hash).screen).toBe("plan");
    expect(routeOf("#/data/gpus/h100").rest).toEqual(["gpus", "h100"]);
  });
});

describe("undo and redo", () => {
  it("walk back and forth, and an edit forgets what was undone", () => {
    let past = leave(leave(emptyPast<string>(), "a"), "b");
    const back = undo(past, "c");
    expect(back?.state).toBe("b");
    past = back?.rest ?? past;
    expect(redo(past, "b")).toEqual({ state: "c", rest: { past: ["a", "b"], future: [] } });
    expect(leave(past, "b")).toEqual({ past: ["a", "b"], future: [] });
    expect(undo(emptyPast<string>(), "x")).toBeUndefined();
  });

  it("takes one gesture as one step", async () => {
    const state = stateOf({ kind: "serving", gpu_count: 1 }, { feasible: true });
    const asked: JsonObject[] = [];
    const replaceHash = vi.fn();
    const controller = createController(state, {
      answer: async (text) => {
        asked.push(JSON.parse(text) as JsonObject);
        return '{"kind":"serving","feasible":true}';
      },
      readHash: () => "",
      replaceHash,
    });
    for (const count of [2, 3, 4]) controller.edit("/gpu_count", count);
    await vi.waitFor(() => expect(replaceHash).toHaveBeenCalled(), { timeout: 20_000 });
    expect(state.past.value.past).toHaveLength(1);
    controller.explain("/gpu_count");
    expect(asked).toContainEqual({ kind: "serving", gpu_count: 4, explain: true });
    controller.closeExplanation();
    controller.undo();
    expect(state.request.value.gpu_count).toBe(1);
    controller.redo();
    expect(state.request.value.gpu_count).toBe(4);
  });

  it("leaves the address alone while it names a screen that is not shown yet", async () => {
    const state = stateOf({ kind: "serving", gpu_count: 1 }, { feasible: true });
    const replaceHash = vi.fn();
    let leaves = true;
    const isLeaving = vi.fn(() => leaves);
    const surroundings = { answer: async () => '{"feasible":true}', readHash: () => "", replaceHash, isLeaving };
    createController(state, surroundings).edit("/gpu_count", 2);
    await vi.waitFor(() => expect(isLeaving).toHaveBeenCalled(), { timeout: 20_000 });
    expect(replaceHash).not.toHaveBeenCalled();
    leaves = false;
    await vi.waitFor(() => expect(replaceHash).toHaveBeenCalled(), { timeout: 20_000 });
  });

  it("takes another field as another step, however soon it follows", () => {
    const state = stateOf({ kind: "serving", gpu_count: 1, tokens: 1 }, { feasible: true });
    const surroundings = { answer: async () => '{"feasible":true}', readHash: () => "", replaceHash: vi.fn() };
    const controller = createController(state, surroundings);
    controller.edit("/gpu_count", 2);
    controller.edit("/tokens", 2);
    controller.edit("/tokens", 3);
    controller.undo();
    expect(state.request.value).toMatchObject({ gpu_count: 2, tokens: 1 });
  });
});

describe("the form of a schema", () => {
  it("shows what must be given and what is given, and folds the rest", () => {
    const state = stateOf({ kind: "serving", model: "model-a", load: { concurrency: 8 } }, { feasible: true });
    const html = draw(state, <SchemaForm schema={kSchema} />);
    expect(html).toContain("Model of the catalog");
    expect(html).toContain('id="in-gpu_count"');
    expect(html).toMatch(/id="in-load-concurrency"[^>]*value="8"/);
    expect(words(html)).toContain("More inputs (3)");
    expect(html).not.toContain("Days until done");
    expect(html).not.toContain('id="in-explain"');
  });

  it("opens a field that the engine complains about, and tells what has no field", () => {
    const state = stateOf({ kind: "serving", model: "model-a" }, { feasible: true });
    state.errors.value = [
      { code: "out-of-range", path: "/deadline_days", message: "must be above 0" },
      { code: "unknown-key", path: "/elsewhere", message: "not known" },
    ];
    const text = words(draw(state, <SchemaForm schema={kSchema} />));
    expect(text).toContain("must be above 0");
    expect(text).toContain("“Elsewhere” cannot be given here.");
    expect(text).toContain("Remove Elsewhere");
  });

  it("takes a model that is described in the request", () => {
    const state = stateOf({ model: { layers: 80, heads: 64 } }, { feasible: true });
    expect(words(draw(state, <SchemaForm schema={kSchema} />))).toContain("Described in the request itself (2 fields)");
  });

  it("knows how each field is asked for, its unit, and its place", () => {
    const kinds = Object.entries(kSchema.properties ?? {}).map(([key, field]) => [key, askedAs(field)]);
    expect(Object.fromEntries(kinds)).toMatchObject({
      model: "item",
      gpu_count: "number",
      engine: "choice",
      load: "object",
      workloads: "objects",
    });
    expect(["deadline_days", "rack_power_kw", "usd_per_gpu_hour", "link_gb_per_s", "gpu_count"].map(unitOf)).toEqual([
      "days",
      "kW",
      "USD/GPU hour",
      "GB/s",
      "",
    ]);
    expect(hasField(kSchema, "/workloads/3/name", new Set())).toBe(true);
    expect(hasField(kSchema, "/workloads/3/size", new Set())).toBe(false);
    expect(hasField(kSchema, "/model", new Set(["model"]))).toBe(false);
  });
});

const kServingAnswer = {
  kind: "serving",
  feasible: true,
  model: "model-a",
  gpu: "gpu-a",
  gpu_count: 4,
  memory_per_gpu: { total_gib: 50, weights_gib: 30, kv_cache_gib: 20, capacity_gib: 80 },
  latency: { tpot_s: 0.04, tpot_s_low: 0.03, tpot_s_high: 0.05, tpot_s_p50: 0.041 },
  throughput: { output_tokens_per_s: 6000 },
  stable: true,
  binding: { limit: "compute", message: "Arithmetic takes most of the time." },
  rejected: [{ code: "does-not-fit", count: 3, message: "Short by some." }],
  empty: [],
} as unknown as PlanAnswer;

describe("parts of an answer", () => {
  it("say each number once, with its interval and percentiles beside it", () => {
    const html = draw(stateOf({}, kServingAnswer), <AnswerParts />);
    const text = words(html);
    expect(text).toMatch(/Time per output token 40 ms ?\(? ?30 – 50/);
    expect(text).toContain("p50");
    expect(html.match(/data-place="\/latency\/tpot_s_low"/g)).toHaveLength(1);
    expect(text).toContain("Memory on each GPU: 50.0 GiB of 80.0 GiB in use");
    expect(text).toContain("Does not fit");
    for (const bad of ["undefined", "NaN", "[object"]) expect(text).not.toContain(bad);
  });

  it("are headed by one sentence", () => {
    const text = words(draw(stateOf({}, kServingAnswer), <Headline />));
    expect(text.replace("A ,", "A,")).toContain(
      "4 × GPU A generate 6,000 tokens/s with Model A and give each user a token every 40 ms",
    );
    expect(text).toContain("Arithmetic takes most of the time.");
    expect(firstSentence("One thing: and more. And more.")).toEqual(["One thing", "and more. And more."]);
    expect(firstSentence("Only $3.99 here.")).toEqual(["Only $3.99 here.", ""]);
  });

  it("tell reasons and ways out where a request is infeasible", () => {
    const answer = {
      kind: "serving",
      feasible: false,
      reasons: [{ message: "Short by 37 GB.", ways_out: [{ weight_precision: "fp8" }] }],
    } as unknown as PlanAnswer;
    const text = words(draw(stateOf({ weight_precision: "bf16" }, answer), <Headline />));
    expect(text).toContain("This request cannot be met");
    expect(text).toContain("Short by 37 GB.");
    expect(text).toContain("Apply: Weight precision → FP8");
  });

  it("draw what no other layout of the GPU beats, with the deadline", () => {
    const pareto = {
      gpu: ["a", "a", "a", "b"],
      gpu_count: [96, 128, 256, 96],
      run_time_days: [68.7, 45.9, 20, 70],
      cost_usd: [315_000, 281_000, 400_000, 320_000],
    };
    const answer = { kind: "search", feasible: true, pareto } as unknown as PlanAnswer;
    const page = draw(stateOf({ deadline_days: 30 }, answer), <Front place="/pareto" />);
    expect(page.match(/data-mark="\d"/g)).toEqual(['data-mark="2"', 'data-mark="1"', 'data-mark="3"']);
    expect(words(page)).toContain("your deadline, 30 days");
    expect(words(page)).toContain("No other layout on the same GPU is better in both");
    expect(words(page)).toContain("Only in the table: 1 more");
  });

  it("say beside a decision what the simulations say", async () => {
    const answer = {
      kind: "cost",
      feasible: true,
      summary: "Over 5 years, owning and renting cost the same.",
      decision: {
        cheapest: "own",
        saving_usd: 401.75,
        saving_fraction: 0.0006,
        nearly_equal: true,
        ways: [{ way: "own" }, { way: "rent" }],
      },
      distribution: { draws: 20_000, probability_owning_is_cheaper: 0.295 },
    } as unknown as PlanAnswer;
    const text = words(draw(stateOf({}, answer), <AnswerParts />));
    expect(text).toContain("owning and renting cost about the same: they differ by $401.75 ( 0.06 % )");
    expect(text).toContain("Owning is cheaper than renting in 29.5 % of 20,000 simulations");
    expect(text).toContain("Most simulations say the opposite of the typical numbers");
    expect(text).not.toContain("Practically equal");
    await speak("zh");
    const chinese = words(draw(stateOf({}, answer), <Headline />));
    await speak("en");
    expect(chinese).toContain("自有与租用成本大致相同");
    expect(chinese).not.toMatch(/[a-z]{3}/);
  });

  it("are plain numbers where the engine explains none", () => {
    const state = stateOf({}, kServingAnswer, { screen: "mig", explain: "never" });
    expect(draw(state, <AnswerParts />)).not.toContain('data-place="/latency/tpot_s"');
  });

  it("are drawn for any JSON", () => {
    const odd = {
      kind: "x",
      feasible: true,
      a: [[1, 2], [3]],
      b: [{}, { c: null }],
      d: { e: [] },
      f: "x\ny",
      g: [1, "z"],
    };
    const text = words(draw(stateOf({}, odd as unknown as PlanAnswer), <AnswerParts />));
    for (const bad of ["undefined", "NaN", "[object"]) expect(text).not.toContain(bad);
  });
});

describe("tables", () => {
  const rows: JsonObject[] = [
    { name: "a", x: 2, x_low: 1, x_high: 3, more: { y: 1 } },
    { name: "b", x: 10, note: "n".repeat(100) },
    { name: "c" },
  ];

  it("have the scalars of their rows as columns, and keep the rest", () => {
    expect(columnsOf(rows)).toEqual(["name", "x"]);
    expect(Object.keys(restOf(rows[0] ?? {}, ["name", "x"]))).toEqual(["more"]);
    expect(numberGroups(rows[0] ?? {})).toEqual([{ key: "x", low: "x_low", high: "x_high", percentiles: [] }]);
  });

  it("filter by every word, sort with gaps last, and are exported as shown", () => {
    expect(filtered(rows, "B").map(({ name }) => name)).toEqual(["b"]);
    expect(filtered(rows, "a zzz")).toEqual([]);
    expect(sortedBy(rows, "x", true).map(({ name }) => name)).toEqual(["b", "a", "c"]);
    expect(sortedBy(rows, "x", false).map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(csv([{ name: 'a "b", c', x: 1 }], ["name", "x"])).toBe('name,x\r\n"a ""b"", c",1\r\n');
  });

  it("turn columns into rows", () => {
    expect(rowsOfColumns({ gpu: ["a", "b"], x: [1, null] })).toEqual([
      { gpu: "a", x: 1 },
      { gpu: "b", x: null },
    ]);
  });
});

describe("facts of the catalog", () => {
  it("come one by one with the sources of each", () => {
    const item = { id: "g", name: "G", memory_gb: 80, peak_tflops: { bf16: 989 }, sources: { memory_gb: ["s1"] } };
    expect(factsOf(item).map(({ path, text }) => [path, text])).toEqual([
      ["memory_gb", "80.0 GB"],
      ["peak_tflops.bf16", "989 TFLOP/s"],
    ]);
    expect(sourcesOf({ peak_tflops: ["s2"] }, "peak_tflops.bf16")).toEqual(["s2"]);
    expect(sourcesOf({}, "x")).toEqual([]);
  });
});

describe("commands", () => {
  const command = (title: string) => ({ id: title, group: "Go to", title, run: () => undefined });

  it("are found by all words, those that begin so first", () => {
    const all = [command("Report"), command("Compare"), command("Cost of a port")];
    expect(matching(all, "co").map(({ title }) => title)).toEqual(["Compare", "Cost of a port"]);
    expect(matching(all, "port go").map(({ title }) => title)).toEqual(["Report", "Cost of a port"]);
    expect(matching(all, "zzz")).toEqual([]);
  });

  it("set numbers of the request", () => {
    expect(settingOf("output tokens 256")).toEqual({ words: "output tokens", value: 256 });
    expect(settingOf("cost")).toBeUndefined();
    expect(numberInputs({ workloads: [{ output_tokens: 5, name: "x" }] })).toEqual([
      { pointer: "/workloads/0/output_tokens", label: "Output tokens", value: 5 },
    ]);
  });

  it("ask for another use without the draws", () => {
    const request = { kind: "cost", utilization: 0.6, uncertainty: { draws: 5 }, explain: true };
    expect(requestAt(request, 0.2)).toEqual({ kind: "cost", utilization: 0.2 });
  });
});

describe("scenarios", () => {
  const one = { name: "one", hash: "#/?s=1.0W10", saved: "2026-11-21" };

  it("are read back, and what is none is left out", () => {
    expect(readScenarios(JSON.stringify([one, { name: "" }, { name: "x", hash: "javascript:1" }, 5]))).toEqual([one]);
    for (const text of [undefined, "", "{}", "[", "null"]) expect(readScenarios(text)).toEqual([]);
  });

  it("of the same name replace each other", () => {
    expect(withScenario([one], { ...one, hash: "#/cost" })).toEqual([{ ...one, hash: "#/cost" }]);
  });

  it("are compared by the places of their numbers", () => {
    expect(numberPlaces({ a: 1, a_low: 0, b: [{ c: 2 }, { c: 3 }], trace: [{ value: 1 }], d: "x" })).toEqual([
      "/a",
      "/b/0/c",
    ]);
  });
});
