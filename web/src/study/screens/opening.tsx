/** The card of a screen of the study tool, and what stands there until what the learner has answered is read. */
import type { ComponentChildren } from "preact";
import { studyTexts } from "./texts.ts";

interface StudyCardProps {
  /** Its classes. */
  kind?: string;
  title: string;
  children?: ComponentChildren;
}

export function StudyCard({ kind = "card", title, children }: StudyCardProps) {
  return (
    <section class={kind} aria-labelledby="headline">
      <h1 id="headline" tabIndex={-1}>
        {title}
      </h1>
      {children}
    </section>
  );
}

export function Opening({ kind }: { kind?: string }) {
  return <StudyCard kind={kind} title={studyTexts.loading} />;
}
