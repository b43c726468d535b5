import type { StudyScreenProps } from "./study.tsx";
import { studyTexts } from "./texts.ts";

export function Exam(_: StudyScreenProps) {
  return (
    <section class="card" aria-labelledby="headline">
      <h1 id="headline" tabIndex={-1}>
        {studyTexts.screens.exam}
      </h1>
    </section>
  );
}
