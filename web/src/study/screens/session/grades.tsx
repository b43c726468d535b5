/** How well it was known, with when the card comes back after each grade; and why a wrong answer was wrong. */
import { fill } from "../../../messages.ts";
import { schedulerOf } from "../../learner.ts";
import { kMistakes, type Mistake, type Review } from "../../log.ts";
import { type Grade, kAgain, kGrades } from "../../scheduler.ts";
import { gradeSpans } from "../../session_result.ts";
import type { Span } from "../../spans.ts";
import { spanText } from "../span_text.ts";
import type { StudyTools } from "../study_data.ts";
import { grade, suggestionOf, tag } from "./running.ts";
import { sessionTexts } from "./texts.ts";

export const kWhyKeys: Record<Mistake, string> = { knowledge: "k", reasoning: "r", misread: "m" };

interface GradesProps {
  tools: StudyTools;
  review: Review;
  /** A placement grades by itself. */
  isPlacement: boolean;
  say: (text: string) => void;
}

export function Grades({ tools, review, isPlacement, say }: GradesProps) {
  const { reviews, settings } = tools.store.data();
  const spans = gradeSpans(schedulerOf(settings, review.time), reviews, review);
  const choose = (one: Grade) => {
    say(fill(sessionTexts.announceGraded, { grade: sessionTexts.grades[one], interval: spanText(spans[one]) }));
    grade(tools, one);
  };
  if (isPlacement) {
    return (
      <p class="row session-actions">
        <button type="button" class="primary" onClick={() => choose(review.grade)}>
          {sessionTexts.next} <kbd>Enter</kbd>
        </button>
      </p>
    );
  }
  if (!review.right) return <AfterWrong spans={spans} choose={choose} />;
  return <GradeButtons spans={spans} suggested={suggestionOf(tools, review)} choose={choose} />;
}

/** What was answered wrongly comes again soon; who knows better finds the other grades in a fold. */
function AfterWrong({ spans, choose }: Pick<GradeButtonsProps, "spans" | "choose">) {
  return (
    <>
      <p class="row session-actions">
        <button type="button" class="primary" onClick={() => choose(kAgain)}>
          {sessionTexts.nextAgain} <kbd>Enter</kbd>
        </button>
        <span class="note">{fill(sessionTexts.comesBack, { interval: spanText(spans[kAgain]) })}</span>
      </p>
      <details class="sub-fold other-grades">
        <summary>{sessionTexts.otherGrades}</summary>
        <div class="row choice-row">
          {kGrades
            .filter((one) => one !== kAgain)
            .map((one) => (
              <button key={one} type="button" onClick={() => choose(one)}>
                <kbd>{one}</kbd> {sessionTexts.grades[one]}{" "}
                <span class="note">{fill(sessionTexts.comesBack, { interval: spanText(spans[one]) })}</span>
              </button>
            ))}
        </div>
      </details>
    </>
  );
}

interface GradeButtonsProps {
  spans: Record<Grade, Span>;
  suggested: Grade;
  choose: (grade: Grade) => void;
}

export function GradeButtons({ spans, suggested, choose }: GradeButtonsProps) {
  return (
    <fieldset class="session-choices grades">
      <legend>{sessionTexts.gradeTitle}</legend>
      <div class="grade-row">
        {kGrades.map((one) => (
          <button
            key={one}
            type="button"
            class={one === suggested ? "suggested" : undefined}
            onClick={() => choose(one)}
          >
            <span class="grade-name">
              <kbd>{one}</kbd> {sessionTexts.grades[one]}
            </span>
            <span class="note">{fill(sessionTexts.comesBack, { interval: spanText(spans[one]) })}</span>
            {one === suggested ? (
              <span class="grade-mark">
                {sessionTexts.suggested} <kbd>Enter</kbd>
              </span>
            ) : null}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

export function WhyWrong({ tools, review }: { tools: StudyTools; review: Review }) {
  return (
    <fieldset class="session-choices">
      <legend>{sessionTexts.whyWrong}</legend>
      <div class="row choice-row">
        {kMistakes.map((one) => (
          <button key={one} type="button" aria-pressed={review.mistake === one} onClick={() => tag(tools, one)}>
            {sessionTexts.mistakes[one]} <kbd>{kWhyKeys[one]}</kbd>
          </button>
        ))}
      </div>
    </fieldset>
  );
}
