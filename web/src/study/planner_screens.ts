/** Which screen of the site answers questions like this one with the learner's own numbers, where no screen shows its own case. */
import type { Question } from "./question.ts";

/** By template where it says more than its objective; of templates whose every question has its own case, none. */
const kOfTemplate: Record<string, string> = {
  "t.token-bound": "claims",
  "t.token-bound-experts": "claims",
  "t.which-gpu-fits": "deployments",
  "t.kv-of-tokens": "serving",
  "t.kv-sequences": "serving",
  "t.prompt-time": "serving",
  "t.zero-stage": "training",
  "t.lora-parameters": "training",
  "t.training-flops": "training",
  "t.pipeline-bubble": "layouts",
  "t.bubble-over-work": "layouts",
  "t.tokens-of-step": "layouts",
  "t.parallelism-choice": "layouts",
  "t.allreduce-volume": "training",
  "t.allgather-time": "training",
  "t.replicas-for-peak": "plan",
};

/** By objective, for generated questions without a line of their own. */
const kOfObjective: Record<string, string> = {
  "2.3": "architecture",
  "2.4": "cost",
  "2.5": "architecture",
  "2.6": "architecture",
  "2.7": "fabric",
  "2.9": "fabric",
  "3.4": "mig",
};

/** Undefined where none fits: questions about names and purposes have nothing to compute. */
export function plannerScreen({ template, objective }: Pick<Question, "template" | "objective">): string | undefined {
  if (template === undefined) return undefined;
  return kOfTemplate[template] ?? kOfObjective[objective];
}
