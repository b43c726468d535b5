/** The calculator of lessons and labs: its inputs, and how values of an answer are written. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderToString } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import type { PlanAnswer } from "../../../web/src/contract.ts";
import { kIdleController } from "../../../web/src/controller.ts";
import { numberAt } from "../../../web/src/json.ts";
import { PageContext } from "../../../web/src/page.ts";
import { createState } from "../../../web/src/state.ts";
import { Calculator, type CalculatorProps, sliderOf } from "../../../web/src/study/screens/calculator.tsx";
import { numberShown, shownText } from "../../../web/src/study/screens/shown_value.ts";

const answer = { kind: "rule_of_thumb" } as unknown as PlanAnswer;
const state = createState({
  preset: {},
  answer,
  models: [],
  verbs: {},
  gpus: [{ id: "gpu-a", name: "GPU A", group: "Group" }],
});

const lessons = fileURLToPath(new URL("../../../core/study/data/lessons/", import.meta.url));
/** Every calculator of the lessons. */
const blocks: CalculatorProps[] = readdirSync(lessons).flatMap((file) =>
  [...readFileSync(join(lessons, file), "utf8").matchAll(/```calculator\n([\s\S]*?)\n```/g)].map(
    ([, block = ""]) => JSON.parse(block) as CalculatorProps,
  ),
);

describe("values of an answer", () => {
  it.each([
    ["/memory_per_gpu/weights_gib", "GiB", 14.96, "15.0 GiB"],
    ["/rules/0/memory_gb", "GB", 112, "112.0 GB"],
    ["/latency/tpot_s", "s", 0.01523, "15.2 ms"],
    ["/realistic/gpu_count_for_claimed_days", "GPUs", 24, "24 GPUs"],
    ["/kv_cache/bytes_per_token", "bytes", 131_072, "131 kB"],
    ["/on_premises/idle_usd_per_year", "USD a year", 2400, "$2,400 per year"],
    ["/break_even/utilization", "of the time", 0.523, "52.3 % of the time"],
    ["/throughput/mfu", undefined, 0.4, "40 %"],
    ["/plans/0/cost_usd", undefined, 12, "$12.00"],
  ])("%s in %s", (pointer, unit, value, text) => {
    expect(numberShown(value, { pointer, unit })).toBe(text);
  });

  it("are numbers, flags or words, and nothing where the answer has none", () => {
    const shown = (pointer: string) =>
      shownText(
        state,
        { feasible: true, gpu: "gpu-a", list: [{ n: 2 }], limited_by: "memory-bandwidth" },
        {
          pointer,
          label: "",
        },
      );
    expect(shown("/feasible")).toBe("yes");
    expect(shown("/gpu")).toBe("GPU A");
    expect(shown("/list/0/n")).toBe("2");
    expect(shown("/limited_by")).toBe("Memory bandwidth");
    expect(shown("/nothing")).toBeUndefined();
  });
});

describe("inputs", () => {
  it("are whole where their ends and their start are, unless it is said", () => {
    const input = { pointer: "/x", label: "X", min: 0, max: 3 };
    expect(sliderOf(input, 1).integer).toBe(true);
    expect(sliderOf(input, 0.5).integer).toBe(false);
    expect(sliderOf({ ...input, max: 0.5 }, 0).integer).toBe(false);
    expect(sliderOf({ ...input, integer: false }, 1).integer).toBe(false);
  });

  it("of every lesson stand in the request, within their ends", () => {
    expect(blocks.length).toBeGreaterThan(30);
    const outside = blocks.flatMap(({ title, request, inputs }) =>
      inputs
        .filter(({ pointer, min, max }) => {
          const start = numberAt(request, pointer);
          return !(start !== undefined && min < max && start >= min && start <= max);
        })
        .map(({ pointer }) => `${title}: ${pointer}`),
    );
    expect(outside).toEqual([]);
  });
});

describe("the calculator", () => {
  it("draws each input with a slider, a box and two buttons, and each value's name", () => {
    const [block] = blocks;
    if (block === undefined) throw new Error("no lesson has a calculator");
    const html = renderToString(
      <PageContext.Provider value={{ state, controller: kIdleController }}>
        <Calculator {...block} />
      </PageContext.Provider>,
    );
    expect(html.match(/type="range"/g)).toHaveLength(block.inputs.length);
    expect(html.match(/type="number"/g)).toHaveLength(block.inputs.length);
    expect(html.match(/<button/g)).toHaveLength(block.inputs.length * 2 + 1);
    for (const { label } of [...block.inputs, ...block.shows]) expect(html).toContain(label);
  });
});
