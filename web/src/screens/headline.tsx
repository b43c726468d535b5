/** The answer of each kind in one sentence, its limit, and where it is infeasible the reasons with their ways out. */

import type { ComponentChildren } from "preact";
import type { Message, PlanAnswer, Rejected } from "../contract.ts";
import { fieldText } from "../format.ts";
import { isObject, numberAt, textAt, valueAt } from "../json.ts";
import { language } from "../language.ts";
import { messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { nameOf, type State } from "../state.ts";
import { translated } from "../translation.ts";
import { RejectedList } from "../views/rejected.tsx";
import { Sentence } from "../views/sentence.tsx";
import { DecisionSentence } from "./decision.tsx";
import { EnoughReplicas } from "./enough_replicas.tsx";
import { texts } from "./texts.ts";
import { Amount } from "./value.tsx";
import { wordText } from "./words.ts";

export function Headline() {
  const { state } = usePage();
  const answer = state.answer.value;
  if (answer.kind === undefined) {
    return (
      <h1 id="headline" tabIndex={-1}>
        {state.errors.value.length > 0 ? texts.faultHeadline : texts.askingHeadline}
      </h1>
    );
  }
  const binding = (valueAt(answer, "/binding") ?? valueAt(answer, "/layouts/0/binding")) as Message | undefined;
  const layout = textAt(answer, "/deployments/0/layout") ?? textAt(answer, "/layouts/0/layout");
  const sentence = sentenceOf(state, answer);
  const [first, others] =
    typeof sentence === "string" ? firstSentence(sentence.replace(/(\d) %/g, "$1\u00a0%")) : [sentence, ""];
  return (
    <>
      <h1 id="headline" tabIndex={-1}>
        {first}
      </h1>
      {others === "" ? null : <p class="limit">{others}</p>}
      {layout === undefined ? null : <p class="limit">{wordText(state, layout)}</p>}
      {answer.kind === "serving" ? <EnoughReplicas /> : null}
      {binding === undefined ? null : <p class="limit">{translated(binding)}</p>}
      <Verdict />
      {answer.feasible === false ? <RejectedList items={reasonsOf(answer)} /> : null}
    </>
  );
}

/** The first sentence or clause of what the engine says, and what follows it. */
export function firstSentence(text: string): [string, string] {
  const end = /[.;:](?= )/.exec(text);
  return end === null ? [text, ""] : [text.slice(0, end.index), text.slice(end.index + 2)];
}

/** Reasons, or the nearest misses where the answer names those instead. */
function reasonsOf(answer: PlanAnswer): readonly Rejected[] {
  const { reasons = [], rejected = [] } = answer;
  return reasons.length > 0 ? reasons : rejected.slice(0, 4);
}

function Verdict() {
  const { state } = usePage();
  const verdict = textAt(state.answer.value, "/verdict");
  // The headline has said these.
  if (verdict === undefined || verdict === "possible" || verdict === "impossible") return null;
  return (
    <p class="limit">
      {texts.verdict}: <b>{wordText(state, verdict)}</b>
    </p>
  );
}

/** Our sentences, each with the places of the numbers in it; every one may name a GPU and the model. */
type Headlines = Extract<keyof typeof texts, `${string}Headline`>;
const kSentences: Record<string, [Headlines, Record<string, string>]> = {
  serving: [
    "servingHeadline",
    { gpu_count: "/gpu_count", tokens: "/throughput/output_tokens_per_s", tpot: "/latency/tpot_s" },
  ],
  training: ["trainingHeadline", { gpu_count: "/gpu_count", step: "/step/time_s", mfu: "/throughput/mfu" }],
  deployments: ["deploymentHeadline", { gpu_count: "/gpu_count", rate: "/max_requests_per_s" }],
  layouts: ["layoutHeadline", { gpu_count: "/gpu_count", step: "/step/time_s" }],
  waiting: [
    "waitingHeadline",
    { admitted: "/admitted_concurrency", wait: "/latency/wait_s", ttft: "/latency/ttft_s", gpu_count: "/gpu_count" },
  ],
  fabric: [
    "fabricHeadline",
    {
      nodes: "/fabric/nodes",
      leaves: "/fabric/leaf/total",
      spines: "/fabric/spine/total",
      tiers: "/fabric/tiers",
    },
  ],
  mig: ["migHeadline", { count: "/gpus_needed" }],
  rule_of_thumb: ["rulesHeadline", { parameters: "/parameters" }],
};

/** The engine's own sentence where it has one; else one of ours around its numbers. */
function sentenceOf(state: State, answer: PlanAnswer): ComponentChildren {
  const said = textAt(answer, "/summary") ?? textAt(answer, "/designs/0/summary");
  // The engine writes a summary in English alone.
  if (answer.kind === "cost" && language.value !== "en" && valueAt(answer, "/decision/ways/1") !== undefined)
    return <DecisionSentence place="/decision" />;
  if (said !== undefined) return said;
  if (answer.feasible === false) return answer.kind === "explain" ? texts.claimImpossible : texts.infeasible;
  if (answer.kind === "explain")
    return Array.isArray(valueAt(answer, "/claims")) ? texts.statementsHeadline : texts.claimPossible;
  const found = isObject(valueAt(answer, "/deployments/0")) ? "deployments" : "layouts";
  const isSearch = answer.kind === "search";
  const asked = numberAt(state.answered.value, "/load/concurrency");
  const admitted = numberAt(answer, "/admitted_concurrency");
  const waits = asked !== undefined && admitted !== undefined && admitted < asked;
  const sentence = kSentences[isSearch ? found : waits ? "waiting" : (answer.kind ?? "")];
  if (sentence === undefined) return messages.screens[state.asking.screen];
  const [template, places] = sentence;
  const from = isSearch ? `/${found}/0` : "";
  const amounts = Object.entries(places).map(([name, place]) => [name, <Amount key={name} place={from + place} />]);
  return (
    <Sentence
      template={texts[template]}
      parts={{
        asked: asked === undefined ? "" : fieldText(asked),
        gpu: <b>{nameOf(state.initial.gpus, textAt(answer, `${from}/gpu`))}</b>,
        model: <i>{nameOf(state.initial.models, textAt(answer, "/model"))}</i>,
        ...Object.fromEntries(amounts),
      }}
    />
  );
}
