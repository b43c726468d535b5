/** Everything away, after a second question. */
import { useEffect, useRef, useState } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { ownCards } from "../../own_cards.ts";
import { forgetMarks, readLessons } from "../read_marks.ts";
import { forgetSession } from "../session/running.ts";
import type { StudyTools } from "../study_data.ts";
import { backupTexts } from "./texts.ts";

export function ErasePart({ tools }: { tools: StudyTools }) {
  const { store } = tools;
  const [asks, setAsks] = useState(false);
  const [said, setSaid] = useState("");
  const keep = useRef<HTMLButtonElement>(null);
  const open = useRef<HTMLButtonElement>(null);
  const { reviews, exams, own } = store.data();
  // The answer that changes nothing is the nearest one.
  useEffect(() => {
    if (asks) keep.current?.focus();
  }, [asks]);
  const close = (text: string) => {
    setAsks(false);
    setSaid(text);
    open.current?.focus();
  };
  const erase = () => {
    forgetSession();
    forgetMarks();
    void store.erase().then(() => close(backupTexts.erased));
  };
  return (
    <section class="card study-part" aria-labelledby="erase-title">
      <h2 id="erase-title">{backupTexts.eraseTitle}</h2>
      <p>{backupTexts.eraseNote}</p>
      <p class="row session-actions">
        <button type="button" ref={open} aria-expanded={asks} onClick={() => setAsks(true)}>
          {backupTexts.erase}
        </button>
      </p>
      {asks ? (
        <div class="notice" role="alertdialog" aria-labelledby="erase-sure">
          <p id="erase-sure">
            {fill(backupTexts.eraseSure, {
              reviews: reviews.length,
              exams: exams.length,
              own: ownCards(own).length,
              lessons: readLessons.value.size,
            })}
          </p>
          <p class="row session-actions">
            <button type="button" ref={keep} onClick={() => close("")}>
              {backupTexts.eraseNo}
            </button>
            <button type="button" class="danger" onClick={erase}>
              {backupTexts.eraseYes}
            </button>
          </p>
        </div>
      ) : null}
      <output aria-live="polite">{said}</output>
    </section>
  );
}
