/** The views on answers as the engine may send them: whole, with parts missing, infeasible, refused. */
import { renderToString } from "preact-render-to-string";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { InitialData, PlanAnswer, Rejected } from "../../web/src/contract.ts";
import { createController, kIdleController, type Surroundings } from "../../web/src/controller.ts";
import { EngineFailed } from "../../web/src/engine/client.ts";
import { type JsonObject, valueAt } from "../../web/src/json.ts";
import { speak } from "../../web/src/language.ts";
import { messages } from "../../web/src/messages.ts";
import { readReply, readSources } from "../../web/src/replies.ts";
import { createState, type State } from "../../web/src/state.ts";
import { App } from "../../web/src/views/app.tsx";
import { layOut } from "../../web/src/views/memory_bar.tsx";
import { loaded } from "./loaded.ts";

beforeAll(loaded);

const kPreset: JsonObject = {
  kind: "plan",
  workloads: [{ name: "chat", type: "serving", model: "model-a", peak_requests_per_s: 50 }],
  constraints: { gpus: ["gpu-a"] },
};
const kAnswer: PlanAnswer = {
  feasible: true,
  loads: [{ workload: "chat", peak_requests_per_s: 50, tokens_per_day: 1e9 }],
  plans: [
    {
      summary: "16 x GPU A",
      gpu: "gpu-a",
      gpu_count: 16,
      headlines: [
        { id: "gpus", value: { place: "/gpu_count", text: "16" } },
        { id: "first_token", statistic: "mean", value: { place: "/estimates/0/latency/ttft_s", text: "500 ms" } },
        { id: "output_token", statistic: "mean", value: { place: "/estimates/0/latency/tpot_s", text: "40 ms" } },
      ],
      architecture: { nodes: 2 },
      estimates: [
        {
          memory_per_gpu: { total_gib: 50, weights_gib: 30, kv_cache_gib: 20, capacity_gib: 74.5 },
          latency: { ttft_s: 0.5, tpot_s: 0.04 },
        },
      ],
      cost: { cloud: { usd_per_million_output_tokens: 0.61 } },
    },
  ],
};

function initial(answer: PlanAnswer): InitialData {
  const item = (id: string, name: string) => ({ id, name, group: "Group" });
  return {
    preset: kPreset,
    answer,
    models: [item("model-a", "Model A"), item("model-b", "Model B")],
    gpus: [item("gpu-a", "GPU A")],
    verbs: { serving: "estimate" },
  };
}

const html = (state: State) => renderToString(<App page={{ state, controller: kIdleController }} />);
const words = (text: string) => text.replace(/<[^>]+>/g, "").replace(/\s+/g, " ");

describe("the page", () => {
  it("opens on the answer with at most seven numbers", () => {
    const page = html(createState(initial(kAnswer)));
    expect(words(page)).toContain("16 × GPU A in 2 nodes serve 50 requests per second of Model A");
    expect(words(page)).toContain("Memory on each GPU: 50.0 GiB of 74.5 GiB in use");
    const first = page.slice(0, page.indexOf("<details"));
    expect(first.match(/class="figure"/g)?.length).toBeLessThanOrEqual(7);
  });

  it("says where the machines are, what the budget refuses, and every workload", async () => {
    const [plan] = kAnswer.plans ?? [];
    const preset: JsonObject = {
      ...kPreset,
      workloads: [
        { name: "chat", type: "serving", model: "model-a", peak_requests_per_s: 50 } as JsonObject,
        { name: "tune", type: "training", model: "model-b", tokens: 2e9 },
      ],
      economics: { region: "GBR" },
    };
    const refused = { rule: "above-budget", towards: "rent", decides: true, code: "above-budget", text: "Not for $2." };
    const answer: PlanAnswer = {
      feasible: true,
      loads: kAnswer.loads ?? [],
      plans: [
        {
          ...plan,
          way: "hybrid",
          estimates: [
            { ...plan?.estimates?.[0], workload: "chat" },
            { workload: "tune", run: { time_days: 1.5 } },
          ],
          cost: { hybrid: { rented_part: { provider_name: "A", instance: "x", region: "north", country: "FIN" } } },
          decision_factors: [refused],
          unchecked: [{ code: "unchecked-power", message: "The power is not checked." }],
        },
      ],
    };
    const places = [
      { id: "GBR", name: "United Kingdom", group: "country" },
      { id: "FIN", name: "Finland", group: "country" },
    ];
    const show = () => words(html(createState({ ...initial(answer), preset, places })));
    const page = show();
    expect(page).toContain(
      "16 × GPU A in 2 nodes serve 50 requests per second of Model A and train Model B on 2 billion tokens in 1.5 days " +
        "in the United Kingdom and Finland",
    );
    expect(page).toContain("Not for $2.");
    expect(page).toContain("The power is not checked.");
    expect(page).toContain("A x, north, Finland");
    await speak("zh");
    expect(show()).toContain("每秒服务 50 个 Model A 请求，并在 1.5 天 内用 20亿 词元训练 Model B ，位于英国和芬兰");
    await speak("en");
  });

  it("names no country where the provider of rented machines prints none", () => {
    const [plan] = kAnswer.plans ?? [];
    const cost = { cloud: { provider_name: "A", instance: "x", region: "global", country: "not printed" } };
    const answer = { ...kAnswer, plans: [{ ...plan, way: "rent-on-demand", cost }] };
    const preset = { ...kPreset, economics: { region: "GBR" } };
    const page = words(html(createState({ ...initial(answer), preset })));
    expect(page).toContain("serve 50 requests per second of Model ATime");
    expect(page).not.toContain("GBR");
    expect(page).not.toContain("not printed");
  });

  it("leaves out what the answer does not have", () => {
    const page = words(html(createState(initial({ feasible: true, plans: [{ summary: "A plan in words" }] }))));
    expect(page).toContain("A plan in words");
    for (const text of ["NaN", "undefined", "null", "$0", "Memory on each GPU", messages.headlines.first_token])
      expect(page).not.toContain(text);
    expect(page).toContain(messages.noPrice);
  });

  it("shows reasons and ways out where there is no plan", () => {
    const rejected: Rejected[] = [
      {
        gpu: "gpu-a",
        workload: "chat",
        message: "Short by 37 GB.",
        ways_out: [{ constraints: { gpus: ["gpu-a", "gpu-b"] } }, { peak_requests_per_s: 12.5 }, {}, { unheard_of: 1 }],
      },
    ];
    const page = words(html(createState(initial({ feasible: false, rejected }))));
    expect(page).toContain(messages.noPlanHeadline);
    expect(page).toContain("GPU AShort by 37 GB.");
    expect(page.match(/Apply: GPUs → GPU A, gpu-b/g)).toHaveLength(1);
    expect(page.match(/Apply: Peak rate → 12.5 requests\/s/g)).toHaveLength(1);
    expect(page.match(/Apply/g)).toHaveLength(2);
  });

  it("shows an error at the field that it names, and others above the form", () => {
    const state = createState(initial(kAnswer));
    state.errors.value = [
      { code: "range", path: "/workloads/0/peak_requests_per_s", message: "must be above 0", hint: "more than 0" },
      { code: "unknown", path: "/economics/x", message: "unknown key" },
    ];
    const page = html(state);
    expect(page).toMatch(/id="rate"[^>]*aria-invalid="true"/);
    expect(page).toMatch(/id="rate-fault"[^>]*><p>must be above 0 Hint: more than 0/);
    expect(words(page)).toContain("There is an error in the requestEconomics: X unknown key");
    expect(page).toContain(messages.staleAnswer);
  });

  it("draws any request that a link may hold", () => {
    for (const request of [
      {},
      { workloads: 5 },
      { workloads: [{ model: { base: "x" }, peak_requests_per_s: "many" }] },
      { constraints: { gpus: 1 } },
    ]) {
      const state = createState(initial(kAnswer));
      state.request.value = request as JsonObject;
      expect(html(state)).toContain("<h1");
    }
  });
});

describe("layOut", () => {
  it("places the parts one after the other on one scale with capacity", () => {
    const { parts, capacity, ticks } = layOut({ a: 10, b: 30 }, 80, "GiB");
    expect(parts).toEqual([
      { key: "a", value: 10, from: 0, width: 12.5 },
      { key: "b", value: 30, from: 12.5, width: 37.5 },
    ]);
    expect(capacity).toBe(100);
    expect(ticks[1]).toEqual([20, 25]);
  });

  it("shows parts beyond the capacity", () => {
    expect(layOut({ a: 100 }, 80, "GiB").capacity).toBe(80);
  });
});

describe("readReply", () => {
  it("tells answers, errors and the unreadable apart", () => {
    expect(readReply('{"feasible":true}').kind).toBe("answer");
    expect(readReply('{"errors":[{"path":"/x","message":"m","hint":""}]}')).toEqual({
      kind: "errors",
      errors: [{ code: "", path: "/x", message: "m", hint: undefined }],
    });
    for (const text of ["", "[]", "null", '{"plans":[]}', "<html>"]) expect(readReply(text).kind).toBe("unreadable");
  });
});

/** A page whose engine answers as told, with an address bar that is a variable. */
function running(answer: (request: JsonObject) => PlanAnswer | object, hash = "") {
  const state = createState(initial(kAnswer));
  const asked: JsonObject[] = [];
  const bar = { hash };
  const surroundings: Surroundings = {
    async answer(text) {
      const request = JSON.parse(text) as JsonObject;
      asked.push(request);
      return JSON.stringify(answer(request));
    },
    readHash: () => bar.hash,
    replaceHash: (next) => {
      bar.hash = next;
    },
  };
  return { state, asked, bar, controller: createController(state, surroundings), surroundings };
}

/** Waits for a state, however long the machine takes. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000 });
const withCount = (gpu_count: number): PlanAnswer => ({
  feasible: true,
  plans: [{ ...kAnswer.plans?.[0], gpu_count, summary: `${gpu_count} GPUs` }],
});

describe("the controller", () => {
  it("answers an edit at once, then settles with the link; explanations come when they are opened", async () => {
    const page = running(() => withCount(8));
    await page.controller.start();
    page.controller.edit("/workloads/0/model", "model-b");
    await until(() => expect(page.bar.hash).toMatch(/^#\/\?s=1\./));
    const plans = page.asked.filter((request) => request.kind === "plan");
    const isExplained = (request: JsonObject) => (request.options as JsonObject | undefined)?.explain;
    expect(plans.map(isExplained)).toEqual([undefined, undefined, undefined]);
    const drawsOf = (request: JsonObject) => (request.options as JsonObject | undefined)?.draws;
    expect(plans.map(drawsOf)).toEqual([undefined, 0, undefined]);
    expect(page.state.lacksDraws.value).toBe(false);
    expect(page.state.answer.value.plans?.[0]?.gpu_count).toBe(8);
    expect(page.state.announcement.value).toBe("8 GPUs");

    const again = running(() => withCount(8), page.bar.hash);
    await again.controller.start();
    expect(again.state.request.value).toEqual(page.state.request.value);

    page.controller.explain("/plans/0/gpu_count");
    const before = page.bar.hash;
    page.controller.edit("/workloads/0/peak_requests_per_s", 60);
    await until(() => expect(page.bar.hash).not.toBe(before));
    expect(page.asked.filter((request) => request.kind === "plan").map(isExplained)).toEqual([
      undefined,
      undefined,
      undefined,
      true,
      true,
    ]);
    page.controller.closeExplanation();

    page.controller.reset();
    await until(() => expect(page.bar.hash).toBe(""));
  });

  it("asks for the draws once a held slider is let go, or has been still", async () => {
    const page = running(() => withCount(8));
    await page.controller.start();
    const draws = () =>
      page.asked
        .filter((request) => request.kind === "plan")
        .map((request) => (request.options as JsonObject | undefined)?.draws);
    vi.useFakeTimers();
    try {
      page.state.isHeld.value = true;
      page.controller.edit("/workloads/0/peak_requests_per_s", 60);
      await vi.advanceTimersByTimeAsync(300);
      expect(draws()).toEqual([undefined, 0]);
      page.state.isHeld.value = false;
      await vi.advanceTimersByTimeAsync(1);
      expect(draws()).toEqual([undefined, 0, undefined]);
      page.state.isHeld.value = true;
      page.controller.edit("/workloads/0/peak_requests_per_s", 70);
      await vi.advanceTimersByTimeAsync(1000);
      expect(draws()).toEqual([undefined, 0, undefined, 0, undefined]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("keeps the explanations of an answer when the same question is answered again without", async () => {
    const isExplained = (request: JsonObject) => (request.options as JsonObject | undefined)?.explain === true;
    const page = running((request) => ({ ...withCount(8), ...(isExplained(request) ? { trace: [] } : {}) }));
    const started = page.controller.start();
    page.controller.explain("/plans/0/gpu_count");
    page.controller.closeExplanation();
    await started;
    const asked = () => page.asked.filter((request) => request.kind === "plan").map(isExplained);
    await until(() => expect(asked()).toEqual([true, false]));
    // Both answers have been read by the next task.
    await new Promise((resolve) => setTimeout(resolve));
    expect(page.state.answer.value.trace).toEqual([]);

    page.controller.edit("/workloads/0/peak_requests_per_s", 60);
    await until(() => expect(page.state.answer.value.trace).toBeUndefined());
  });

  it("keeps the last numbers beside an error and recovers", async () => {
    const page = running((request) =>
      "bad" in request ? { errors: [{ code: "unknown", path: "/bad", message: "unknown key" }] } : withCount(4),
    );
    await page.controller.start();
    page.controller.edit("/bad", 1);
    await until(() => expect(page.state.errors.value).toHaveLength(1));
    expect(page.state.answer.value.plans?.[0]?.gpu_count).toBe(4);
    page.controller.edit("/bad", undefined);
    await until(() => expect(page.state.errors.value).toEqual([]));
  });

  it("applies a way out as a merge patch", async () => {
    const page = running(() => withCount(4));
    page.controller.applyWayOut({ constraints: { gpus: ["gpu-b"] }, workloads: null });
    expect(page.state.request.value).toEqual({ kind: "plan", constraints: { gpus: ["gpu-b"] } });
  });
});

describe("an edit before the start", () => {
  it("keeps what was edited before the start, and while it reads the address", async () => {
    const early = running(() => withCount(4));
    early.controller.edit("/workloads/0/peak_requests_per_s", 60);
    await early.controller.start();
    const meanwhile = running(() => withCount(4));
    const started = meanwhile.controller.start();
    meanwhile.controller.edit("/workloads/0/peak_requests_per_s", 60);
    await started;
    for (const { state, bar, asked } of [early, meanwhile]) {
      await until(() => expect(bar.hash).toMatch(/^#\/\?s=1\./));
      expect(valueAt(state.request.value, "/workloads/0/peak_requests_per_s")).toBe(60);
      expect(state.answered.value).toBe(state.request.value);
      expect(asked.filter(({ kind }) => kind === "catalog")).toHaveLength(1);
    }
  });

  it("prefers the link to what was edited before it was read", async () => {
    const linked = running(() => withCount(4));
    linked.controller.edit("/workloads/0/model", "model-b");
    await until(() => expect(linked.bar.hash).not.toBe(""));
    const page = running(() => withCount(4), linked.bar.hash);
    page.controller.edit("/workloads/0/peak_requests_per_s", 60);
    await page.controller.start();
    expect(page.state.request.value).toEqual(linked.state.request.value);
  });
});

describe("what is not as it should be", () => {
  it("is said when a link cannot be read or comes from another release", async () => {
    const bad = running(() => withCount(4), "#/?s=1.9zzz");
    await bad.controller.start();
    expect(bad.state.notice.value).toBe(messages.badLink);
    expect(bad.state.request.value).toEqual(kPreset);

    const old = running(() => ({ ...withCount(4), podwright_version: "2.0.0" }), "#/?p=1&v=1.0.0");
    await old.controller.start();
    expect(old.state.notice.value).toContain("1.0.0");
  });

  it("keeps inputs and numbers when the engine has stopped", async () => {
    const page = running(() => kAnswer);
    page.surroundings.answer = async () => {
      throw new EngineFailed("gone");
    };
    await page.controller.start();
    expect(page.state.engine.value).toBe("failed");
    expect(page.state.answer.value).toBe(page.state.initial.answer);
  });
});

describe("readSources", () => {
  it("indexes a catalog list and makes nothing of other replies", () => {
    expect(readSources('{"items":[{"id":"a","title":"A"},5]}').get("a")?.title).toBe("A");
    for (const text of ["", "null", '{"errors":[]}']) expect(readSources(text).size).toBe(0);
  });
});
