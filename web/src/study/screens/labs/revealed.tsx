/** What the engine says to a lab: the error of the prediction, why, and the same question with other inputs. */
import { useEffect, useRef } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { errorOf, isClose, kRightWithin, type Lab, type LabPack, labAfter } from "../../labs.ts";
import { studyAddress } from "../addresses.ts";
import { Calculator } from "../calculator.tsx";
import { shareText } from "../exam/percent.ts";
import { QuestionSources } from "../question/sources.tsx";
import { numberShown } from "../shown_value.ts";
import { errorText } from "./error_text.ts";
import { labTexts } from "./texts.ts";

interface RevealedProps {
  lab: Lab;
  pack: LabPack;
  predicted: number;
  actual: number;
}

export function Revealed({ lab, pack, predicted, actual }: RevealedProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const shown = (value: number) => numberShown(value, { pointer: lab.answer_pointer, unit: lab.unit });
  const isRight = isClose(errorOf(predicted, actual));
  const share = shareText(kRightWithin);
  const next = labAfter(pack, lab);
  return (
    <>
      <div class={isRight ? "lab-result good" : "lab-result"}>
        <h2 ref={heading} tabIndex={-1}>
          {fill(labTexts.result, { actual: shown(actual) })}
        </h2>
        <p>{fill(labTexts.yours, { predicted: shown(predicted), error: errorText(predicted, actual) })}</p>
        <p>
          <b aria-hidden="true">{isRight ? "✓" : "✗"}</b>{" "}
          {fill(isRight ? labTexts.counts : labTexts.countsNot, { share })}
        </p>
      </div>
      <h2>{labTexts.why}</h2>
      <p lang="en" class="lab-text">
        {lab.reveal}
      </p>
      <Calculator title={labTexts.explore} request={lab.request} {...lab.explore} />
      <h2>{labTexts.sources}</h2>
      <div lang="en">
        <QuestionSources text={lab.sources.join("; ")} sources={pack.sources} />
      </div>
      {next === undefined ? null : (
        <p class="lab-next">
          <a href={studyAddress("labs", next.id)}>{fill(labTexts.next, { title: next.title })}</a>
        </p>
      )}
    </>
  );
}
