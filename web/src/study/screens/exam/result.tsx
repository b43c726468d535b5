/** The result of an exam: what it says of the real one, by domain, what was missed, and all exams so far. */
import { useEffect } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { elapsedSeconds } from "../../exam_clock.ts";
import {
  isBlank,
  isQuiz,
  type MarkedPlace,
  markedPlaces,
  missedPlaces,
  missingTo,
  pastExams,
} from "../../exam_marks.ts";
import type { ExamRecord } from "../../exam_record.ts";
import { passEstimate, resultByDomain } from "../../exam_result.ts";
import { resultByObjective } from "../../objective_result.ts";
import { withQuery } from "../../quiz.ts";
import { studyAddress } from "../addresses.ts";
import { StudyCard } from "../opening.tsx";
import { dateText } from "../span_text.ts";
import { examsOf, type StudyTools } from "../study_data.ts";
import { Domains } from "./domains.tsx";
import { History } from "./history.tsx";
import { minutesOf } from "./left.ts";
import { Missed, RightOnes } from "./missed.tsx";
import { Objectives } from "./objectives.tsx";
import { PassCurve } from "./pass_curve.tsx";
import { chanceText, shareText } from "./percent.ts";
import { ReadNext } from "./read_next.tsx";
import { resultTexts } from "./result_texts.ts";

interface ResultProps {
  id: string;
  /** It was handed in just now: the focus, which stood on what is gone, goes to the headline. */
  isNew: boolean;
  study: StudyTools;
}

export function ExamResult({ id, isNew, study }: ResultProps) {
  useEffect(() => {
    if (isNew) document.getElementById("headline")?.focus();
  }, [isNew]);
  const exam = examsOf(study).find((one) => one.id === id);
  if (exam?.submittedAt === undefined) return <NoResult isOpen={exam !== undefined} />;
  const { store, pack } = study;
  const marked = markedPlaces(exam, store.answersOf(id));
  if (isQuiz(exam)) return <QuizResult exam={exam} marked={marked} study={study} />;
  const past = pastExams(examsOf(study), (one) => store.answersOf(one));
  const now = past.find((one) => one.id === id);
  const byDomain = resultByDomain(pack.blueprint, marked);
  return (
    <section class="card exam" aria-labelledby="headline">
      <Summary exam={exam} marked={marked} study={study} />
      <ReadNext missed={missedPlaces(marked)} blueprint={pack.blueprint} />
      <Domains results={byDomain} blueprint={pack.blueprint} />
      <Objectives results={resultByObjective(pack.blueprint, marked)} blueprint={pack.blueprint} />
      {now === undefined ? null : <PassCurve blueprint={pack.blueprint} now={now} />}
      <Missed exam={exam} marked={marked} study={study} />
      <RightOnes marked={marked} />
      <History past={past} blueprint={pack.blueprint} current={id} />
    </section>
  );
}

/** A quiz says nothing of the real exam. */
function QuizResult({ exam, marked, study }: SummaryProps) {
  const { pack } = study;
  const { clock, submittedAt = clock.seenAt, quiz } = exam;
  const used = elapsedSeconds({ ...clock, seenAt: submittedAt }, submittedAt);
  const results = resultByObjective(pack.blueprint, marked).filter(({ asked }) => asked > 0);
  return (
    <section class="card exam" aria-labelledby="headline">
      <h1 id="headline" tabIndex={-1}>
        {fill(resultTexts.quizTitle, { right: marked.filter((one) => one.right).length, asked: marked.length })}
      </h1>
      <p class="note">{fill(resultTexts.quizFacts, { date: dateText(submittedAt), used: minutesOf(used) })}</p>
      <p class="row exam-actions">
        <a href={withQuery(studyAddress("quiz"), quiz)}>{resultTexts.anotherQuiz}</a>
      </p>
      <ReadNext missed={missedPlaces(marked)} blueprint={pack.blueprint} />
      <Objectives results={results} blueprint={pack.blueprint} />
      <Missed exam={exam} marked={marked} study={study} />
      <RightOnes marked={marked} />
    </section>
  );
}

function NoResult({ isOpen }: { isOpen: boolean }) {
  return (
    <StudyCard kind="card exam" title={isOpen ? resultTexts.stillOpen : resultTexts.unknown}>
      <p>
        <a href={studyAddress("exam")}>{isOpen ? resultTexts.goOn : resultTexts.another}</a>
      </p>
    </StudyCard>
  );
}

interface SummaryProps {
  exam: ExamRecord;
  marked: readonly MarkedPlace[];
  study: StudyTools;
}

function Summary({ exam, marked, study: { pack } }: SummaryProps) {
  const { blueprint } = pack;
  const { share: mark, standing } = blueprint.exam.pass_mark;
  const right = marked.filter((one) => one.right).length;
  const answered = marked.filter(({ answer }) => answer !== undefined);
  // What was left open says nothing of what is known.
  const { chance, low, high, needed, questions } = passEstimate(blueprint, resultByDomain(blueprint, answered));
  const { clock, submittedAt = clock.seenAt, seed, number } = exam;
  const used = elapsedSeconds({ ...clock, seenAt: submittedAt }, submittedAt);
  const hasPassed = right >= needed;
  const facts = { date: dateText(submittedAt), used: minutesOf(used), limit: minutesOf(clock.limitSeconds) };
  return (
    <>
      <h1 id="headline" tabIndex={-1}>
        <span aria-hidden="true">{hasPassed ? "✓ " : "✗ "}</span>
        {fill(hasPassed ? resultTexts.passed : resultTexts.failed, {
          right,
          asked: marked.length,
          missing: missingTo(needed, right),
        })}
      </h1>
      {isBlank(marked) ? (
        <p class="notice">{resultTexts.blank}</p>
      ) : (
        <>
          <p class="exam-estimate">
            {fill(resultTexts.estimate, { chance: chanceText(chance), low, high, questions })}
          </p>
          <p class="note">
            {fill(resultTexts.estimateNote, { answered: answered.length, asked: marked.length })}{" "}
            <a href={studyAddress("")}>{resultTexts.estimateAll}</a>
          </p>
        </>
      )}
      <p class="note">{fill(resultTexts.mark, { share: shareText(mark), needed, questions, standing })}</p>
      <p class="note">
        {number !== undefined
          ? fill(resultTexts.factsNumber, { ...facts, number })
          : seed === undefined
            ? fill(resultTexts.factsNoSeed, facts)
            : fill(resultTexts.facts, { ...facts, seed })}
      </p>
      {used < clock.limitSeconds ? null : <p class="notice">{resultTexts.timeWasOver}</p>}
      <p class="row exam-actions">
        <a href={studyAddress("exam")}>{resultTexts.another}</a>
      </p>
    </>
  );
}
