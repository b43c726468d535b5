/** How likely the exam would be passed as things stand, with what that assumes. */
import { numberText } from "../../../format.ts";
import { fill } from "../../../messages.ts";
import { kFewestAnswers, passChanceOf, wholePercent } from "../../home_numbers.ts";
import { percentText } from "../session/confidence.tsx";
import type { StudyTools } from "../study_data.ts";
import { studyHomeTexts } from "./texts.ts";

/** A chance is never told as none or as certain. */
const chanceText = (chance: number) =>
  chance < 0.01 ? studyHomeTexts.below : chance > 0.99 ? studyHomeTexts.above : percentText(wholePercent(chance));

export function Pass({ tools }: { tools: StudyTools }) {
  const { blueprint } = tools.pack;
  const now = passChanceOf(blueprint, tools.store.data().reviews);
  const { share, standing } = blueprint.exam.pass_mark;
  return (
    <section class="card study-part" aria-labelledby="pass-title">
      <h2 id="pass-title">{studyHomeTexts.passTitle}</h2>
      {now === undefined ? (
        <p>{fill(studyHomeTexts.passFew, { count: kFewestAnswers })}</p>
      ) : (
        <>
          <p>
            {fill(studyHomeTexts.passSentence, {
              chance: chanceText(now.chance),
              expected: numberText(now.expected),
              questions: now.estimate.questions,
              low: now.estimate.low,
              high: now.estimate.high,
            })}
          </p>
          <p class="note">
            {fill(studyHomeTexts.passAssumes, {
              mark: percentText(share),
              needed: now.estimate.needed,
              questions: now.estimate.questions,
              standing,
              answers: now.answers,
            })}
          </p>
        </>
      )}
    </section>
  );
}
