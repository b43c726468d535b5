/** The practice exam: before it, while it is taken, and its result (`#/study/exam/RESULT-ID`). */
import { useEffect, useRef, useState } from "preact/hooks";
import { messages } from "../../messages.ts";
import { Failed } from "../../views/lazy.tsx";
import { askedLately, pastExams } from "../exam_marks.ts";
import { ExamRun } from "../exam_run.ts";
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
  return (
    <StudyCard kind="card exam" title={studyTexts.screens.exam}>
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

/** The exam that is open, in one tab at a time, or what comes before one. */
function ExamHere({ study }: { study: StudyTools }) {
  const { store, pack } = study;
  const { run, isOpen, holding, take } = useRun(store);
  return (
    <>
      <KeepingNotice store={store} />
      {run !== undefined ? (
        <Running run={run} onEnd={() => showResult(run.exam.value.id)} />
      ) : !isOpen ? (
        <>
          <Before pack={pack} seen={askedLately(examsOf(study))} onBegin={(exam) => void store.saveExam(exam)} />
          <Earlier study={study} />
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

function Earlier({ study }: { study: StudyTools }) {
  const past = pastExams(examsOf(study), (id) => study.store.answersOf(id));
  return past.length === 0 ? null : <History past={past} blueprint={study.pack.blueprint} />;
}
