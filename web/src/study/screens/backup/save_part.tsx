/** Out of the browser: the backup, the log as a table, and the questions as notes. */
import { useState } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { keepFile } from "../../../tools/keep_file.ts";
import { ankiText, noteOf, recallNote, withOwnNote } from "../../anki.ts";
import { backupText } from "../../backup.ts";
import { examCode } from "../../blueprint.ts";
import { noteOn, suspendedCards } from "../../card_marks.ts";
import { cardsOf } from "../../learner.ts";
import { reviewsCsv } from "../../log.ts";
import { ownCards, ownCsv } from "../../own_cards.ts";
import { cardOf } from "../../question.ts";
import { recallCards, recallText } from "../../recall.ts";
import { dateText } from "../../spans.ts";
import { askQuestion } from "../ask_question.ts";
import { withPictureWords } from "../question/picture_words.ts";
import { readLessons } from "../read_marks.ts";
import { loadTerms, termsNow } from "../session/terms.ts";
import type { StudyTools } from "../study_data.ts";
import { backupTexts } from "./texts.ts";

/** The numbers with which computed questions leave for Anki: always the same, so that a second import updates. */
const kAnkiSeed = 1;

export function SavePart({ tools }: { tools: StudyTools }) {
  const { store } = tools;
  const [said, setSaid] = useState("");
  const [isBusy, setBusy] = useState(false);
  const day = dateText(Date.now());
  const save = () => {
    const now = Date.now();
    const { settings, ...rest } = store.data();
    const kept = { ...settings, backupAt: now };
    void store.saveSettings(kept);
    keepFile(
      `podwright-study-${day}.json`,
      backupText({ ...rest, settings: kept }, now, readLessons.value),
      "application/json",
    );
    setSaid(backupTexts.saved);
  };
  const saveNotes = async () => {
    const { id: exam } = tools.pack.blueprint.exam;
    const data = store.data();
    const suspended = suspendedCards(data);
    const cards = cardsOf(tools.pack).filter(({ id }) => !suspended.has(id));
    setBusy(true);
    setSaid(fill(backupTexts.ankiBusy, { count: cards.length }));
    await loadTerms().catch(() => undefined);
    const asked = await Promise.all(
      cards.map(({ id }) =>
        askQuestion(tools.pack, id, kAnkiSeed)
          .then(withPictureWords)
          .catch(() => undefined),
      ),
    );
    const recall = recallCards(termsNow(), data.own).flatMap(({ id }) => {
      const text = suspended.has(id) ? undefined : recallText(id, termsNow(), data.own);
      return text === undefined ? [] : [recallNote(text, exam)];
    });
    const notes = [
      ...asked
        .filter((one) => one !== undefined)
        .map((one) => withOwnNote(noteOf(one, exam), noteOn(data, cardOf(one)))),
      ...recall,
    ];
    const deck = fill(backupTexts.deck, { exam: examCode(exam) });
    keepFile(`podwright-study-anki-${day}.txt`, ankiText(notes, deck), "text/plain");
    setSaid(fill(backupTexts.ankiDone, { count: notes.length }));
    setBusy(false);
  };
  return (
    <section class="card study-part" aria-labelledby="save-title">
      <h2 id="save-title">{backupTexts.saveTitle}</h2>
      <p>{backupTexts.saveNote}</p>
      <p class="row session-actions">
        <button type="button" class="primary" onClick={save}>
          {backupTexts.save}
        </button>
      </p>
      <ul class="stack backup-others">
        <li>
          <button
            type="button"
            onClick={() => keepFile(`podwright-study-log-${day}.csv`, reviewsCsv(store.data().reviews), "text/csv")}
          >
            {backupTexts.csv}
          </button>
          <p class="note">{backupTexts.csvNote}</p>
        </li>
        {ownCards(store.data().own).length === 0 ? null : (
          <li>
            <button
              type="button"
              onClick={() => keepFile(`podwright-own-cards-${day}.csv`, ownCsv(store.data().own), "text/csv")}
            >
              {backupTexts.ownCsv}
            </button>
            <p class="note">{backupTexts.ownCsvNote}</p>
          </li>
        )}
        <li>
          <button type="button" disabled={isBusy} onClick={() => void saveNotes()}>
            {backupTexts.anki}
          </button>
          <p class="note">{backupTexts.ankiNote}</p>
        </li>
      </ul>
      <output aria-live="polite">{said}</output>
    </section>
  );
}
