/** Stands where a screen of the study tool will be, until what the learner has answered is read. */
import { studyTexts } from "./texts.ts";

export function Opening({ kind = "card" }: { kind?: string }) {
  return (
    <section class={kind} aria-labelledby="headline">
      <h1 id="headline" tabIndex={-1}>
        {studyTexts.loading}
      </h1>
    </section>
  );
}
