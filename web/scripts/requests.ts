/** What the forms of the screens are made of: for each screen the engine's schema of its requests, and examples to start from. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../src/json.ts";
import type { ScreenRequests } from "../src/screens/requests.ts";

/** The kind of request that a screen asks, and the examples that it offers; the first is what it opens with. */
const kScreens: Record<string, { kind: string; examples: string[] }> = {
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

export function screenRequests(
  examples: string,
  schemaOf: (kind: string) => JsonObject,
): Record<string, ScreenRequests> {
  const read = (name: string) => ({
    name,
    request: JSON.parse(readFileSync(join(examples, `${name}.json`), "utf8")) as JsonObject,
  });
  return Object.fromEntries(
    Object.entries(kScreens).map(([screen, { kind, examples: names }]) => [
      screen,
      { schema: schemaOf(kind), examples: names.map(read) },
    ]),
  );
}
