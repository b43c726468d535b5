/** The question side of a plan: tasks, numbers as people type them, complaints with what mends them, inputs by what they are called. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import type { RequestError } from "../../web/src/contract.ts";
import { isObject, type JsonObject, valueAt } from "../../web/src/json.ts";
import { speak } from "../../web/src/language.ts";
import { type SaidFault, sayFault } from "../../web/src/screens/faults.ts";
import { inputsOf, matchingInputs } from "../../web/src/screens/find_inputs.ts";
import { placeName, placeOf } from "../../web/src/screens/places.ts";
import {
  kQualities,
  kStartOf,
  kTasks,
  meanShare,
  type Quality,
  qualityOf,
  type Task,
  taskOf,
  wayOf,
  withPeak,
  withQuality,
  withTask,
  withWay,
} from "../../web/src/screens/plan_question.ts";
import type { Field } from "../../web/src/screens/requests.ts";
import { isWorded, quantityOf, shownNumber, typedNumber } from "../../web/src/views/quantity.ts";

const example = (name: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`../../examples/${name}.json`, import.meta.url), "utf8"));
const chat = example("chat_70b");
const workloadOf = (request: unknown) => valueAt(request, "/workloads/0") as JsonObject;
const withWorkload = (changes: JsonObject): JsonObject => ({
  ...chat,
  workloads: [{ ...workloadOf(chat), ...changes }],
});

describe("a typed number", () => {
  it.each([
    ["tokens", "5T", 5e12],
    ["tokens", "1.5 trillion tokens", 1.5e12],
    ["tokens", "15.6e12", 15.6e12],
    ["tokens", "2k", 2000],
    ["tokens", "2 万亿", 2e12],
    ["budget_usd", "1.5M", 1.5e6],
    ["budget_usd", "$1.5m", 1.5e6],
    ["budget_usd", "250k USD", 250_000],
    ["budget_usd", "1,620,000", 1_620_000],
    ["usd_per_gpu_hour", "$2.99", 2.99],
    ["deadline_days", "60d", 60],
    ["deadline_days", "60", 60],
    ["deadline_days", "8 weeks", 56],
    ["deadline_days", "36 h", 1.5],
    ["ttft_s_p95_max", "0.5 s", 0.5],
    ["ttft_s_p95_max", "500ms", 0.5],
    ["ttft_s_p95_max", "2000", 2],
    ["tpot_s_p95_max", "50 ms", 0.05],
    ["tpot_s_p95_max", "50", 0.05],
    ["think_time_s", "2 min", 120],
    ["think_time_s", "0.5", 0.5],
    ["peak_requests_per_s", "1,000", 1000],
    ["peak_requests_per_s", "300/min", 5],
    ["peak_requests_per_s", "2k rps", 2000],
    ["discount_rate", "12 %", 0.12],
    ["discount_rate", "0.08", 0.08],
    ["site_power_kw", "1.5 MW", 1500],
    ["storage_tb", "500 GB", 0.5],
    ["gpu_count", "16 384", 16_384],
    ["demand_growth_per_year", "-0.1", -0.1],
  ])("of %s: %s is %d", (key, typed, value) => {
    expect(typedNumber(typed, quantityOf(key))).toEqual({ value });
  });

  it.each([
    ["deadline_days", "5T", "unit", "T"],
    ["ttft_s_p95_max", "5k", "unit", "k"],
    ["tokens", "60d", "unit", "d"],
    ["tokens", "5 s", "unit", "s"],
    ["peak_requests_per_s", "12 %", "unit", "%"],
    ["budget_usd", "1.5M EUR", "currency", "EUR"],
    ["budget_usd", "€1.5M", "currency", "€"],
    ["budget_usd", "1,5", "comma", ""],
    ["tokens", "many", "number", ""],
    ["tokens", "-", "number", ""],
  ])("of %s: %s is no number of it", (key, typed, problem, unit) => {
    expect(typedNumber(typed, quantityOf(key))).toEqual({ problem, unit });
  });

  it("stands in its field in the unit that is written beside it, and is read back as it was", () => {
    const cases: [string, number, string][] = [
      ["ttft_s_p95_max", 2, "2000"],
      ["tpot_s_p95_max", 0.05, "50"],
      ["tokens", 1e12, "1T"],
      ["tokens", 15.6e12, "15.6T"],
      ["tokens", 123_456_789_012, "123456789012"],
      ["budget_usd", 1_620_000, "1.62M"],
      ["peak_requests_per_s", 50, "50"],
      ["deadline_days", 30, "30"],
    ];
    for (const [key, value, shown] of cases) {
      expect(shownNumber(value, quantityOf(key))).toBe(shown);
      expect(typedNumber(shown, quantityOf(key))).toEqual({ value });
    }
  });

  it("says what was understood where more than digits were typed", () => {
    expect(["5T", "1,000", "50 ms", "12 %"].filter(isWorded)).toHaveLength(4);
    expect(["50", "0.5", "-1", "2."].filter(isWorded)).toEqual([]);
  });
});

describe("a task", () => {
  it("is read from the first workload", () => {
    expect(kTasks.map((task) => taskOf(example(kStartOf[task])))).toEqual(kTasks);
    expect(taskOf({})).toBe("serve");
  });

  const pairs = kTasks.flatMap((from) => kTasks.filter((to) => to !== from).map((to): [Task, Task] => [from, to]));
  it.each(pairs)("of %s becomes %s with a workload of that alone", (from, to) => {
    const [now, next] = [example(kStartOf[from]), example(kStartOf[to])];
    const constraints = { gpus: ["b200-sxm"], budget_usd: 1.62e6 };
    const economics = { region: "DEU" };
    const changed = withTask({ ...now, constraints, economics }, now, next);
    expect(changed).toMatchObject({ constraints, economics });
    expect(workloadOf(changed)).toEqual(workloadOf(next));
    expect(taskOf(changed)).toBe(to);
  });

  it("keeps a model that was chosen, and other workloads", () => {
    const now = { ...chat, workloads: [{ ...workloadOf(chat), model: "qwen3-32b" }, workloadOf(chat)] };
    const changed = withTask(now, chat, example("plan_pretraining_8b"));
    expect(workloadOf(changed)).toMatchObject({ type: "training", model: "qwen3-32b" });
    expect(valueAt(changed, "/workloads/1")).toEqual(workloadOf(chat));
  });
});

describe("what is decided at first sight", () => {
  it("sets both limits at once, and knows which were set", () => {
    for (const quality of Object.keys(kQualities) as Quality[])
      expect(qualityOf(withQuality(chat, quality) as JsonObject)).toBe(quality);
    expect(workloadOf(withQuality(chat, "batch"))).not.toHaveProperty("ttft_s_p95_max");
    expect(qualityOf(withWorkload({ tpot_s_p95_max: 0.04 }))).toBeUndefined();
  });

  it("rents, buys or leaves it open, and keeps the kind of machine that was chosen", () => {
    for (const way of ["rent", "buy", "either"] as const) expect(wayOf(withWay(chat, way) as JsonObject)).toBe(way);
    const dgx = { ...chat, constraints: { ownership: "dgx" } };
    expect(withWay(dgx, "buy")).toEqual(dgx);
    expect(valueAt(withWay(dgx, "either"), "/constraints/ownership")).toBeUndefined();
  });

  it("keeps the ratio of mean and peak, and never asks for a mean above the peak", () => {
    // The places of the slider at which it was an error: a peak of 3.2 to 30 with a mean of 30.
    let request: JsonObject = chat;
    const share = meanShare(chat);
    for (const peak of [3.2, 9.55, 30, 29.99, 0.1, 1000]) {
      request = withPeak(request, peak, share) as JsonObject;
      const { peak_requests_per_s: now, mean_requests_per_s: mean } = workloadOf(request) as Record<string, number>;
      expect(mean).toBeLessThanOrEqual(now ?? 0);
      expect((mean ?? 0) / (now ?? 1)).toBeCloseTo(0.6, 2);
    }
    expect(workloadOf(withPeak(withWorkload({ mean_requests_per_s: 80 }), 10, 1))).toMatchObject({
      peak_requests_per_s: 10,
      mean_requests_per_s: 10,
    });
    const { mean_requests_per_s: _mean, ...bare } = workloadOf(chat);
    const alone = { ...chat, workloads: [bare] };
    expect(workloadOf(withPeak(alone, 12.34, meanShare(alone)))).toEqual({ ...bare, peak_requests_per_s: 12 });
  });
});

const fault = (code: string, path: string, message: string, hint?: string): RequestError => ({
  code,
  path,
  message,
  hint,
});
const say = (error: RequestError, request: JsonObject): SaidFault => sayFault(error, request, chat);
const texts = ({ mends }: SaidFault) => mends.map(({ text }) => text);
const after = ({ mends }: SaidFault, i = 0) => mends[i]?.request;

describe("a complaint", () => {
  afterEach(() => speak("en"));

  const kPeak = "/workloads/0/peak_requests_per_s";
  const kMean = "/workloads/0/mean_requests_per_s";

  it("about a mean above the peak names both fields and offers either", () => {
    const request = withWorkload({ mean_requests_per_s: 80 });
    const error = fault(
      "conflict",
      kMean,
      "The mean is above the peak.",
      "Give a mean at or below peak_requests_per_s.",
    );
    const said = say(error, request);
    expect(said.text).toBe("“Mean requests/s” is above “Peak requests/s”.");
    expect(texts(said)).toEqual(["Set Mean requests/s to 50", "Set Peak requests/s to 80"]);
    expect(valueAt(after(said), kMean)).toBe(50);
    expect(valueAt(after(said, 1), kPeak)).toBe(80);
  });

  it("about fields that exclude each other offers to keep one of them", () => {
    const search: JsonObject = { kind: "search", gpu_count: 8, gpu_counts: [8, 16] };
    const message = 'Exactly one of "gpu_count", "gpu_counts" and "max_gpu_count" must be given.';
    const hint = 'Write one of {"gpu_count": n}, {"gpu_counts": [n, ...]}, {"max_gpu_count": n}.';
    const said = say(fault("conflict", "/gpu_count", message, hint), search);
    expect(said.text).toBe("Only one of these may be given: “GPUs” and “Cluster sizes”.");
    expect(texts(said)).toEqual(["Keep only GPUs", "Keep only Cluster sizes"]);
    expect(after(said)).toEqual({ kind: "search", gpu_count: 8 });
    expect(after(said, 1)).toEqual({ kind: "search", gpu_counts: [8, 16] });
    expect(say(fault("conflict", "/gpu_count", message, hint), { kind: "search" })).toEqual({
      text: "One of these must be given: “GPUs”, “Cluster sizes” and “Maximum GPUs”.",
      mends: [],
    });
  });

  it("about one of two lengths keeps the other fields of the workload", () => {
    const request = withWorkload({ input_lengths: { p50: 100, p99: 4000 } });
    const message = '"input_tokens" and a list of lengths both say how long they are.';
    const said = say(fault("conflict", "/workloads/0/input_tokens", message, "Leave one of them out."), request);
    expect(said.text).toBe("“Input tokens” and a list of lengths both say how long they are.");
    expect(said.hint).toBe("Leave one of them out.");
  });

  it("names a size that the engine calls legal, and offers it", () => {
    const error = fault(
      "conflict",
      "/gpu_count",
      "gpu_count is not tensor x pipeline x attention_data x data.",
      "Legal: 16384, or other sizes in parallelism.",
    );
    const said = say(error, { gpu_count: 100 });
    expect(said.text).not.toMatch(/[a-z]_[a-z]| x /);
    expect(texts(said)).toEqual(["Set GPUs to 16,384"]);
    expect(after(said)).toEqual({ gpu_count: 16_384 });
  });

  it("about a number out of its range offers the nearest, or what the form was opened with", () => {
    const hint = "Legal: 1e-06 to 1000000000.";
    const peak = say(fault("out-of-range", kPeak, "x", hint), withWorkload({ peak_requests_per_s: -1 }));
    expect(peak.text).toBe("“Peak requests/s” must be above 0.");
    expect(texts(peak)).toEqual(["Set Peak requests/s to 50"]);
    const confidence = say(fault("out-of-range", "/constraints/confidence", "x", "Legal: 0.5 to 0.99."), {
      ...chat,
      constraints: { confidence: 2 },
    });
    expect(confidence.text).toMatch(/must be between 0\.5 and 0\.99\.$/);
    expect(valueAt(after(confidence), "/constraints/confidence")).toBe(0.99);
    const region = { ...chat, economics: { region: "XYZ" } };
    const place = say(fault("out-of-range", "/economics/region", "x", "Legal: USA, CAN."), region);
    expect(place.text).toBe("“XYZ” is not a choice for “Country or region”.");
    expect(valueAt(after(place), "/economics/region")).toBe("USA");
  });

  it("about what is missing, unknown, or of another kind has a mend each", () => {
    const missing = { ...chat, workloads: [{ type: "serving" }] };
    expect(texts(say(fault("missing", kPeak, "x"), missing))).toEqual(["Set Peak requests/s to 50"]);
    const whole = withWorkload({ input_tokens: 1.5 });
    const wrong = fault("wrong-type", "/workloads/0/input_tokens", '"input_tokens" must be a whole number, found 1.5.');
    expect(texts(say(wrong, whole))).toEqual(["Set Input tokens to 2 tokens"]);
    const quoted = withWorkload({ peak_requests_per_s: "50" });
    const text = fault("wrong-type", kPeak, '"peak_requests_per_s" must be a number, found text.');
    expect(valueAt(after(say(text, quoted)), kPeak)).toBe(50);
    for (const key of ["constructor", "toString", "__proto__"])
      expect(say(fault("unknown-key", `/${key}`, "x"), chat).text).not.toMatch(/native code|\[object/);
    const unknown = say(fault("unknown-key", "/workloads/0/deadline_days", "x"), withWorkload({ deadline_days: 5 }));
    expect(unknown.text).toBe("“Done within” cannot be given here.");
    expect(after(unknown)).toEqual(chat);
    const gpus = { ...chat, constraints: { gpus: ["x", "b200-sxm"] } };
    const gone = say(fault("unknown-id", "/constraints/gpus/0", "x"), gpus);
    expect(texts(gone)).toEqual(["Remove x"]);
    expect(valueAt(after(gone), "/constraints/gpus")).toEqual(["b200-sxm"]);
  });

  it("is said in Chinese where its kind is known", async () => {
    await speak("zh");
    const said = say(
      fault("conflict", kMean, "The mean is above the peak."),
      withWorkload({ mean_requests_per_s: 80 }),
    );
    expect(said.text).toBe("“平均请求/秒”高于“峰值请求/秒”。");
  });
});

describe("a complaint about an object that must say one thing", () => {
  it("offers to keep one of what it says", () => {
    const request: JsonObject = { kind: "serving", load: { concurrency: 2000, request_rate_per_s: 50 } };
    const hint = 'Write one of {"concurrency": n}, {"max_throughput": true}, {"request_rate_per_s": r}.';
    const said = say(fault("conflict", "/load", '"load" must say exactly one thing.', hint), request);
    expect(said.text).toBe("Only one of these may be given: “Requests in flight” and “Request rate”.");
    expect(texts(said)).toEqual(["Keep only Requests in flight", "Keep only Request rate"]);
    expect(after(said)).toEqual({ kind: "serving", load: { concurrency: 2000 } });
  });
});

describe("a place", () => {
  const places = [
    { id: "DEU", name: "Germany", group: "country" },
    { id: "gcp:europe-west3", name: "Frankfurt, Germany", group: "cloud-region" },
  ];
  afterEach(() => speak("en"));

  it("is found by its name in either language, or by its code", async () => {
    const found = (typed: string) => placeOf(places, typed)?.id;
    expect(["Germany", "germany ", "DEU", "deu"].map(found)).toEqual(["DEU", "DEU", "DEU", "DEU"]);
    expect(found("Frankfurt, Germany (europe-west3)")).toBe("gcp:europe-west3");
    expect(found("Germ")).toBeUndefined();
    await speak("zh");
    expect(places.map(placeName)).toEqual(["德国", "法兰克福，德国（europe-west3）"]);
    expect(["德国", "Germany"].map(found)).toEqual(["DEU", "DEU"]);
  });
});

describe("inputs found by what they are called", () => {
  const schema: Field = {
    properties: {
      workloads: {
        type: "array",
        items: {
          oneOf: [
            {
              properties: {
                type: { enum: ["serving"] },
                peak_requests_per_s: { type: "number", description: "Requests per second at the peak" },
                traffic: { type: "object", properties: { think_time_s: { type: "number" } } },
              },
              required: ["type"],
            },
            {
              properties: { type: { enum: ["training"] }, deadline_days: { type: "number" } },
              required: ["type"],
            },
          ],
        },
      },
      constraints: {
        type: "object",
        properties: { budget_usd: { type: "number" }, budget_usd_per_year: { type: "number" } },
      },
      economics: { type: "object", properties: { region: { enum: ["USA"] } } },
    },
  };
  const found = (typed: string, request: JsonObject = chat) =>
    matchingInputs(inputsOf(schema, request, new Set()), typed).map(({ pointer }) => pointer);

  it.each([
    ["budget", "/constraints/budget_usd"],
    ["currency", "/constraints/budget_usd"],
    ["euro", "/constraints/budget_usd"],
    ["Germany", "/economics/region"],
    ["region", "/economics/region"],
    ["users", "/workloads/0/peak_requests_per_s"],
    ["concurrent", "/workloads/0/peak_requests_per_s"],
    ["think_time_s".replaceAll("_", " "), "/workloads/0/traffic/think_time_s"],
  ])("%s finds %s", (typed, pointer) => {
    expect(found(typed)).toContain(pointer);
  });

  it("are those of the task alone", () => {
    expect(found("deadline")).toEqual([]);
    expect(found("deadline", example("plan_pretraining_8b"))).toEqual(["/workloads/0/deadline_days"]);
    expect(found("")).toEqual([]);
    expect(isObject(schema.properties)).toBe(true);
  });
});
