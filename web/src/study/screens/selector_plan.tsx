/** The plan for the answers: its sentence, the decision, the reasons and rules behind it, and a link that opens it in the planner. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Reason } from "../../contract.ts";
import type { JsonObject } from "../../json.ts";
import { encodeLink } from "../../link.ts";
import { usePage } from "../../page.ts";
import { translated } from "../../translation.ts";
import { Texts } from "../../views/fold.tsx";
import { Failed } from "../../views/lazy.tsx";
import { Complaints } from "./calculator.tsx";
import { selectorTexts } from "./selector_texts.ts";
import { type EngineReply, replyTo } from "./use_engine.ts";

interface Message {
  text: string;
}

/** What is shown of the engine's answer. */
interface Shown {
  feasible: boolean;
  reasons?: Reason[];
  plans?: {
    summary?: string;
    decision?: string;
    decision_factors?: Message[];
    reasons?: string[];
    architecture?: { rules_fired?: Message[] };
  }[];
  what_would_change_the_decision?: string[];
}

interface Asked extends Pick<EngineReply, "answer" | "errors" | "failed"> {
  /** The request that it answers. */
  request: string;
}

export function SelectorPlan({ request }: { request: JsonObject }) {
  const text = JSON.stringify(request);
  const [asked, setAsked] = useState<Asked>();
  const [busy, setBusy] = useState(false);
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const work = async () => {
    setBusy(true);
    const reply = await replyTo(text);
    if (isGone.current) return;
    setAsked({ ...reply, request: text });
    setBusy(false);
  };
  return (
    <section class="selector-plan" aria-label={selectorTexts.plan}>
      <p class="row selector-actions">
        <button type="button" disabled={busy} onClick={() => void work()}>
          {selectorTexts.work}
        </button>{" "}
        <PlannerLink request={request} />{" "}
        <span class="note" role="status">
          {busy ? selectorTexts.working : asked !== undefined && asked.request !== text ? selectorTexts.changed : ""}
        </span>
      </p>
      {asked === undefined ? null : <Reply asked={asked} again={() => void work()} />}
    </section>
  );
}

function PlannerLink({ request }: { request: JsonObject }) {
  const { preset } = usePage().state.initial;
  const [link, setLink] = useState<string>();
  const text = JSON.stringify(request);
  useEffect(() => {
    let isGone = false;
    const state = { request: JSON.parse(text) as JsonObject, plan: 0 };
    encodeLink(preset as unknown as JsonObject, state).then(
      (made) => isGone || setLink(made),
      () => isGone || setLink(undefined),
    );
    return () => {
      isGone = true;
    };
  }, [text, preset]);
  return link === undefined ? null : <a href={link === "" ? "#/" : link}>{selectorTexts.open}</a>;
}

function Reply({ asked: { answer, errors, failed }, again }: { asked: Asked; again: () => void }) {
  if (failed) return <Failed text={selectorTexts.failed} again={again} />;
  if (errors.length > 0 || answer === undefined) return <Complaints errors={errors} />;
  return <Plan answer={answer as unknown as Shown} />;
}

function Plan({ answer }: { answer: Shown }) {
  const [plan] = answer.plans ?? [];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [answer]);
  if (!answer.feasible || plan === undefined)
    return (
      <div class="selector-answer">
        <h2 ref={heading} tabIndex={-1}>
          {selectorTexts.none}
        </h2>
        <Texts items={answer.reasons ?? []} />
      </div>
    );
  const { summary = "", decision, decision_factors = [], reasons = [], architecture } = plan;
  return (
    <div class="selector-answer">
      <h2 ref={heading} tabIndex={-1}>
        {translated(summary)}
      </h2>
      <h3>{selectorTexts.decision}</h3>
      {decision === undefined ? null : <p>{translated(decision)}</p>}
      <Texts items={decision_factors.map((factor) => ({ ...factor, message: factor.text }))} />
      <h3>{selectorTexts.reasons}</h3>
      <Texts items={reasons} />
      <h3>{selectorTexts.rules}</h3>
      <Texts items={(architecture?.rules_fired ?? []).map(({ text }) => text)} />
      <h3>{selectorTexts.flips}</h3>
      <Texts items={answer.what_would_change_the_decision ?? []} />
    </div>
  );
}
