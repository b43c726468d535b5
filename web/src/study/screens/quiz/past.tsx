/** Quizzes in exam mode that were handed in, each with the way to its result. */
import { fill } from "../../../messages.ts";
import { markedPlaces, pastQuizzes } from "../../exam_marks.ts";
import { studyAddress } from "../addresses.ts";
import { dateText } from "../span_text.ts";
import { examsOf, type StudyTools } from "../study_data.ts";
import { quizTexts } from "./texts.ts";

/** Those of the last weeks. */
const kShown = 10;

export function PastQuizzes({ study }: { study: StudyTools }) {
  const { store } = study;
  const past = pastQuizzes(examsOf(study)).slice(0, kShown);
  if (past.length === 0) return null;
  return (
    <section class="quiz-past" aria-labelledby="quiz-past">
      <h2 id="quiz-past">{quizTexts.pastTitle}</h2>
      <ul>
        {past.map((exam) => {
          const marked = markedPlaces(exam, store.answersOf(exam.id));
          const right = marked.filter((one) => one.right).length;
          return (
            <li key={exam.id}>
              <a href={studyAddress("exam", exam.id)}>{dateText(exam.submittedAt ?? exam.clock.startedAt)}</a>{" "}
              <span class="note">{fill(quizTexts.pastLine, { right, asked: marked.length })}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
