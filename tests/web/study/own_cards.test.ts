/** Own cards and what is kept at a card: limits, versions, and backups of every version of the site. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  backupText,
  isNews,
  kNothing,
  kVersion,
  merged,
  readBackup,
  type StudyData,
} from "../../../web/src/study/backup.ts";
import {
  bookmarkedCards,
  type CardMark,
  hasMark,
  isCardMark,
  kLongestNote,
  markSet,
  noteOn,
  noteSet,
  suspendedCards,
} from "../../../web/src/study/card_marks.ts";
import {
  changedOwnCard,
  deletedOwnCard,
  isOwnCard,
  kOwnLimits,
  newOwnCard,
  type OwnCard,
  ownCards,
  ownCsv,
  ownFaults,
  tidied,
} from "../../../web/src/study/own_cards.ts";
import { kNoon, review } from "./samples.ts";

const made = (front = "DPU?", time = kNoon): OwnCard => newOwnCard({ front, back: "A data processor" }, time);

describe("an own card", () => {
  it("is plain text without what cannot be seen", () => {
    expect(tidied(" a\r\nb\u0000\u0007\tc\r ")).toBe("a\nb\tc");
    expect(made(" DPU? ")).toMatchObject({ front: "DPU?", back: "A data processor", made: kNoon, time: kNoon });
    expect(newOwnCard({ front: "a", back: "b", objective: "" }, kNoon)).not.toHaveProperty("objective");
  });

  it.each([
    [{ front: " \n", back: "b" }, 0, ["no front"]],
    [{ front: "", back: "" }, 0, ["no front", "no back"]],
    [{ front: "a".repeat(kOwnLimits.front + 1), back: "b" }, 0, ["long front"]],
    [{ front: "a", back: "b".repeat(kOwnLimits.back + 1) }, 0, ["long back"]],
    [{ front: "a", back: "b" }, kOwnLimits.cards, ["many cards"]],
    [{ front: "a".repeat(kOwnLimits.front), back: ` ${"b".repeat(kOwnLimits.back)} ` }, 0, []],
  ])("is refused with its reasons", (text, count, faults) => expect(ownFaults(text, count)).toEqual(faults));

  it("is later than the version before it, whatever the clock says", () => {
    const card = made();
    expect(changedOwnCard(card, { front: "x", back: "y" }, kNoon - 999).time).toBe(kNoon + 1);
    expect(deletedOwnCard(card, kNoon + 7)).toEqual({
      id: card.id,
      front: "",
      back: "",
      made: kNoon,
      time: kNoon + 7,
      deleted: true,
    });
  });

  it("is read again, and what is none is not", () => {
    const card = made();
    expect([card, deletedOwnCard(card, kNoon)].every(isOwnCard)).toBe(true);
    const broken: unknown[] = [
      null,
      { ...card, id: "" },
      { ...card, front: "" },
      { ...card, front: "a".repeat(kOwnLimits.front + 1) },
      { ...card, back: 4 },
      { ...card, time: -1 },
      { ...card, time: 1e300 },
      { ...card, deleted: "yes" },
      { ...card, objective: "1".repeat(99) },
    ];
    expect(broken.filter(isOwnCard)).toEqual([]);
  });

  it("is a line of a table while it is there", () => {
    const card = made('He said "DPU", twice');
    const text = ownCsv([card, deletedOwnCard(made(), kNoon + 1)]);
    expect(text.split("\r\n")).toEqual([
      "id,front,back,objective,made",
      `${card.id},"He said ""DPU"", twice",A data processor,,2026-11-22T12:00:00.000Z`,
      "",
    ]);
  });
});

describe("marks", () => {
  const withMarks = (...marks: CardMark[]) => ({ marks });

  it("are each an entry of their own, the latest first", () => {
    const one = markSet(withMarks(), "a", "bookmark", true, 5);
    const two = markSet(withMarks(one), "b", "bookmark", true, 6);
    const three = markSet(withMarks(one, two), "b", "suspended", true, 7);
    const data = withMarks(one, two, three);
    expect(bookmarkedCards(data)).toEqual(["b", "a"]);
    expect([...suspendedCards(data)]).toEqual(["b"]);
    const back = markSet(data, "b", "bookmark", false, 1);
    expect(back).toEqual({ card: "b", mark: "bookmark", on: false, time: 7 });
    expect(bookmarkedCards(withMarks(one, back, three))).toEqual(["a"]);
    expect(hasMark(withMarks(one, back, three), "b", "suspended")).toBe(true);
  });

  it("have a note with a text, which an empty one removes", () => {
    const note = noteSet(withMarks(), "a", " Look\r\nit up ", 5);
    expect(noteOn(withMarks(note), "a")).toBe("Look\nit up");
    const none = noteSet(withMarks(note), "a", "  ", 6);
    expect(none).toEqual({ card: "a", mark: "note", on: false, time: 6 });
    expect(noteOn(withMarks(none), "a")).toBeUndefined();
    expect([note, none].every(isCardMark)).toBe(true);
    const broken: unknown[] = [
      { ...note, text: "" },
      { ...note, text: "a".repeat(kLongestNote + 1) },
      { ...none, text: "kept" },
      { ...note, mark: "star" },
      { ...note, card: "" },
      { ...note, on: 1 },
    ];
    expect(broken.filter(isCardMark)).toEqual([]);
  });
});

/** A card and marks as they are made, changed and taken back. */
const card = made();
const changed = changedOwnCard(card, { front: "DPU", back: "Data processing unit", objective: "2.8" }, kNoon + 10);
const gone = deletedOwnCard(changed, kNoon + 20);
const star = markSet(kNothing, "1.1-ngc", "bookmark", true, kNoon);
const noStar = markSet({ marks: [star] }, "1.1-ngc", "bookmark", false, kNoon + 5);
const note = noteSet(kNothing, "1.1-ngc", "First", kNoon);
const laterNote = noteSet({ marks: [note] }, "1.1-ngc", "Second", kNoon + 5);
const dataOf = (own: OwnCard[], marks: CardMark[] = []): StudyData => ({ ...kNothing, own, marks });

describe("merging own cards and marks", () => {
  it("keeps the later version, in either direction", () => {
    const [older, newer] = [dataOf([card], [note]), dataOf([changed], [laterNote])];
    for (const both of [merged(older, newer), merged(newer, older)]) {
      expect(both.data).toEqual(newer);
      expect(both.difference.conflicts).toEqual([card.id, "note 1.1-ngc"]);
    }
  });

  it("lets a deletion survive an older backup, and a later change undo it", () => {
    const here = dataOf([gone], [noStar]);
    const { data, difference } = merged(here, dataOf([changed], [star]));
    expect(data).toEqual(here);
    expect(ownCards(data.own)).toEqual([]);
    expect(difference.removed).toBe(0);
    const again = changedOwnCard(gone, { front: "DPU", back: "again" }, kNoon + 30);
    expect(ownCards(merged(here, dataOf([again])).data.own)).toEqual([again]);
  });

  it("takes in a deletion, also of what was never here", () => {
    const known = merged(dataOf([changed], [star]), dataOf([gone], [noStar]));
    expect(known.data).toEqual(dataOf([gone], [noStar]));
    expect(known.difference).toMatchObject({ removed: 2, added: { own: 0, marks: 0 } });
    const unknown = merged(kNothing, dataOf([gone]));
    expect(isNews(unknown.difference)).toBe(true);
    expect(unknown.difference).toMatchObject({ removed: 1, added: { own: 0 } });
    // An older backup that comes after it does not bring the card.
    expect(ownCards(merged(unknown.data, dataOf([card])).data.own)).toEqual([]);
  });

  it("decides between two versions of one time alike on every machine", () => {
    const [a, b] = [
      { ...card, front: "A" },
      { ...card, front: "B" },
    ];
    expect(merged(dataOf([a]), dataOf([b])).data).toEqual(merged(dataOf([b]), dataOf([a])).data);
  });

  it("does nothing with the same twice", () => {
    const here = dataOf([changed, deletedOwnCard(made("x"), kNoon)], [laterNote, noStar]);
    const { data, difference } = merged(here, here);
    expect(data).toEqual(here);
    expect(isNews(difference)).toBe(false);
    expect(difference.same).toBe(4);
  });
});

const folder = join(import.meta.dirname, "backups");

describe("a backup file of every version of the site", () => {
  it("is at hand", () => {
    const names = Array.from({ length: kVersion }, (_, i) => `version_${i + 1}.json`);
    expect(readdirSync(folder).sort()).toEqual(names);
  });

  it.each(readdirSync(folder))("%s is read whole, and restored on top of what is here", (name) => {
    const text = readFileSync(join(folder, name), "utf8");
    const read = readBackup(text);
    if ("error" in read) throw new Error(read.error);
    expect(read.leftOut).toEqual([]);
    const file = JSON.parse(text) as Record<string, unknown[]> & { version: number };
    expect(name).toBe(`version_${file.version}.json`);
    for (const table of ["reviews", "exams", "answers", "own", "marks"] as const)
      expect(read.data[table]).toHaveLength(file[table]?.length ?? 0);
    expect(read.data.reviews.length).toBeGreaterThan(3);
    expect(read.data.settings).toEqual(file.settings);

    const here: StudyData = { ...kNothing, reviews: [review("here")], own: [card], marks: [star] };
    const { data, difference } = merged(here, read.data);
    expect(difference).toMatchObject({ conflicts: [], onlyHere: 3, removed: file.version === 1 ? 0 : 2 });
    expect(data.own).toContainEqual(card);
    expect(data.reviews).toHaveLength(read.data.reviews.length + 1);
    // What is written now is read again as the same.
    expect(readBackup(backupText(read.data, kNoon))).toMatchObject({ data: read.data, leftOut: [] });
  });
});
