/** What a learner has chosen; kept with the log, and in backups. */

export interface ExamDate {
  examAt: number;
  planFrom?: number;
}

export interface StudySettings {
  /** Which exam, and when. */
  exam?: string;
  examAt?: number;
  /** When the plan towards that date began: its mock exams keep their days. */
  planFrom?: number;
  /** Of exams that are not chosen now, by their ids. */
  otherDates?: Readonly<Record<string, ExamDate>>;
  minutesPerDay?: number;
  retention?: number;
  /** When the last backup was written. */
  backupAt?: number;
}
