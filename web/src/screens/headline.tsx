/** The answer of each kind in one sentence, its limit, and where it is infeasible the reasons with their ways out. */

import type { ComponentChildren } from "preact";
import type { Message, PlanAnswer, Rejected } from "../contract.ts";
import { isObject, textAt, valueAt } from "../json.ts";
import { messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { nameOf, type State } from "../state.ts";
import { translated } from "../translation.ts";
import { RejectedList } from "../views/rejected.tsx";
import { Sentence } from "../views/sentence.tsx";
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

/** The engine's own sentence where it has one; else one of ours around its numbers. */
function sentenceOf(state: State, answer: PlanAnswer): ComponentChildren {
  const said = textAt(answer, "/summary") ?? textAt(answer, "/designs/0/summary");
  if (said !== undefined) return said;
  if (answer.feasible === false) return answer.kind === "explain" ? texts.claimImpossible : texts.infeasible;
  const gpu = (at: string) => nameOf(state.initial.gpus, textAt(answer, at));
  const model = <i>{nameOf(state.initial.models, textAt(answer, "/model"))}</i>;
  const amount = (place: string) => <Amount place={place} />;
  switch (answer.kind) {
    case "serving":
      return (
        <Sentence
          template={texts.servingHeadline}
          parts={{
            gpu_count: amount("/gpu_count"),
            gpu: <b>{gpu("/gpu")}</b>,
            model,
            tokens: amount("/throughput/output_tokens_per_s"),
            tpot: amount("/latency/tpot_s"),
          }}
        />
      );
    case "training":
      return (
        <Sentence
          template={texts.trainingHeadline}
          parts={{
            gpu_count: amount("/gpu_count"),
            gpu: <b>{gpu("/gpu")}</b>,
            model,
            step: amount("/step/time_s"),
            mfu: amount("/throughput/mfu"),
          }}
        />
      );
    case "search":
      return searchSentence(answer, gpu, model);
    case "fabric":
      return (
        <Sentence
          template={texts.fabricHeadline}
          parts={{
            nodes: amount("/fabric/nodes"),
            leaves: amount("/fabric/leaf/total"),
            spines: amount("/fabric/spine/total"),
            tiers: amount("/fabric/tiers"),
          }}
        />
      );
    case "mig":
      return (
        <Sentence template={texts.migHeadline} parts={{ count: amount("/gpus_needed"), gpu: <b>{gpu("/gpu")}</b> }} />
      );
    case "rule_of_thumb":
      return <Sentence template={texts.rulesHeadline} parts={{ parameters: amount("/parameters") }} />;
    case "explain": {
      const claims = valueAt(answer, "/claims");
      return Array.isArray(claims) ? texts.statementsHeadline : texts.claimPossible;
    }
    default:
      return messages.screens[state.asking.screen];
  }
}

function searchSentence(answer: PlanAnswer, gpu: (at: string) => string, model: ComponentChildren): ComponentChildren {
  const list = isObject(valueAt(answer, "/deployments/0")) ? "/deployments/0" : "/layouts/0";
  const isServing = list === "/deployments/0";
  return (
    <Sentence
      template={isServing ? texts.deploymentHeadline : texts.layoutHeadline}
      parts={{
        gpu_count: <Amount place={`${list}/gpu_count`} />,
        gpu: <b>{gpu(`${list}/gpu`)}</b>,
        model,
        rate: <Amount place={`${list}/max_requests_per_s`} />,
        step: <Amount place={`${list}/step/time_s`} />,
      }}
    />
  );
}
