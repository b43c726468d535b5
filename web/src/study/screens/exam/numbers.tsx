/** Which questions an exam has: new ones, or those of a numbered practice exam, with how it went. */
import { fill } from "../../../messages.ts";
import type { PastExam } from "../../exam_marks.ts";
import { examNumbers, lastOfNumber } from "../../numbered_exams.ts";
import type { QuestionPack } from "../../pack.ts";
import { studyAddress } from "../addresses.ts";
import { shareText } from "./percent.ts";
import { examTexts } from "./texts.ts";

interface NumbersProps {
  pack: QuestionPack;
  past: readonly PastExam[];
  /** Undefined: new questions. */
  number: number | undefined;
  choose: (number: number | undefined) => void;
}

export function Numbers({ pack, past, number, choose }: NumbersProps) {
  return (
    <fieldset class="exam-forms exam-numbers">
      <legend>{examTexts.which}</legend>
      <label class="check">
        <input type="radio" name="exam-number" checked={number === undefined} onChange={() => choose(undefined)} />
        <span>
          {examTexts.newOne} <span class="note">{examTexts.newOneNote}</span>
        </span>
      </label>
      {examNumbers(pack).map((one) => (
        <div key={one} class="row exam-number">
          <label class="check">
            <input type="radio" name="exam-number" checked={number === one} onChange={() => choose(one)} />
            <span>{fill(examTexts.numbered, { number: one })}</span>
          </label>
          <Went last={lastOfNumber(past, one)} />
        </div>
      ))}
      <p class="note">{examTexts.numberedNote}</p>
    </fieldset>
  );
}

function Went({ last }: { last: PastExam | undefined }) {
  if (last === undefined) return <span class="note">{examTexts.notTaken}</span>;
  const { id, right, asked, share } = last;
  return (
    <a href={studyAddress("exam", id)}>{fill(examTexts.takenResult, { right, asked, share: shareText(share) })}</a>
  );
}
