/** The practice exam: before it, while it is taken, and its result (`#/study/exam/RESULT-ID`). */
import { useEffect, useRef, useState } from "preact/hooks";
import { messages } from "../../messages.ts";
import { Failed } from "../../views/lazy.tsx";
import { askedLately, isQuiz, markedPlaces, pastExams, quizReview } from "../exam_marks.ts";
import type { ExamRecord } from "../exam_record.ts";
import { ExamRun } from "../exam_run.ts";
import { usualSeconds } from "../learner.ts";
import type { StudyStore } from "../store.ts";
import { type StudyScreenProps, studyAddress } from "./addresses.ts";
import { Before } from "./exam/before.tsx";
import { Elsewhere, useOneTab } from "./exam/elsewhere.tsx";
import { History } from "./exam/history.tsx";
import { ExamResult } from "./exam/result.tsx";
import { Running } from "./exam/running.tsx";
import { KeepingNotice } from "./keeping_notice.tsx";
import { StudyCard } from "./opening.tsx";
import { examsOf, type StudyTools, useStudy } from "./study_data.ts";
import { studyTexts } from "./texts.ts";
import "./exam/exam.css";

export function Exam({ rest: [id] }: StudyScreenProps) {
  const { study, failed, again } = useStudy();
  if (study !== undefined && id !== undefined)
    return <ExamResult key={id} id={id} isNew={id === handedIn} study={study} />;
  const open = study?.store.data() && study.store.openExam();
  const title = open !== undefined && isQuiz(open.exam) ? studyTexts.screens.quiz : studyTexts.screens.exam;
  return (
    <StudyCard kind="card exam" title={title}>
      {study !== undefined ? (
        <ExamHere study={study} />
      ) : failed ? (
        <Failed again={again} />
      ) : (
        <p class="note opening">{messages.loadingScreen}</p>
      )}
    </StudyCard>
  );
}

/** The exam that was handed in during this visit. */
let handedIn: string | undefined;

const showResult = (id: string) => {
  handedIn = id;
  location.hash = studyAddress("exam", id);
};

/** The answers of a quiz are reviews like others; those of an exam become reviews when the learner says so. */
async function afterExam({ store, pack }: StudyTools, exam: ExamRecord): Promise<void> {
  if (isQuiz(exam)) {
    const usual = usualSeconds(pack.blueprint);
    const marked = markedPlaces(exam, store.answersOf(exam.id));
    await Promise.all(marked.flatMap((one) => quizReview(exam, one, usual) ?? []).map((one) => store.addReview(one)));
  }
  showResult(exam.id);
}

/** The exam that is open, in one tab at a time, or what comes before one. */
function ExamHere({ study }: { study: StudyTools }) {
  const { store, pack } = study;
  const { run, isOpen, holding, take } = useRun(store);
  const past = pastExams(examsOf(study), (id) => store.answersOf(id));
  return (
    <>
      <KeepingNotice store={store} />
      {run !== undefined ? (
        <Running run={run} onEnd={() => void afterExam({ store, pack }, run.exam.value)} />
      ) : !isOpen ? (
        <>
          <Before
            pack={pack}
            seen={askedLately(examsOf(study))}
            past={past}
            onBegin={(exam) => void store.saveExam(exam)}
          />
          {past.length === 0 ? null : <History past={past} blueprint={pack.blueprint} />}
        </>
      ) : holding === "elsewhere" ? (
        <Elsewhere take={take} />
      ) : (
        <p class="note opening">{messages.loadingScreen}</p>
      )}
    </>
  );
}

/** The run of the open exam while this tab is the one that answers it. */
function useRun(store: StudyStore) {
  // Followed: another tab may begin an exam, and hand it in.
  store.data();
  const isOpen = store.openExam() !== undefined;
  const [run, setRun] = useState<ExamRun>();
  const now = useRef(run);
  now.current = run;
  const lose = () => {
    now.current?.leave();
    setRun(undefined);
  };
  const { holding, take } = useOneTab(isOpen || run !== undefined, lose);
  const begins = isOpen && run === undefined && holding === "here";
  useEffect(() => {
    if (!begins) return;
    let isGone = false;
    // The tab that had it before may have written since.
    void store.reread().then(() => {
      const open = store.openExam();
      if (!isGone && open !== undefined) setRun(new ExamRun(store, open.exam, open.answers));
    });
    return () => {
      isGone = true;
    };
  }, [store, begins]);
  return { run, isOpen, holding, take };
}
