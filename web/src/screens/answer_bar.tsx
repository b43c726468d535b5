/**
 * The answer in few words where the headline is not in sight: the form covers it in narrow windows, and the page may be scrolled
 * beyond it. The headline says the same to screen readers.
 */
import { useEffect, useState } from "preact/hooks";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { shownPlan } from "../state.ts";
import { translated } from "../translation.ts";
import { planName } from "../views/names.ts";
import { formTexts } from "./form_texts.ts";

/** True while the headline is beyond the window. */
function useIsAway(): boolean {
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    const answer = document.querySelector(".answer");
    if (answer === null) return;
    const observer = new IntersectionObserver(([entry]) => setIsAway(entry?.isIntersecting === false));
    observer.observe(document.getElementById("headline") ?? answer);
    return () => observer.disconnect();
  });
  return isAway;
}

export function AnswerBar() {
  const { state } = usePage();
  const isAway = useIsAway();
  const plan = shownPlan(state)?.plan;
  const isWhole = plan?.gpu_count !== undefined;
  const text = isWhole
    ? fill(messages.planSummary, { gpu_count: plan.gpu_count ?? "", gpu: planName(state, plan) })
    : messages.noPlanHeadline;
  const hasFault = state.errors.value.length > 0;
  return (
    <p class={isAway ? "answer-bar away" : "answer-bar"} aria-hidden="true">
      <b>{hasFault ? formTexts.hasFault : text}</b>
      <span class="soft">
        {state.busy.value ? messages.updating : plan?.decision === undefined ? "" : translated(plan.decision)}
      </span>
    </p>
  );
}
