/** All that the study tool keeps, as a file; and a file back into what is kept, by merging, with the difference shown before. */
import { isObject } from "../json.ts";
import { type CardMark, isCardMark, markKey } from "./card_marks.ts";
import { datesOf, withExam } from "./exam_dates.ts";
import { type ExamAnswer, type ExamRecord, isExamAnswer, isExamRecord } from "./exam_record.ts";
import { faultsOf, inOrder, isTime, type Review } from "./log.ts";
import { isOwnCard, type OwnCard } from "./own_cards.ts";
import type { StudySettings } from "./study_settings.ts";

export const kSchema = "podwright-study-backup";
/** 1: reviews, exams, answers and settings. 2: own cards and marks of cards, later lessons read. Files of every version can be read. */
export const kVersion = 2;
/** Bytes of a file: far more than years of answers take. */
export const kLargestFile = 50_000_000;

/** What is kept. */
export interface StudyData {
  reviews: readonly Review[];
  exams: readonly ExamRecord[];
  answers: readonly ExamAnswer[];
  /** Own cards with those that were deleted, which are empty. */
  own: readonly OwnCard[];
  /** Notes, bookmarks and what is not to be asked, with what was taken back. */
  marks: readonly CardMark[];
  settings: StudySettings;
}

export const kNothing: StudyData = { reviews: [], exams: [], answers: [], own: [], marks: [], settings: {} };

export const answerKey = ({ exam, place }: { exam: string; place: number }) => `${exam}/${place}`;

/** `lessons` are those that were read, which the page keeps beside the database. */
export function backupText(data: StudyData, now: number, lessons: Iterable<string> = []): string {
  const { reviews, exams, answers, own, marks, settings } = data;
  const file = {
    schema: kSchema,
    version: kVersion,
    written: new Date(now).toISOString(),
    settings,
    reviews: inOrder(reviews),
    exams,
    answers,
    own,
    marks,
    lessons: [...lessons].sort(),
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/** Why a file cannot be read at all. Texts for people are the screen's. */
export type Unreadable = "not JSON" | "not a backup" | "newer version";

export interface ReadBackup {
  data: StudyData;
  /** Those that were read. */
  lessons: string[];
  written?: string;
  /** Entries that are left out, as places in the file. */
  leftOut: string[];
}

const isBetween = (least: number, most: number) => (value: unknown) =>
  typeof value === "number" && value >= least && value <= most;

/** What each setting must be; other dates are read one by one. */
const kSettingFields: Record<keyof StudySettings, (value: unknown) => boolean> = {
  exam: (value) => typeof value === "string",
  examAt: isTime,
  planFrom: isTime,
  otherDates: () => false,
  minutesPerDay: isBetween(1, 24 * 60),
  retention: isBetween(0.01, 0.99),
  backupAt: isTime,
};
const kSettings = Object.keys(kSettingFields) as (keyof StudySettings)[];

export function settingsOf(value: unknown): StudySettings {
  if (!isObject(value)) return {};
  const isRight = (key: keyof StudySettings) => kSettingFields[key](value[key]);
  const otherDates = datesOf(value.otherDates);
  return {
    ...Object.fromEntries(kSettings.filter(isRight).map((key) => [key, value[key]])),
    ...(otherDates === undefined ? {} : { otherDates }),
  };
}

export function readBackup(text: string): ReadBackup | { error: Unreadable } {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return { error: "not JSON" };
  }
  if (!isObject(file) || file.schema !== kSchema || typeof file.version !== "number") return { error: "not a backup" };
  if (file.version > kVersion) return { error: "newer version" };
  const leftOut: string[] = [];
  const entries = <Entry>(key: string, is: (value: unknown) => value is Entry): Entry[] => {
    const list: unknown[] = Array.isArray(file[key]) ? file[key] : [];
    return list.filter((value, i): value is Entry => {
      if (is(value)) return true;
      leftOut.push(`/${key}/${i}`);
      return false;
    });
  };
  const data = {
    reviews: entries("reviews", (value): value is Review => faultsOf(value).length === 0),
    exams: entries("exams", isExamRecord),
    answers: entries("answers", isExamAnswer),
    own: entries("own", isOwnCard),
    marks: entries("marks", isCardMark),
    settings: settingsOf(file.settings),
  };
  const lessons = entries("lessons", (value): value is string => typeof value === "string");
  return { data, lessons, ...(typeof file.written === "string" ? { written: file.written } : {}), leftOut };
}

/** What restoring would change. No review, exam or answer that is here is ever removed; an own card or a mark is where it was taken back later. */
export interface Difference {
  /** Only in the file: they would come in. */
  added: { reviews: number; exams: number; answers: number; own: number; marks: number };
  /** Own cards and marks that the file takes away, or of which it says that they were. */
  removed: number;
  /** Of what is here, what a later version of the file takes the place of. */
  replaced: number;
  /** In both, the same. */
  same: number;
  /** In both, but not the same; what stays is told by `merged`. */
  conflicts: string[];
  /** Only here: they stay. */
  onlyHere: number;
  /** Settings that the file would fill in. */
  settings: (keyof StudySettings)[];
}

/** JSON with sorted keys: two entries are the same if their texts are. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

interface Joined<Entry> {
  all: Entry[];
  added: Entry[];
  replaced: number;
  same: number;
  conflicts: string[];
  onlyHere: number;
}

/** Of two versions the later one; of two of one time always the same one, whichever is here. */
export function laterOf<Entry extends { time: number }>(own: Entry, other: Entry): Entry {
  if (own.time !== other.time) return other.time > own.time ? other : own;
  return canonical(other) > canonical(own) ? other : own;
}

/** `here` and what of `there` is new by its key; where both have one, `later` chooses. */
function joined<Entry>(
  here: readonly Entry[],
  there: readonly Entry[],
  keyOf: (entry: Entry) => string,
  later: (here: Entry, there: Entry) => Entry,
): Joined<Entry> {
  const all = new Map(here.map((entry) => [keyOf(entry), entry]));
  const result: Joined<Entry> = { all: [], added: [], replaced: 0, same: 0, conflicts: [], onlyHere: 0 };
  const met = new Set<string>();
  for (const entry of there) {
    const key = keyOf(entry);
    const own = all.get(key);
    if (own === undefined) result.added.push(entry);
    else if (canonical(own) !== canonical(entry)) result.conflicts.push(key);
    else if (!met.has(key)) result.same += 1;
    met.add(key);
    all.set(key, own === undefined ? entry : later(own, entry));
  }
  result.all = [...all.values()];
  result.replaced = here.filter((entry) => all.get(keyOf(entry)) !== entry).length;
  result.onlyHere = here.filter((entry) => !met.has(keyOf(entry))).length;
  return result;
}

/** Settings here, filled up from the file. A date goes with its exam: where another one is chosen here, the file's date is one of the others. */
function mergedSettings(here: StudySettings, there: StudySettings) {
  const theirs = here.exam === undefined || there.exam === undefined ? there : withExam(there, there.exam, here.exam);
  const filled = kSettings.filter((key) => {
    if (key !== "otherDates") return theirs[key] !== undefined && here[key] === undefined;
    return Object.keys(theirs.otherDates ?? {}).some((exam) => here.otherDates?.[exam] === undefined);
  });
  const dates = filled.includes("otherDates") ? { otherDates: { ...theirs.otherDates, ...here.otherDates } } : {};
  const settings: StudySettings = {
    ...Object.fromEntries(filled.map((key) => [key, theirs[key]])),
    ...here,
    ...dates,
  };
  return { settings, filled };
}

/**
 * What is kept here together with a backup. Reviews never change once written: of two with one id the one here stays. Of an exam or an answer that
 * both have, the one that got further stays. Of an own card or a mark the later version stays; one that was deleted or taken back is a version like
 * others, so that an older backup does not bring it back, and a later change elsewhere does. Settings here go before those of the file.
 */
export function merged(here: StudyData, there: StudyData): { data: StudyData; difference: Difference } {
  const reviews = joined(
    here.reviews,
    there.reviews,
    ({ id }) => id,
    (own) => own,
  );
  const exams = joined(
    here.exams,
    there.exams,
    ({ id }) => id,
    (own, other) => ((other.submittedAt ?? 0) > (own.submittedAt ?? 0) ? other : own),
  );
  const answers = joined(here.answers, there.answers, answerKey, (own, other) => (other.time > own.time ? other : own));
  const own = joined(here.own, there.own, ({ id }) => id, laterOf);
  const marks = joined(here.marks, there.marks, markKey, laterOf);
  const lists = [reviews, exams, answers, own, marks];
  const isThere = { own: (one: OwnCard) => one.deleted !== true, marks: (one: CardMark) => one.on };
  const removed = [
    ...own.all.filter((one) => !isThere.own(one) && !here.own.includes(one)),
    ...marks.all.filter((one) => !isThere.marks(one) && !here.marks.includes(one)),
  ];
  const { settings, filled } = mergedSettings(here.settings, there.settings);
  return {
    data: {
      reviews: inOrder(reviews.all),
      exams: exams.all,
      answers: answers.all,
      own: own.all,
      marks: marks.all,
      settings,
    },
    difference: {
      added: {
        reviews: reviews.added.length,
        exams: exams.added.length,
        answers: answers.added.length,
        own: own.added.filter(isThere.own).length,
        marks: marks.added.filter(isThere.marks).length,
      },
      removed: removed.length,
      replaced: lists.reduce((sum, { replaced }) => sum + replaced, 0),
      same: lists.reduce((sum, { same }) => sum + same, 0),
      conflicts: lists.flatMap(({ conflicts }) => conflicts),
      onlyHere: lists.reduce((sum, { onlyHere }) => sum + onlyHere, 0),
      settings: filled,
    },
  };
}

/** Entries that would come in, and lessons that were read. */
export const addedCount = ({ added }: Difference, lessons: readonly string[] = []) =>
  Object.values(added).reduce((sum, count) => sum + count, lessons.length);

/** False where the file would change nothing. */
export const isNews = (difference: Difference) =>
  addedCount(difference) > 0 || difference.removed > 0 || difference.replaced > 0 || difference.settings.length > 0;
