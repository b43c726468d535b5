/** The store: a reload finds everything, a browser that refuses is told, and nothing fails. */
import { forceCloseDatabase, IDBFactory, IDBObjectStore } from "fake-indexeddb";
import "fake-indexeddb/auto";
import { openDB } from "idb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { kNothing } from "../../../web/src/study/backup.ts";
import { markSet, noteSet } from "../../../web/src/study/card_marks.ts";
import { changedOwnCard, deletedOwnCard, newOwnCard, ownCards } from "../../../web/src/study/own_cards.ts";
import { openStore } from "../../../web/src/study/store.ts";
import { examAnswer, examRecord, kNoon, review } from "./samples.ts";

beforeEach(() => vi.stubGlobal("indexedDB", new IDBFactory()));
afterEach(() => vi.unstubAllGlobals());

/** What a reload does: the page goes without a word, another opens the same database. */
async function reloaded(store: { close(): void }) {
  store.close();
  return openStore();
}

describe("the database", () => {
  it("keeps reviews, exams, answers and settings over a reload", async () => {
    const store = await openStore();
    expect(store.keeping.value).toEqual({ where: "database" });
    await store.addReview(review("b", { time: kNoon + 5 }));
    await store.addReview(review("a"));
    await store.saveExam(examRecord("e1"));
    await store.saveAnswer(examAnswer("e1", 0));
    await store.saveSettings({ exam: "nca-aiio", examAt: kNoon, backupAt: kNoon });
    const before = store.data();
    const after = await reloaded(store);
    expect(after.data()).toEqual(before);
    expect(after.data().reviews.map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("takes back a review", async () => {
    const store = await openStore();
    await store.addReview(review("a"));
    await store.removeReview("a");
    expect((await reloaded(store)).data().reviews).toEqual([]);
  });

  it("leaves out what is no review any more", async () => {
    const store = await openStore();
    await store.addReview({ ...review("a"), grade: 9 as 3 });
    await store.addReview(review("b"));
    expect((await reloaded(store)).data().reviews.map(({ id }) => id)).toEqual(["b"]);
  });

  it("keeps an exam answer by answer, so that a reload goes on with it", async () => {
    const store = await openStore();
    await store.saveExam(examRecord("old", { submittedAt: kNoon }));
    await store.saveExam(examRecord("e1"));
    await store.saveAnswer(examAnswer("e1", 2));
    await store.saveAnswer(examAnswer("e1", 0, { flagged: true, struck: [3] }));
    await store.saveAnswer(examAnswer("e1", 2, { answer: [0], confidence: 0.8 }));
    await store.saveAnswer(examAnswer("old", 1));
    const open = (await reloaded(store)).openExam();
    expect(open?.exam.id).toBe("e1");
    expect(open?.answers.map(({ place, answer }) => [place, answer])).toEqual([
      [0, [1]],
      [2, [0]],
    ]);
    expect(open?.answers[0]).toMatchObject({ flagged: true, struck: [3] });
  });

  it("has no open exam once it is handed in", async () => {
    const store = await openStore();
    await store.saveExam(examRecord("e1"));
    await store.saveExam(examRecord("e1", { submittedAt: kNoon }));
    expect((await reloaded(store)).openExam()).toBeUndefined();
  });

  it("takes in a backup as a whole", async () => {
    const store = await openStore();
    await store.addReview(review("a"));
    await store.restore({
      ...kNothing,
      reviews: [review("a", { grade: 1 }), review("b")],
      exams: [examRecord("e1")],
      answers: [examAnswer("e1", 1)],
      settings: { examAt: kNoon },
    });
    const { reviews, exams, answers, settings } = (await reloaded(store)).data();
    expect(reviews.map(({ id, grade }) => [id, grade])).toEqual([
      ["a", 3],
      ["b", 3],
    ]);
    expect([exams.length, answers.length, settings]).toEqual([1, 1, { examAt: kNoon }]);
  });
});

describe("own cards and marks", () => {
  const card = newOwnCard({ front: "DPU?", back: "A processor for data" }, kNoon);

  it("are kept over a reload, each version in place of the one before, deleted ones too", async () => {
    const store = await openStore();
    await store.saveOwn(card);
    await store.saveOwn(changedOwnCard(card, { front: "DPU", back: "Data processing unit" }, kNoon + 1));
    await store.saveOwn(deletedOwnCard(newOwnCard({ front: "x", back: "y" }, kNoon), kNoon + 1));
    await store.saveMark(markSet(store.data(), "1.1-ngc", "bookmark", true, kNoon));
    await store.saveMark(noteSet(store.data(), "1.1-ngc", "Look it up", kNoon));
    const before = store.data();
    const after = (await reloaded(store)).data();
    expect(after).toMatchObject({ marks: expect.arrayContaining([...before.marks]) });
    expect(after.own).toEqual(expect.arrayContaining([...before.own]));
    expect(ownCards(after.own).map(({ front }) => front)).toEqual(["DPU"]);
    expect([after.own.length, after.marks.length]).toEqual([2, 2]);
  });

  it("come into a database of the first version, which keeps what it has", async () => {
    const older = await openDB("podwright study", 1, {
      upgrade(fresh) {
        for (const table of ["reviews", "exams", "answers", "settings"]) fresh.createObjectStore(table);
      },
    });
    await older.put("reviews", review("a"), "a");
    await older.put("settings", { minutesPerDay: 25 }, "settings");
    older.close();
    const store = await openStore();
    expect(store.keeping.value).toEqual({ where: "database" });
    expect(store.data()).toEqual({ ...kNothing, reviews: [review("a")], settings: { minutesPerDay: 25 } });
    await store.saveOwn(card);
    expect((await reloaded(store)).data().own).toEqual([card]);
  });

  it("are heard in the other tab, the later version of one whatever the order", async () => {
    const [one, other] = [await openStore(), await openStore()];
    await one.saveOwn(card);
    await one.saveMark(markSet(one.data(), "own.x", "suspended", true, kNoon));
    await vi.waitFor(() => expect(other.data()).toEqual(one.data()));
    const later = changedOwnCard(card, { front: "b", back: "b" }, kNoon + 2);
    await other.saveOwn(later);
    await one.saveOwn(changedOwnCard(card, { front: "a", back: "a" }, kNoon + 1));
    await vi.waitFor(() => expect(one.data().own).toEqual([later]));
    expect(other.data().own).toEqual([later]);
    for (const store of [one, other]) store.close();
  });
});

describe("two tabs", () => {
  it("see each other's reviews, exams, answers and settings as they come", async () => {
    const [one, other] = [await openStore(), await openStore()];
    await one.addReview(review("a"));
    await one.saveExam(examRecord("e1"));
    await one.saveAnswer(examAnswer("e1", 0, { flagged: true }));
    await other.saveSettings({ examAt: kNoon });
    await vi.waitFor(() => {
      expect(other.data()).toEqual(one.data());
      expect(other.data().reviews).toHaveLength(1);
      expect(one.data().settings).toEqual({ examAt: kNoon });
    });
    expect(other.openExam()?.answers).toEqual([examAnswer("e1", 0, { flagged: true })]);
    await other.removeReview("a");
    await vi.waitFor(() => expect(one.data().reviews).toEqual([]));
    for (const store of [one, other]) store.close();
  });

  it("take in a backup and an erasing of the other as a whole", async () => {
    const [one, other] = [await openStore(), await openStore()];
    await other.addReview(review("here"));
    await vi.waitFor(() => expect(one.data().reviews).toHaveLength(1));
    await one.restore({ ...kNothing, reviews: [review("b")], exams: [examRecord("e1")] });
    await vi.waitFor(() => expect(other.data().reviews.map(({ id }) => id)).toEqual(["b", "here"]));
    expect(other.data().exams).toHaveLength(1);
    await one.erase();
    await vi.waitFor(() => expect(other.data()).toEqual(kNothing));
    for (const store of [one, other]) store.close();
  });

  it("leave out what they cannot read", async () => {
    const store = await openStore();
    const changes = store.changes.value;
    const channel = new BroadcastChannel("podwright study");
    for (const message of ["x", null, { table: "reviews", put: { id: "a" } }, { table: "later" }])
      channel.postMessage(message);
    channel.postMessage({ table: "settings", put: { minutesPerDay: 30, retention: "much" } });
    await vi.waitFor(() => expect(store.data().settings).toEqual({ minutesPerDay: 30 }));
    expect(store.changes.value).toBe(changes + 1);
    expect(store.data().reviews).toEqual([]);
    channel.close();
    store.close();
  });

  it("keep for themselves what a browser without channels does not tell", async () => {
    vi.stubGlobal("BroadcastChannel", undefined);
    const [one, other] = [await openStore(), await openStore()];
    await one.addReview(review("a"));
    expect(other.data().reviews).toEqual([]);
    await other.reread();
    expect(other.data().reviews.map(({ id }) => id)).toEqual(["a"]);
    for (const store of [one, other]) store.close();
  });

  it("lose nothing that is written while the database is read again", async () => {
    const store = await openStore();
    const reading = store.reread();
    const writing = store.addReview(review("a"));
    await Promise.all([reading, writing]);
    expect(store.data().reviews.map(({ id }) => id)).toEqual(["a"]);
    store.close();
  });
});

describe("a browser that refuses", () => {
  it("has a store in memory that says so", async () => {
    vi.stubGlobal("indexedDB", undefined);
    const store = await openStore();
    expect(store.keeping.value.where).toBe("memory");
    await store.addReview(review("a"));
    await store.restore({ ...kNothing, reviews: [review("b")] });
    expect(store.data().reviews).toHaveLength(2);
  });

  it("names the reason when opening is denied", async () => {
    vi.stubGlobal("indexedDB", {
      open: () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    });
    expect((await openStore()).keeping.value).toEqual({
      where: "memory",
      reason: "SecurityError: The operation is insecure.",
    });
  });

  it("keeps on in memory when a write fails later", async () => {
    const store = await openStore();
    await store.addReview(review("a"));
    store.close();
    await store.saveAnswer(examAnswer("e1", 0));
    expect(store.keeping.value).toMatchObject({
      where: "memory",
      reason: expect.stringMatching(/^answers: InvalidStateError/),
    });
    await store.addReview(review("b"));
    expect(store.data().reviews.map(({ id }) => id)).toEqual(["a", "b"]);
    expect((await openStore()).data().reviews.map(({ id }) => id)).toEqual(["a"]);
  });
});

describe("a database in disorder", () => {
  /** Everything so far stays on show, what is done now too, and the page says why it is not kept. */
  async function goesOnInMemory(store: Awaited<ReturnType<typeof openStore>>, reason: RegExp) {
    expect(store.keeping.value).toEqual({ where: "memory", reason: expect.stringMatching(reason) });
    await store.addReview(review("later"));
    expect(store.data().reviews.map(({ id }) => id)).toContain("later");
    store.close();
  }

  it("that is full keeps what it has, and the page goes on in memory", async () => {
    const store = await openStore();
    await store.addReview(review("a"));
    const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    });
    await store.addReview(review("b"));
    put.mockRestore();
    await goesOnInMemory(store, /^reviews: QuotaExceededError/);
    expect((await openStore()).data().reviews.map(({ id }) => id)).toEqual(["a"]);
  });

  it("takes nothing of a backup of which it cannot take all", async () => {
    const store = await openStore();
    await store.addReview(review("a"));
    const strange = { ...review("c"), at: () => 0 };
    await store.restore({ ...store.data(), reviews: [review("b"), strange] });
    await goesOnInMemory(store, /^all: DataCloneError/);
    expect((await openStore()).data().reviews.map(({ id }) => id)).toEqual(["a"]);
  });

  it("without its tables is left alone", async () => {
    (await openDB("podwright study", 2)).close();
    await goesOnInMemory(await openStore(), /^NotFoundError/);
  });

  it("that cannot be read is left alone", async () => {
    const read = vi.spyOn(IDBObjectStore.prototype, "getAll").mockImplementation(() => {
      throw new DOMException("Internal error.", "UnknownError");
    });
    const store = await openStore();
    read.mockRestore();
    await goesOnInMemory(store, /^UnknownError/);
  });

  it("of a newer version of the page is left alone", async () => {
    (await openDB("podwright study", 9)).close();
    await goesOnInMemory(await openStore(), /^VersionError/);
  });

  it("that another tab brings to a newer version is let go", async () => {
    const store = await openStore();
    await store.addReview(review("a"));
    const newer = await openDB("podwright study", 9);
    expect(await newer.getAllKeys("reviews")).toEqual(["a"]);
    await goesOnInMemory(store, /another tab has a newer version/);
    newer.close();
  });

  it("that the browser closes is told", async () => {
    const opened: IDBDatabase[] = [];
    const open = indexedDB.open.bind(indexedDB);
    vi.spyOn(indexedDB, "open").mockImplementation((...given) => {
      const request = open(...given);
      request.addEventListener("success", () => opened.push(request.result));
      return request;
    });
    const store = await openStore();
    for (const one of opened) forceCloseDatabase(one as never);
    await vi.waitFor(() => expect(store.keeping.value.where).toBe("memory"));
    await goesOnInMemory(store, /the browser has closed the database/);
  });
});

describe("erasing", () => {
  it("leaves nothing here and nothing in the database", async () => {
    const store = await openStore();
    await store.addReview(review("a"));
    await store.saveExam(examRecord("e1"));
    await store.saveAnswer(examAnswer("e1", 0));
    await store.saveSettings({ exam: "nca-aiio" });
    const before = store.changes.value;
    await store.erase();
    expect(store.changes.value).toBe(before + 1);
    expect(store.data()).toEqual(kNothing);
    expect((await reloaded(store)).data()).toEqual(kNothing);
  });
});
