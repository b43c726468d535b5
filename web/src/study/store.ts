/**
 * Where the study log is kept: in the browser's database, or, where the browser refuses one, in memory until the page closes, which `keeping` says.
 * Everything is in memory either way; each change is written at once as an entry of its own, so that a reload loses nothing.
 */
import { type Signal, signal } from "@preact/signals";
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { answerKey, kNothing, merged, type StudyData, type StudySettings, settingsOf } from "./backup.ts";
import { type ExamAnswer, type ExamRecord, isExamAnswer, isExamRecord } from "./exam_record.ts";
import { inOrder, isReview, type Review } from "./log.ts";

interface Tables extends DBSchema {
  reviews: { key: string; value: Review };
  exams: { key: string; value: ExamRecord };
  answers: { key: string; value: ExamAnswer };
  settings: { key: string; value: StudySettings };
}
type Table = "reviews" | "exams" | "answers" | "settings";

/** Whether what is done now will be there after a reload, and if not, why. */
export type Keeping = { where: "database" } | { where: "memory"; reason: string };

const kDatabase = "podwright study";
const kTables: readonly Table[] = ["reviews", "exams", "answers", "settings"];
/** The one entry of the table of settings. */
const kSettings = "settings";

const reasonOf = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

export class StudyStore {
  readonly keeping: Signal<Keeping>;
  /** Counts changes: views that read it are drawn anew after each. */
  readonly changes = signal(0);
  readonly #database: IDBPDatabase<Tables> | undefined;
  readonly #reviews = new Map<string, Review>();
  readonly #exams = new Map<string, ExamRecord>();
  readonly #answers = new Map<string, ExamAnswer>();
  #settings: StudySettings = {};

  constructor(
    database: IDBPDatabase<Tables> | undefined,
    keeping: Keeping,
    { reviews, exams, answers, settings }: StudyData,
  ) {
    this.#database = database;
    this.keeping = signal(keeping);
    for (const one of reviews) this.#reviews.set(one.id, one);
    for (const one of exams) this.#exams.set(one.id, one);
    for (const one of answers) this.#answers.set(answerKey(one), one);
    this.#settings = settings;
  }

  data(): StudyData {
    return {
      reviews: inOrder([...this.#reviews.values()]),
      exams: [...this.#exams.values()],
      answers: [...this.#answers.values()],
      settings: this.#settings,
    };
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
    await this.#write("reviews", (database) => database.put("reviews", review, review.id));
  }

  /** Takes back a review, as "undo" does. */
  async removeReview(id: string): Promise<void> {
    this.#reviews.delete(id);
    await this.#write("reviews", (database) => database.delete("reviews", id));
  }

  async saveExam(exam: ExamRecord): Promise<void> {
    this.#exams.set(exam.id, exam);
    await this.#write("exams", (database) => database.put("exams", exam, exam.id));
  }

  async saveAnswer(answer: ExamAnswer): Promise<void> {
    this.#answers.set(answerKey(answer), answer);
    await this.#write("answers", (database) => database.put("answers", answer, answerKey(answer)));
  }

  async saveSettings(settings: StudySettings): Promise<void> {
    this.#settings = settings;
    await this.#write("settings", (database) => database.put("settings", settings, kSettings));
  }

  /** Takes in a backup by merging; all of it in one step, or nothing of it in the database. */
  async restore(backup: StudyData): Promise<void> {
    const { data } = merged(this.data(), backup);
    for (const one of data.reviews) this.#reviews.set(one.id, one);
    for (const one of data.exams) this.#exams.set(one.id, one);
    for (const one of data.answers) this.#answers.set(answerKey(one), one);
    this.#settings = data.settings;
    await this.#write("restore", async (database) => {
      const change = database.transaction(kTables, "readwrite");
      await Promise.all([
        ...data.reviews.map((one) => change.objectStore("reviews").put(one, one.id)),
        ...data.exams.map((one) => change.objectStore("exams").put(one, one.id)),
        ...data.answers.map((one) => change.objectStore("answers").put(one, answerKey(one))),
        change.objectStore("settings").put(data.settings, kSettings),
        change.done,
      ]);
    });
  }

  /** Everything is gone, here and in the database. */
  async erase(): Promise<void> {
    for (const table of [this.#reviews, this.#exams, this.#answers]) table.clear();
    this.#settings = {};
    await this.#write("erase", async (database) => {
      const change = database.transaction(kTables, "readwrite");
      await Promise.all([...kTables.map((table) => change.objectStore(table).clear()), change.done]);
    });
  }

  close(): void {
    this.#database?.close();
  }

  /** One change, which is told; then of the database. Where that fails, everything goes on in memory, and `keeping` says so. */
  async #write(what: string, step: (database: IDBPDatabase<Tables>) => Promise<unknown>): Promise<void> {
    this.changes.value += 1;
    if (this.#database === undefined || this.keeping.value.where === "memory") return;
    try {
      await step(this.#database);
    } catch (error) {
      this.keeping.value = { where: "memory", reason: `${what}: ${reasonOf(error)}` };
    }
  }
}

/** Opens what was kept; entries that cannot be read are left out. Never fails: where the browser refuses, the store keeps in memory. */
export async function openStore(): Promise<StudyStore> {
  try {
    let store: StudyStore | undefined;
    const lost = (reason: string) => {
      if (store !== undefined) store.keeping.value = { where: "memory", reason };
    };
    const database = await openDB<Tables>(kDatabase, 1, {
      upgrade(fresh) {
        for (const table of kTables) fresh.createObjectStore(table);
      },
      blocking(_now, _next, event) {
        (event.target as IDBDatabase | null)?.close();
        lost("another tab has a newer version of this page");
      },
      terminated: () => lost("the browser has closed the database"),
    });
    const [reviews, exams, answers, settings] = await Promise.all([
      database.getAll("reviews"),
      database.getAll("exams"),
      database.getAll("answers"),
      database.get("settings", kSettings),
    ]);
    store = new StudyStore(
      database,
      { where: "database" },
      {
        reviews: reviews.filter(isReview),
        exams: exams.filter(isExamRecord),
        answers: answers.filter(isExamAnswer),
        settings: settingsOf(settings),
      },
    );
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
