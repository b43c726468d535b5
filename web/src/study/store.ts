/**
 * Where the study log is kept: in the browser's database, or, where the browser refuses one, in memory until the page closes, which `keeping` says.
 * Everything is in memory either way; each change is written at once as an entry of its own, so that a reload loses nothing, and told to other tabs.
 */
import { type Signal, signal } from "@preact/signals";
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import { isObject } from "../json.ts";
import { answerKey, kNothing, laterOf, merged, type StudyData, settingsOf } from "./backup.ts";
import { type CardMark, isCardMark, markKey } from "./card_marks.ts";
import { type ExamAnswer, type ExamRecord, isExamAnswer, isExamRecord } from "./exam_record.ts";
import { inOrder, isReview, type Review } from "./log.ts";
import { isOwnCard, type OwnCard } from "./own_cards.ts";
import type { StudySettings } from "./study_settings.ts";
import { type TabChannel, tabChannel } from "./tabs.ts";

interface Tables extends DBSchema {
  reviews: { key: string; value: Review };
  exams: { key: string; value: ExamRecord };
  answers: { key: string; value: ExamAnswer };
  own: { key: string; value: OwnCard };
  marks: { key: string; value: CardMark };
  settings: { key: string; value: StudySettings };
}
type Table = "reviews" | "exams" | "answers" | "own" | "marks" | "settings";

type Change = IDBPTransaction<Tables, Table[], "readwrite">;

/** Whether what is done now will be there after a reload, and if not, why. */
export type Keeping = { where: "database" } | { where: "memory"; reason: string };

const kDatabase = "podwright study";
/** 2 has own cards and marks. */
const kDatabaseVersion = 2;
const kTables: Table[] = ["reviews", "exams", "answers", "own", "marks", "settings"];
/** The one entry of the table of settings. */
const kSettings = "settings";

/** What other tabs are told: an entry as it is now, the id of a review that was taken back, or that very much has changed. */
type Told =
  | { table: "reviews"; put: Review }
  | { table: "reviews"; removed: string }
  | { table: "exams"; put: ExamRecord }
  | { table: "answers"; put: ExamAnswer }
  | { table: "own"; put: OwnCard }
  | { table: "marks"; put: CardMark }
  | { table: "settings"; put: StudySettings }
  | { table: "all" };

const reasonOf = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

export class StudyStore {
  readonly keeping: Signal<Keeping>;
  /** Counts changes: what reads it, or `data()`, in a view is drawn anew after each. */
  readonly changes = signal(0);
  #told: { at: number; data: StudyData } | undefined;
  readonly #database: IDBPDatabase<Tables> | undefined;
  readonly #reviews = new Map<string, Review>();
  readonly #exams = new Map<string, ExamRecord>();
  readonly #answers = new Map<string, ExamAnswer>();
  readonly #own = new Map<string, OwnCard>();
  readonly #marks = new Map<string, CardMark>();
  #settings: StudySettings = {};
  readonly #others: TabChannel | undefined;

  constructor(database: IDBPDatabase<Tables> | undefined, keeping: Keeping, data: StudyData) {
    this.#database = database;
    this.keeping = signal(keeping);
    this.#others = database && tabChannel(kDatabase, (change) => this.#hear(change));
    this.#fill(data);
  }

  #fill({ reviews, exams, answers, own, marks, settings }: StudyData): void {
    for (const table of [this.#reviews, this.#exams, this.#answers, this.#own, this.#marks]) table.clear();
    for (const one of reviews) this.#reviews.set(one.id, one);
    for (const one of exams) this.#exams.set(one.id, one);
    for (const one of answers) this.#answers.set(answerKey(one), one);
    for (const one of own) this.#own.set(one.id, one);
    for (const one of marks) this.#marks.set(markKey(one), one);
    this.#settings = settings;
  }

  /** What another tab has changed, here too. It has written it. */
  #hear(change: unknown): void {
    if (!isObject(change) || this.keeping.value.where === "memory") return;
    const { table, put, removed } = change;
    if (table === "all") {
      void this.reread();
      return;
    }
    if (table === "reviews" && isReview(put)) this.#reviews.set(put.id, put);
    else if (table === "reviews" && typeof removed === "string") this.#reviews.delete(removed);
    else if (table === "exams" && isExamRecord(put)) this.#exams.set(put.id, put);
    else if (table === "answers" && isExamAnswer(put)) this.#answers.set(answerKey(put), put);
    else if (table === "own" && isOwnCard(put)) this.#own.set(put.id, laterOf(this.#own.get(put.id) ?? put, put));
    else if (table === "marks" && isCardMark(put))
      this.#marks.set(markKey(put), laterOf(this.#marks.get(markKey(put)) ?? put, put));
    else if (table === "settings") this.#settings = settingsOf(put);
    else return;
    this.changes.value += 1;
  }

  /** Everything as the database has it now, with what other tabs have written. */
  async reread(): Promise<void> {
    if (this.#database === undefined || this.keeping.value.where === "memory") return;
    try {
      for (;;) {
        const before = this.changes.peek();
        const data = await readAll(this.#database);
        // What was changed meanwhile may not be in it.
        if (this.changes.peek() !== before) continue;
        this.#fill(data);
        this.changes.value += 1;
        return;
      }
    } catch {
      // What is in memory stands.
    }
  }

  /** The same object until something changes. */
  data(): StudyData {
    const at = this.changes.value;
    if (this.#told?.at === at) return this.#told.data;
    const data = {
      reviews: inOrder([...this.#reviews.values()]),
      exams: [...this.#exams.values()],
      answers: [...this.#answers.values()],
      own: [...this.#own.values()],
      marks: [...this.#marks.values()],
      settings: this.#settings,
    };
    this.#told = { at, data };
    return data;
  }

  /** The exam that was begun last and not handed in, with its answers. */
  openExam(): { exam: ExamRecord; answers: ExamAnswer[] } | undefined {
    const open = [...this.#exams.values()].filter(({ submittedAt }) => submittedAt === undefined);
    const exam = open.sort((a, b) => b.clock.startedAt - a.clock.startedAt)[0];
    return exam && { exam, answers: this.answersOf(exam.id) };
  }

  /** In the order of the questions. */
  answersOf(exam: string): ExamAnswer[] {
    return [...this.#answers.values()].filter((one) => one.exam === exam).sort((a, b) => a.place - b.place);
  }

  async addReview(review: Review): Promise<void> {
    this.#reviews.set(review.id, review);
    await this.#write({ table: "reviews", put: review }, (change) => [
      change.objectStore("reviews").put(review, review.id),
    ]);
  }

  /** Takes back a review, as "undo" does. */
  async removeReview(id: string): Promise<void> {
    this.#reviews.delete(id);
    await this.#write({ table: "reviews", removed: id }, (change) => [change.objectStore("reviews").delete(id)]);
  }

  async saveExam(exam: ExamRecord): Promise<void> {
    this.#exams.set(exam.id, exam);
    await this.#write({ table: "exams", put: exam }, (change) => [change.objectStore("exams").put(exam, exam.id)]);
  }

  async saveAnswer(answer: ExamAnswer): Promise<void> {
    this.#answers.set(answerKey(answer), answer);
    await this.#write({ table: "answers", put: answer }, (change) => [
      change.objectStore("answers").put(answer, answerKey(answer)),
    ]);
  }

  /** A new own card, or another version of one; a deleted one too. */
  async saveOwn(card: OwnCard): Promise<void> {
    this.#own.set(card.id, card);
    await this.#write({ table: "own", put: card }, (change) => [change.objectStore("own").put(card, card.id)]);
  }

  async saveMark(mark: CardMark): Promise<void> {
    this.#marks.set(markKey(mark), mark);
    await this.#write({ table: "marks", put: mark }, (change) => [
      change.objectStore("marks").put(mark, markKey(mark)),
    ]);
  }

  async saveSettings(settings: StudySettings): Promise<void> {
    this.#settings = settings;
    await this.#write({ table: "settings", put: settings }, (change) => [
      change.objectStore("settings").put(settings, kSettings),
    ]);
  }

  /** Takes in a backup by merging; all of it in one step, or nothing of it in the database. */
  async restore(backup: StudyData): Promise<void> {
    const { data } = merged(this.data(), backup);
    this.#fill(data);
    await this.#write({ table: "all" }, function* (change) {
      for (const one of data.reviews) yield change.objectStore("reviews").put(one, one.id);
      for (const one of data.exams) yield change.objectStore("exams").put(one, one.id);
      for (const one of data.answers) yield change.objectStore("answers").put(one, answerKey(one));
      for (const one of data.own) yield change.objectStore("own").put(one, one.id);
      for (const one of data.marks) yield change.objectStore("marks").put(one, markKey(one));
      yield change.objectStore("settings").put(data.settings, kSettings);
    });
  }

  /** Everything is gone, here and in the database. */
  async erase(): Promise<void> {
    this.#fill(kNothing);
    await this.#write({ table: "all" }, (change) => kTables.map((table) => change.objectStore(table).clear()));
  }

  close(): void {
    this.#others?.close();
    this.#database?.close();
  }

  /** One change, which is told; then of the database, and told to other tabs. Where that fails, everything goes on in memory, and `keeping` says so. */
  async #write(told: Told, steps: (change: Change) => Iterable<Promise<unknown>>): Promise<void> {
    this.changes.value += 1;
    if (this.#database === undefined || this.keeping.value.where === "memory") return;
    try {
      const change = this.#database.transaction(told.table === "all" ? kTables : [told.table], "readwrite");
      const done: Promise<unknown>[] = [change.done];
      try {
        for (const step of steps(change)) done.push(step);
        // Else the database waits for the page to hear of each step, and a page that is reloaded does not.
        change.commit();
      } catch (error) {
        change.abort();
        await Promise.allSettled(done);
        throw error;
      }
      await Promise.all(done);
    } catch (error) {
      this.keeping.value = { where: "memory", reason: `${told.table}: ${reasonOf(error)}` };
      return;
    }
    this.#others?.tell(told);
  }
}

/** All tables; entries that cannot be read are left out. */
async function readAll(database: IDBPDatabase<Tables>): Promise<StudyData> {
  const [reviews, exams, answers, own, marks, settings] = await Promise.all([
    database.getAll("reviews"),
    database.getAll("exams"),
    database.getAll("answers"),
    database.getAll("own"),
    database.getAll("marks"),
    database.get("settings", kSettings),
  ]);
  return {
    reviews: reviews.filter(isReview),
    exams: exams.filter(isExamRecord),
    answers: answers.filter(isExamAnswer),
    own: own.filter(isOwnCard),
    marks: marks.filter(isCardMark),
    settings: settingsOf(settings),
  };
}

/** Opens what was kept. Never fails: where the browser refuses, the store keeps in memory. */
export async function openStore(): Promise<StudyStore> {
  try {
    let store: StudyStore | undefined;
    const lost = (reason: string) => {
      if (store !== undefined) store.keeping.value = { where: "memory", reason };
    };
    const database = await openDB<Tables>(kDatabase, kDatabaseVersion, {
      upgrade(older) {
        for (const table of kTables) if (!older.objectStoreNames.contains(table)) older.createObjectStore(table);
      },
      blocking(_now, _next, event) {
        (event.target as IDBDatabase | null)?.close();
        lost("another tab has a newer version of this page");
      },
      terminated: () => lost("the browser has closed the database"),
    });
    store = new StudyStore(database, { where: "database" }, await readAll(database));
    return store;
  } catch (error) {
    return new StudyStore(undefined, { where: "memory", reason: reasonOf(error) }, kNothing);
  }
}

/** Asks the browser not to erase the log when space is short; true where it agreed. */
export async function askToPersist(): Promise<boolean> {
  try {
    return await navigator.storage.persist();
  } catch {
    return false;
  }
}

/** Whether the browser has agreed not to erase the log. */
export async function isPersisted(): Promise<boolean> {
  try {
    return await navigator.storage.persisted();
  } catch {
    return false;
  }
}
