/** What is kept and where, how old the last file is, and the ways out of this browser and back. */

import { useEffect, useState } from "preact/hooks";
import { fill } from "../../messages.ts";
import { Failed } from "../../views/lazy.tsx";
import { ownCards } from "../own_cards.ts";
import { calendarDays } from "../spans.ts";
import { askToPersist, isPersisted } from "../store.ts";
import type { StudyScreenProps } from "./addresses.ts";
import { ErasePart } from "./backup/erase_part.tsx";
import { OpenPart } from "./backup/open_part.tsx";
import { SavePart } from "./backup/save_part.tsx";
import { backupTexts } from "./backup/texts.ts";
import { KeepingNotice } from "./keeping_notice.tsx";
import { Opening, StudyCard } from "./opening.tsx";
import { readLessons } from "./read_marks.ts";
import { fromNowText, longDayText } from "./span_text.ts";
import { type StudyTools, useStudy } from "./study_data.ts";
import "./session/session.css";
import "./home/home.css";
import "./backup/backup.css";

export function Backup(_: StudyScreenProps) {
  const { study, failed, again } = useStudy();
  if (failed) return <Failed again={again} />;
  if (study === undefined) return <Opening />;
  return (
    <>
      <Kept tools={study} />
      <SavePart tools={study} />
      <OpenPart tools={study} />
      <ErasePart tools={study} />
    </>
  );
}

function Kept({ tools }: { tools: StudyTools }) {
  const { store } = tools;
  const { reviews, exams, answers, own, marks, settings } = store.data();
  const { backupAt } = settings;
  const counts = { own: ownCards(own).length, marks: marks.filter(({ on }) => on).length };
  const hasOwn = counts.own > 0 || counts.marks > 0;
  const lessons = readLessons.value;
  const isEmpty = reviews.length === 0 && exams.length === 0 && lessons.size === 0 && !hasOwn;
  const isInDatabase = store.keeping.value.where === "database";
  return (
    <StudyCard kind="card study-first" title={backupTexts.title}>
      <KeepingNotice store={store} />
      <p>
        {backupAt === undefined
          ? backupTexts.noFile
          : fill(backupTexts.lastFile, {
              when: fromNowText(calendarDays(Date.now(), backupAt), "day"),
              date: longDayText(backupAt),
            })}
      </p>
      <p>
        {isEmpty
          ? backupTexts.nothingKept
          : fill(backupTexts.kept, {
              reviews: reviews.length,
              exams: exams.length,
              answers: answers.length,
              lessons: lessons.size,
            })}{" "}
        {hasOwn ? fill(backupTexts.keptOwn, counts) : null}
      </p>
      {isInDatabase && !isEmpty ? <Persistence /> : null}
    </StudyCard>
  );
}

/** Whether the browser may clear it by itself. */
function Persistence() {
  const [state, setState] = useState<"yes" | "no" | "refused">();
  useEffect(() => {
    void isPersisted().then((yes) => setState(yes ? "yes" : "no"));
  }, []);
  if (state === undefined) return null;
  if (state === "yes") return <p class="note">{backupTexts.persisted}</p>;
  const ask = () => void askToPersist().then((yes) => setState(yes ? "yes" : "refused"));
  return (
    <p>
      {state === "refused" ? backupTexts.refused : backupTexts.notPersisted}{" "}
      {state === "refused" ? null : (
        <button type="button" class="small" onClick={ask}>
          {backupTexts.persist}
        </button>
      )}
    </p>
  );
}
