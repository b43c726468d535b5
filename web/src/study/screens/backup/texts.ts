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
  refused: "The browser did not agree. A file is the safe option.",

  saveTitle: "Save as a file",
  saveNote: "Everything that is kept, as readable text that can be restored on any machine. Nothing is sent anywhere.",
  save: "Save a backup file",
  saved: "Backup file made.",
  csv: "Save the log as CSV",
  csvNote: "One line per review, for a spreadsheet.",
  anki: "Save the questions for Anki",
  ankiNote:
    "A text file for Anki's import, type Basic. Computed questions come with one set of numbers; only here do they change each time.",
  ankiBusy: "Asking for {count} questions",
  ankiDone: "{count} notes written.",
  deck: "NCA-AIIO (Podwright)",

  openTitle: "Restore a file",
  openNote: "Merged by the id of each review: nothing here is removed. The changes are shown first.",
  choose: "Choose a backup file",
  faults: {
    "not JSON": "This file is not JSON, so it is not a backup. A backup file begins with a brace and ends in .json.",
    "not a backup": "This is JSON, but not a backup of this tool: the field schema is not podwright-study-backup.",
    "newer version":
      "This backup was written by a newer version of the site. Reload the page to update, then try again.",
  },
  written: "Written {date}.",
  change: "What would change",
  count: "Count",
  added: "New reviews",
  addedExams: "New exams",
  addedAnswers: "New exam answers",
  same: "The same in both",
  onlyHere: "Only here, kept",
  conflicts: "Different in both",
  conflictNote: "For a review the version here is kept; for an exam answer the later one.",
  settings: "Settings added",
  settingNames: {
    exam: "exam",
    examAt: "exam date",
    minutesPerDay: "minutes per day",
    retention: "retention",
    backupAt: "last backup",
  },
  leftOut: "Entries that cannot be read are left out: {places}",
  nothingNew: "Everything in this file is already here.",
  apply: "Import",
  cancel: "Cancel",
  applied: "Imported: {count} new entries.",

  eraseTitle: "Erase everything",
  eraseNote: "Removes all reviews, exams and settings of the study tool from this browser.",
  erase: "Erase everything…",
  eraseSure: "Really erase {reviews} reviews and {exams} exams? This cannot be undone.",
  eraseYes: "Erase",
  eraseNo: "Keep",
  erased: "Everything was erased.",
};

followLanguage("backupTexts", backupTexts);
