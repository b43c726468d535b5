/** Which exam is learned for. It cannot be changed while a practice exam is open. */
import { fill } from "../../../messages.ts";
import { longDayText } from "../span_text.ts";
import { chooseExam, type StudyTools } from "../study_data.ts";
import { studyHomeTexts } from "./texts.ts";

export function ExamChoice({ tools }: { tools: StudyTools }) {
  const { store, pack } = tools;
  const isOpen = store.openExam() !== undefined;
  return (
    <div class="exam-choice">
      <label class="label" for="exam-choice">
        {studyHomeTexts.exam}
      </label>
      <select
        id="exam-choice"
        lang="en"
        disabled={isOpen}
        value={pack.blueprint.exam.id}
        onChange={({ currentTarget }) => void chooseExam(tools, currentTarget.value)}
      >
        {__STUDY_EXAMS__.map(({ id, exam, beta }) => (
          <option key={id} value={id}>
            {beta ? fill(studyHomeTexts.betaName, { name: exam }) : exam}
          </option>
        ))}
      </select>
      <p class="note">{pack.blueprint.exam.name}</p>
      {__STUDY_EXAMS__.map(({ id, exam }) => {
        const other = store.data().settings.otherDates?.[id];
        return other === undefined ? null : (
          <p key={id} class="note">
            {fill(studyHomeTexts.otherDate, { exam, date: longDayText(other.examAt) })}
          </p>
        );
      })}
      {isOpen ? <p class="note">{studyHomeTexts.examOpen}</p> : null}
      {pack.blueprint.exam.beta === true ? <p class="note">{studyHomeTexts.beta}</p> : null}
    </div>
  );
}
