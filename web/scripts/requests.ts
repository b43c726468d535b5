/** What the forms of the screens are made of: for each screen the engine's schema of its requests, and examples to start from. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PlanAnswer } from "../src/contract.ts";
import { isObject, type JsonObject } from "../src/json.ts";
import { type Field, formOf, type ScreenRequests } from "../src/screens/requests.ts";

/** The kind of request that a screen asks, and the examples that it offers; the first is what it opens with. */
export const kAskedBy: Record<string, { kind: string; examples: string[] }> = {
  plan: {
    kind: "plan",
    examples: [
      "chat_70b",
      "plan_rag",
      "plan_agents",
      "plan_batch",
      "plan_pretraining_8b",
      "plan_pretraining_70b",
      "plan_pretraining_405b",
      "finetune_lora_70b",
      "plan_finetuning_service",
      "plan_startup",
      "plan_university",
      "plan_sovereign",
      "mixed",
    ],
  },
  serving: { kind: "serving", examples: ["serving_70b", "serving_moe", "infeasible"] },
  training: { kind: "training", examples: ["training_405b"] },
  deployments: { kind: "search", examples: ["search_serving_70b"] },
  layouts: { kind: "search", examples: ["search_405b"] },
  architecture: { kind: "architecture", examples: ["architecture_h100"] },
  fabric: { kind: "fabric", examples: ["fabric_h100_127"] },
  mig: { kind: "mig", examples: ["mig_small_models"] },
  cost: { kind: "cost", examples: ["cost_h100", "cost_clouds_h100", "cost_fleet_h100"] },
  claims: { kind: "explain", examples: ["claim_llama_2_70b", "claim_8b", "claim_electricity"] },
  statements: { kind: "explain", examples: ["architecture_claims"] },
  rules: { kind: "rule_of_thumb", examples: ["rule_of_thumb"] },
};

/** The answer to the first example without what explains it: the page asks for that when a number is opened. */
function shownAnswer(answer: unknown): PlanAnswer | undefined {
  if (!isObject(answer) || answer.kind === undefined) return undefined;
  const { trace: _trace, ...shown } = answer;
  return shown as unknown as PlanAnswer;
}

/** `answer` gives the command's answer to a request on its standard input. The plan's answer stands in the page itself. */
export function screenRequests(
  examples: string,
  schemaOf: (kind: string) => JsonObject,
  answer: (kind: string, request: JsonObject) => unknown,
): Record<string, ScreenRequests> {
  const read = (name: string) => ({
    name,
    request: JSON.parse(readFileSync(join(examples, `${name}.json`), "utf8")) as JsonObject,
  });
  return Object.fromEntries(
    Object.entries(kAskedBy).map(([screen, { kind, examples: names }]) => {
      const all = names.map(read);
      const whole = schemaOf(kind);
      const first = all[0]?.request;
      const schema = formOf(whole as Field, first);
      const isInPage = screen === "plan" || first === undefined;
      return [screen, { schema, examples: all, answer: isInPage ? undefined : shownAnswer(answer(kind, first)) }];
    }),
  );
}
