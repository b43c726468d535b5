/** Texts of the backup screen. */
import { followLanguage } from "../../../language.ts";

export const backupTexts = {
  title: "Backup of what you learned",
  kept: "Kept in this browser: {reviews} reviews, {exams} exams, {answers} exam answers.",
  nothingKept: "Nothing is kept yet.",
  lastFile: "Last backup file: {when}, on {date}.",
  noFile: "No backup file has been made.",
  persisted: "The browser has agreed not to clear it when space is short.",
  notPersisted: "The browser may clear it when space is short.",
  persist: "Ask the browser to keep it",
  refused: "The browser did not agree. A file is the safe way.",

  saveTitle: "Save as a file",
  saveNote:
    "Everything that is kept, as text that can be read and brought back on any machine. Nothing is sent anywhere.",
  save: "Save a backup file",
  saved: "Backup file made.",
  csv: "Save the log as CSV",
  csvNote: "One line for each review, for a table program.",
  anki: "Save the questions for Anki",
  ankiNote:
    "A text file for Anki's import, type Basic. Computed questions come with one set of numbers; they stay fresh only here.",
  ankiBusy: "Asking for {count} questions",
  ankiDone: "{count} notes written.",
  deck: "NCA-AIIO (Podwright)",

  openTitle: "Bring a file back",
  openNote: "Merged by the id of each review: nothing that is here is removed. What would change is shown first.",
  choose: "Choose a backup file",
  faults: {
    "not JSON": "This file is not JSON, so it is no backup. A backup file begins with a brace and ends in .json.",
    "not a backup": "This is JSON, but no backup of this tool: the field schema is not podwright-study-backup.",
    "newer version":
      "This backup was written by a newer version of the site. Reload the page to get it, then try again.",
  },
  written: "Written {date}.",
  change: "What would change",
  count: "Count",
  added: "New reviews",
  addedExams: "New exams",
  addedAnswers: "New exam answers",
  same: "The same in both",
  onlyHere: "Only here, stay",
  conflicts: "Different in both",
  conflictNote: "Of a review the one here stays; of an exam answer the later one.",
  settings: "Settings filled in",
  settingNames: {
    exam: "exam",
    examAt: "exam date",
    minutesPerDay: "minutes per day",
    retention: "retention",
    backupAt: "last backup",
  },
  leftOut: "Entries that cannot be read are left out: {places}",
  nothingNew: "Everything in this file is here already.",
  apply: "Take it in",
  cancel: "Leave it",
  applied: "Taken in: {count} entries are new.",

  eraseTitle: "Erase everything",
  eraseNote: "Removes all reviews, exams and settings of the study tool from this browser.",
  erase: "Erase everything…",
  eraseSure: "Really erase {reviews} reviews and {exams} exams? This cannot be undone.",
  eraseYes: "Erase",
  eraseNo: "Keep",
  erased: "Everything was erased.",
};

followLanguage("backupTexts", backupTexts);
