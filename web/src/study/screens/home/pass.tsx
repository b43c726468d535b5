/** How likely the exam would be passed as things stand, with what that assumes. */

import { numberText } from "../../../format.ts";
import { fill } from "../../../messages.ts";
import { kForecastAnswers } from "../../exam_forecast.ts";
import { missingAnswers, wholeNumber, wholePercent } from "../../home_numbers.ts";
import { studyAddress } from "../addresses.ts";
import { percentText } from "../session/confidence.tsx";
import type { StudyTools } from "../study_data.ts";
import { examForecastNow } from "./progress.ts";
import { studyHomeTexts } from "./texts.ts";

/** A chance is never told as none or as certain. */
const chanceText = (chance: number) =>
  chance < 0.01 ? studyHomeTexts.below : chance > 0.99 ? studyHomeTexts.above : percentText(wholePercent(chance));

export function Pass({ tools }: { tools: StudyTools }) {
  const { questions, pass_mark } = tools.pack.blueprint.exam;
  const { share, standing } = pass_mark;
  const { now, fresh } = examForecastNow(tools);
  const answers = fresh.concepts.length;
  const missing = missingAnswers(kForecastAnswers, answers);
  return (
    <section class="card study-part" aria-labelledby="pass-title">
      <h2 id="pass-title">{studyHomeTexts.passTitle}</h2>
      {now === undefined ? (
        <p>
          {missing === 1 ? studyHomeTexts.passFewOne : fill(studyHomeTexts.passFew, { count: missing })}{" "}
          <a href={studyAddress("exam")}>{fill(studyHomeTexts.passFewExam, { count: questions })}</a>
        </p>
      ) : (
        <>
          <p>
            {fill(studyHomeTexts.passSentence, {
              chance: chanceText(now.chance),
              chanceLow: chanceText(now.chanceLow),
              chanceHigh: chanceText(now.chanceHigh),
              expected: numberText(wholeNumber(now.expected)),
              questions: now.questions,
              low: now.low,
              high: now.high,
            })}
          </p>
          <p class="note">{studyHomeTexts.passMain}</p>
          <p class="note">
            {fill(studyHomeTexts.passAssumes, {
              mark: percentText(share),
              needed: now.needed,
              questions: now.questions,
              standing,
              answers,
            })}
          </p>
        </>
      )}
    </section>
  );
}
