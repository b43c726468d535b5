/** A backup file back into the browser: what would change is shown before anything does. */
import { useState } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { NumbersTable } from "../../../screens/charts/chart_table.tsx";
import { textOf } from "../../../tools/read_file.ts";
import {
  addedCount,
  type Difference,
  isNews,
  kLargestFile,
  merged,
  type ReadBackup,
  readBackup,
} from "../../backup.ts";
import { readLessons, setRead } from "../read_marks.ts";
import { longDayText } from "../span_text.ts";
import type { StudyTools } from "../study_data.ts";
import { backupTexts } from "./texts.ts";

type Opened = { file: ReadBackup; difference: Difference } | { fault: string } | undefined;

export function OpenPart({ tools }: { tools: StudyTools }) {
  const { store } = tools;
  const [opened, setOpened] = useState<Opened>();
  const [said, setSaid] = useState("");
  const read = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    setSaid("");
    if (file === undefined) return setOpened(undefined);
    const given = await textOf(file, kLargestFile);
    // The same file can be chosen again.
    input.value = "";
    if ("fault" in given) return setOpened(given);
    const found = readBackup(given.text);
    setOpened(
      "error" in found
        ? { fault: backupTexts.faults[found.error] }
        : { file: found, difference: merged(store.data(), found.data).difference },
    );
  };
  const apply = (file: ReadBackup, difference: Difference) => {
    const lessons = newLessons(file);
    void store.restore(file.data);
    if (lessons.length > 0) setRead([...readLessons.value, ...lessons]);
    setOpened(undefined);
    setSaid(fill(backupTexts.applied, { count: addedCount(difference, lessons), replaced: difference.replaced }));
  };
  return (
    <section class="card study-part" aria-labelledby="open-title">
      <h2 id="open-title">{backupTexts.openTitle}</h2>
      <p>{backupTexts.openNote}</p>
      <p class="stack backup-file">
        <label class="label" for="backup-file">
          {backupTexts.choose}
        </label>
        <input
          id="backup-file"
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => void read(currentTarget)}
        />
      </p>
      {opened === undefined ? null : "fault" in opened ? (
        <p class="notice" role="alert">
          {opened.fault}
        </p>
      ) : (
        <Change {...opened} apply={() => apply(opened.file, opened.difference)} cancel={() => setOpened(undefined)} />
      )}
      <output aria-live="polite">{said}</output>
    </section>
  );
}

/** Read according to the file alone. */
const newLessons = ({ lessons }: ReadBackup) => lessons.filter((id) => !readLessons.value.has(id));

interface ChangeProps {
  file: ReadBackup;
  difference: Difference;
  apply: () => void;
  cancel: () => void;
}

/** Places that are named; a file full of something else has thousands. */
const kNamed = 20;
const listed = (places: readonly string[]) =>
  [...places.slice(0, kNamed), ...(places.length > kNamed ? ["…"] : [])].join(", ");

function Change({ file, difference, apply, cancel }: ChangeProps) {
  const { added, removed, replaced, same, conflicts, onlyHere, settings } = difference;
  const lessons = newLessons(file).length;
  const date = file.written === undefined ? Number.NaN : Date.parse(file.written);
  const hasNews = isNews(difference) || lessons > 0;
  const rows: readonly [string, string][] = [
    [backupTexts.added, String(added.reviews)],
    [backupTexts.addedExams, String(added.exams)],
    [backupTexts.addedAnswers, String(added.answers)],
    [backupTexts.addedOwn, String(added.own)],
    [backupTexts.addedMarks, String(added.marks)],
    [backupTexts.addedLessons, String(lessons)],
    [backupTexts.removed, String(removed)],
    [backupTexts.replaced, String(replaced)],
    [backupTexts.same, String(same)],
    [backupTexts.onlyHere, String(onlyHere)],
    [backupTexts.conflicts, String(conflicts.length)],
    [
      backupTexts.settings,
      settings.length === 0 ? "0" : settings.map((key) => backupTexts.settingNames[key]).join(", "),
    ],
  ];
  return (
    <>
      {Number.isNaN(date) ? null : <p>{fill(backupTexts.written, { date: longDayText(date) })}</p>}
      <NumbersTable
        columns={[backupTexts.change, backupTexts.count]}
        rows={rows.map(([name, count]) => ({ key: name, cells: [name, count] }))}
      />
      {conflicts.length === 0 ? null : <p class="note">{backupTexts.conflictNote}</p>}
      {file.leftOut.length === 0 ? null : (
        <p class="notice">{fill(backupTexts.leftOut, { places: listed(file.leftOut) })}</p>
      )}
      {hasNews ? null : <p>{backupTexts.nothingNew}</p>}
      <p class="row session-actions">
        <button type="button" class="primary" disabled={!hasNews} onClick={apply}>
          {backupTexts.apply}
        </button>
        <button type="button" onClick={cancel}>
          {backupTexts.cancel}
        </button>
      </p>
    </>
  );
}
