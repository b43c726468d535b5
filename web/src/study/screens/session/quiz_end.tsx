/** After a quiz in study mode: what to read, how it went by objective, and the way to the next one. */
import { resultByObjective } from "../../objective_result.ts";
import { withQuery } from "../../quiz.ts";
import type { Session } from "../../session.ts";
import { missedOf, reviewsOf } from "../../session_queue.ts";
import { studyAddress } from "../addresses.ts";
import { Objectives } from "../exam/objectives.tsx";
import { ReadNext } from "../exam/read_next.tsx";
import type { StudyTools } from "../study_data.ts";
import { sessionTexts } from "./texts.ts";

export function QuizEnd({ tools: { pack, store }, session }: { tools: StudyTools; session: Session }) {
  const own = reviewsOf(session, store.data().reviews);
  if (own.length === 0) return null;
  const { blueprint } = pack;
  return (
    <>
      <ReadNext missed={missedOf(own)} blueprint={blueprint} />
      <Objectives results={resultByObjective(blueprint, own).filter(({ asked }) => asked > 0)} blueprint={blueprint} />
    </>
  );
}

export function QuizLink({ session, asked }: { session: Session; asked: number }) {
  return (
    <a class="button primary" href={withQuery(studyAddress("quiz"), session.about)}>
      {asked === 0 ? sessionTexts.newQuiz : sessionTexts.anotherQuiz}
    </a>
  );
}
