/** The roofline of a serving answer as it is drawn: the numbers of the golden answer, in words, in marks and in the request for a plan's. */
import { readFileSync } from "node:fs";
import { renderToString } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import type { PlanAnswer } from "../../web/src/contract.ts";
import { kIdleController } from "../../web/src/controller.ts";
import { PageContext } from "../../web/src/page.ts";
import { Roofline } from "../../web/src/screens/charts/roofline.tsx";
import { withRoofline } from "../../web/src/screens/plan_roofline.tsx";
import { createState } from "../../web/src/state.ts";

const golden = new URL("../golden/answers/serving_dense_8b_one_gpu.json", import.meta.url);
const answer = JSON.parse(readFileSync(golden, "utf8")) as PlanAnswer & {
  roofline: { points: { intensity_flop_per_byte: number; attained_tflops_low?: number }[] };
};

function drawn(of: PlanAnswer): string {
  const state = createState(
    { preset: {}, answer: of, models: [], gpus: [], verbs: {} },
    { screen: "serving", explain: "never" },
  );
  return renderToString(
    <PageContext.Provider value={{ state, controller: kIdleController }}>
      <Roofline place="/roofline" />
    </PageContext.Provider>,
  );
}

describe("a roofline", () => {
  const html = drawn(answer);

  it("says of each step which roof it reaches how far", () => {
    expect(html).toMatch(/<h3>Decode reaches [\d.]+ % of its (?:memory|arithmetic) roof, prefill reaches [\d.]+ %/);
    for (const { intensity_flop_per_byte: intensity } of answer.roofline.points)
      expect(html).toContain(`at ${Number(intensity.toPrecision(3)).toLocaleString("en")} FLOP per byte`);
  });

  it("has a mark, a name and an interval for each step", () => {
    expect(html.match(/class="series roof-point/g)?.length).toBe(answer.roofline.points.length);
    expect(html.match(/<line[^>]*><\/line><svg/g)?.length).toBe(
      answer.roofline.points.filter((point) => point.attained_tflops_low !== undefined).length,
    );
  });

  it("is said in words to who does not see it", () => {
    const label = /aria-label="([^"]+)"/.exec(html)?.[1] ?? "";
    expect(label).toMatch(/^Roofline: [\d,]+ GB\/s up to [\d,.]+ FLOP per byte, then [\d,]+ TFLOP\/s\. Decode: /);
  });

  it("is stepped through by a slider, so by the arrow keys, that speaks each step", () => {
    const slider = /<input type="range"[^>]*>/.exec(html)?.[0] ?? "";
    expect(slider).toContain(`max="${answer.roofline.points.length - 1}"`);
    expect(slider).toMatch(/aria-valuetext="Decode: [\d,.]+ TFLOP\/s/);
    expect(html.match(/class="mark chosen"/g)?.length).toBe(1);
  });

  it("draws nothing where the answer has none", () => {
    const { roofline: _none, ...without } = answer;
    expect(drawn(without as PlanAnswer)).toBe("");
  });
});

describe("the question of a plan's roofline", () => {
  it("is the plan's own without draws", () => {
    expect(withRoofline({ kind: "plan", options: { top: 3, draws: 20000 } })).toEqual({
      kind: "plan",
      options: { top: 3, draws: 0, roofline: true },
    });
  });
});
