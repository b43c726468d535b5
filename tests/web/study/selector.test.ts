/** The selector: which questions are asked, and the request that their answers make. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ledgerPack } from "../../../web/scripts/study_pack.ts";
import {
  askedQuestions,
  kSelectorFields,
  kSelectorQuestions,
  planRequest,
  type SelectorAnswers,
} from "../../../web/src/study/selector.ts";

const nothing = Object.fromEntries(kSelectorFields.map((field) => [field, ""])) as SelectorAnswers;
const idsOf = (answers: SelectorAnswers) => askedQuestions(answers).map(({ question }) => question.id);
const data = fileURLToPath(new URL("../../../core/study/data/", import.meta.url));

describe("questions", () => {
  it("are those of the load that is asked about", () => {
    expect(idsOf(nothing)).toContain("peak");
    expect(idsOf(nothing)).not.toContain("tokens");
    expect(idsOf({ ...nothing, purpose: "pretraining" })).toContain("tokens");
    expect(idsOf({ ...nothing, purpose: "pretraining" })).not.toContain("latency");
  });

  it("name claims of the ledger and fields of the address that exist", () => {
    const claims = new Set(ledgerPack({ data, sources: new Map() }).claims.map(({ id }) => id));
    expect(kSelectorQuestions.flatMap((one) => one.claims).filter((id) => !claims.has(id))).toEqual([]);
    expect(kSelectorQuestions.map(({ id }) => id)).toEqual([...kSelectorFields]);
  });

  it("name lessons that exist", () => {
    const course = readFileSync(`${data}../../../docs/study_coverage.md`, "utf8");
    const lessons = new Set([...course.matchAll(/lesson:([a-z-]+)/g)].map(([, id]) => id));
    expect(kSelectorQuestions.map(({ lesson }) => lesson).filter((id) => !lessons.has(id))).toEqual([]);
  });
});

describe("planRequest", () => {
  it("asks for a chat service until something is said", () => {
    expect(planRequest(nothing)).toEqual({
      kind: "plan",
      workloads: [
        {
          name: "chat",
          type: "serving",
          model: "llama-3.1-8b",
          peak_requests_per_s: 5,
          input_tokens: 2048,
          output_tokens: 512,
          ttft_s_p95_max: 2,
          tpot_s_p95_max: 0.05,
        },
      ],
      constraints: {},
      economics: { horizon_years: 4, region: "USA" },
    });
  });

  it("takes every answer over", () => {
    const answers = {
      ...nothing,
      purpose: "adapters",
      model: "llama-3.1-70b",
      tokens: "1e10",
      days: "7",
      data: "air-gapped",
      ownership: "dgx",
      capital: "no",
      team: "partner",
      horizon: "5",
      region: "DEU",
      rack: "41",
      cooling: "air",
      fabric: "infiniband",
    };
    expect(planRequest(answers)).toEqual({
      kind: "plan",
      workloads: [
        { name: "adapters", type: "training", method: "lora", model: "llama-3.1-70b", tokens: 1e10, deadline_days: 7 },
      ],
      constraints: {
        ownership: "dgx",
        fabric: "infiniband",
        rack_power_kw: 41,
        liquid_cooling: false,
        sovereignty: "air-gapped",
        services: "partner",
        no_capital: true,
      },
      economics: { horizon_years: 5, region: "DEU" },
    });
  });

  it("says that nobody is there, and falls back from what a link cannot mean", () => {
    expect(planRequest({ ...nothing, team: "nobody" }).constraints).toMatchObject({ no_staff: true });
    expect(planRequest({ ...nothing, purpose: "toString", peak: "-3" })).toEqual(planRequest(nothing));
  });
});
