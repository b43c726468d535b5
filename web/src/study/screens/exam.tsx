/** The practice exam: before it, while it is taken, and its result (`#/study/exam/RESULT-ID`). */
import { useState } from "preact/hooks";
import { messages } from "../../messages.ts";
import { Failed } from "../../views/late.tsx";
import { pastExams } from "../exam_marks.ts";
import type { ExamRecord } from "../exam_record.ts";
import { ExamRun } from "../exam_run.ts";
import { type StudyScreenProps, studyAddress } from "./addresses.ts";
import { Before } from "./exam/before.tsx";
import { History } from "./exam/history.tsx";
import { ExamResult } from "./exam/result.tsx";
import { Running } from "./exam/running.tsx";
import { KeepingNotice } from "./keeping_notice.tsx";
import { type StudyTools, useStudy } from "./study_data.ts";
import { studyTexts } from "./texts.ts";
import "./exam/exam.css";

export function Exam({ rest: [id] }: StudyScreenProps) {
  const { study, failed, again } = useStudy();
  if (study !== undefined && id !== undefined)
    return <ExamResult key={id} id={id} isNew={id === handedIn} study={study} />;
  return (
    <section class="card exam" aria-labelledby="headline">
      <h1 id="headline" tabIndex={-1}>
        {studyTexts.screens.exam}
      </h1>
      {study !== undefined ? (
        <ExamHere study={study} />
      ) : failed ? (
        <Failed again={again} />
      ) : (
        <p class="note opening">{messages.loadingScreen}</p>
      )}
    </section>
  );
}

/** The exam that was handed in during this visit. */
let handedIn: string | undefined;

const showResult = (id: string) => {
  handedIn = id;
  location.hash = studyAddress("exam", id);
};

/** The exam that was left open, or what comes before one. */
function ExamHere({ study: { store, pack } }: { study: StudyTools }) {
  const [run, setRun] = useState<ExamRun | undefined>(() => {
    const open = store.openExam();
    return open && new ExamRun(store, open.exam, open.answers);
  });
  const begin = (exam: ExamRecord) => {
    void store.saveExam(exam);
    setRun(new ExamRun(store, exam, []));
  };
  return (
    <>
      <KeepingNotice store={store} />
      {run === undefined ? (
        <>
          <Before pack={pack} onBegin={begin} />
          <Earlier study={{ store, pack }} />
        </>
      ) : (
        <Running run={run} onEnd={() => showResult(run.exam.value.id)} />
      )}
    </>
  );
}

function Earlier({ study: { store, pack } }: { study: StudyTools }) {
  const past = pastExams(store.data().exams, (id) => store.answersOf(id));
  return past.length === 0 ? null : <History past={past} blueprint={pack.blueprint} />;
}
