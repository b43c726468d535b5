/** The way from a question into the planner: its own case where it has one, else a screen for questions like it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { kAskedBy } from "../../../web/scripts/requests.ts";
import { decodeLink } from "../../../web/src/link.ts";
import { kScreens } from "../../../web/src/route.ts";
import { plannerScreen } from "../../../web/src/study/planner_screens.ts";
import type { Question } from "../../../web/src/study/question.ts";
import { caseAddress } from "../../../web/src/study/screens/question/case_address.ts";

const readJson = (path: string) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8"));

/** A whole exam as the engine writes it. */
const exam: Question[] = readJson("tests/golden/answers/exam_generated.json").questions;
const withCase = exam.filter(({ planner }) => planner !== undefined);

describe("a question's own case", () => {
  it("stands in the address whatever the screen's example is", async () => {
    const request = { kind: "fabric", nodes: 96, rails: 8, switch_ports: 64, nodes_per_unit: 32 };
    const address = await caseAddress({ planner: { screen: "fabric", request } });
    expect(address).toMatch(/^#\/fabric\?s=1\./);
    const example = readJson("examples/fabric_h100_127.json");
    expect(await decodeLink(example, address ?? "")).toEqual({ kind: "state", request, plan: 0, madeWith: undefined });
  });

  it("is an entry of the catalog where the question takes its facts", async () => {
    const request = { kind: "catalog", show: "gpus", id: "h100-sxm5-80gb" };
    expect(await caseAddress({ planner: { screen: "data", request } })).toBe("#/data/gpus/h100-sxm5-80gb");
  });

  it("is missing where no screen takes its numbers", async () => {
    expect(await caseAddress({})).toBeUndefined();
    expect(plannerScreen({ template: "t.pipeline-bubble", objective: "2.2" })).toBe("layouts");
    expect(plannerScreen({ template: undefined, objective: "2.7" })).toBeUndefined();
  });

  it("is asked by the kind of its screen, in all questions of an exam", () => {
    expect(withCase.length).toBeGreaterThan(10);
    for (const { id, planner } of withCase) {
      const screen = planner?.screen ?? "";
      expect(kScreens, id).toContain(screen);
      expect(planner?.request.kind, id).toBe(screen === "data" ? "catalog" : kAskedBy[screen]?.kind);
    }
  });
});
