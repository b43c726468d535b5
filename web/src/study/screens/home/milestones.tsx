/** What has been reached on the way to the exam, ticked off. */
import { fill } from "../../../messages.ts";
import { kReadyChance, type Milestone } from "../../milestones.ts";
import { percentText } from "../session/confidence.tsx";
import { planTexts } from "./plan_texts.ts";

export function Milestones({ milestones }: { milestones: readonly Milestone[] }) {
  const { milestones: texts } = planTexts;
  return (
    <section class="card study-part" aria-labelledby="milestones-title">
      <h2 id="milestones-title">{texts.title}</h2>
      <p class="note">
        {fill(texts.count, { done: milestones.filter(({ isDone }) => isDone).length, all: milestones.length })}
      </p>
      <ul class="milestone-list">
        {milestones.map(({ id, isDone, have, need }) => (
          <li key={id} data-done={isDone}>
            <span aria-hidden="true">{isDone ? "✓" : "○"}</span>{" "}
            <span>{fill(texts.names[id], { share: percentText(kReadyChance) })}</span>{" "}
            <span class="note">
              {isDone ? texts.reached : need > 1 && id !== "ready" ? fill(texts.progress, { have, need }) : texts.open}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
