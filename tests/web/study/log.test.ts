/** The raw log, its table, backups and their merging, and the text that Anki imports. */
import { describe, expect, it } from "vitest";
import { ankiText } from "../../../web/src/study/anki.ts";
import {
  addedCount,
  backupText,
  isNews,
  kNothing,
  merged,
  readBackup,
  type StudyData,
} from "../../../web/src/study/backup.ts";
import { byCard, faultsOf, inOrder, isReview, newId, reviewsCsv } from "../../../web/src/study/log.ts";
import { fsrsScheduler } from "../../../web/src/study/scheduler.ts";
import { examAnswer, examRecord, kNoon, review } from "./samples.ts";

describe("a review", () => {
  it("has what it needs", () => {
    expect(faultsOf(review("a"))).toEqual([]);
    expect(isReview(review("a", { confidence: 0.9, mistake: "misread", exam: "e", session: "s" }))).toBe(true);
    expect(newId()).not.toBe(newId());
  });

  it.each([
    [null, [""]],
    [[], [""]],
    [{ ...review("a"), id: "" }, ["id"]],
    [{ ...review("a"), time: "now", grade: 5 }, ["time", "grade"]],
    [{ ...review("a"), seconds: -1, confidence: 1 }, ["seconds", "confidence"]],
    [{ ...review("a"), right: 1, mistake: "bad luck" }, ["right", "mistake"]],
    [{ ...review("a"), answer: undefined, exam: 4 }, ["answer", "exam"]],
    [{ ...review("a"), time: Number.NaN }, ["time"]],
  ])("%j has faults %j", (value, faults) => expect(faultsOf(value)).toEqual(faults));

  it("is ordered by time, then id, and grouped by card for the scheduler", () => {
    const all = [review("c", { time: 3 }), review("b", { time: 1, card: "x" }), review("a", { time: 3 })];
    expect(inOrder(all).map(({ id }) => id)).toEqual(["b", "a", "c"]);
    const cards = byCard(all);
    expect([...cards].map(([card, own]) => `${card} ${own.map(({ id }) => id)}`)).toEqual(["x b", "t.kv-cache a,c"]);
    const state = fsrsScheduler().replay(cards.get("t.kv-cache") ?? [], 0);
    expect(state.reviews).toBe(2);
  });
});

describe("the table of the log", () => {
  it("has a line for each review, quoted where needed", () => {
    const [head, first, second, end] = reviewsCsv([
      review("b", { time: kNoon + 1500, answer: 'a "b", c', confidence: 0.8, exam: "e1" }),
      review("a", { traps: ["keys-only", "one-head"] }),
    ]).split("\r\n");
    expect(head).toBe(
      "id,time,card,question,objective,grade,right,confidence,answer,seconds,mistake,exam,session,traps",
    );
    expect(first).toBe("a,2026-11-22T12:00:00.000Z,t.kv-cache,t.kv-cache/7,1.2,3,true,,[2],41.5,,,,keys-only one-head");
    expect(second).toBe('b,2026-11-22T12:00:01.500Z,t.kv-cache,t.kv-cache/7,1.2,3,true,0.8,"a ""b"", c",41.5,,e1,,');
    expect(end).toBe("");
  });
});

const kHere: StudyData = {
  reviews: [review("a"), review("b", { time: kNoon + 1 })],
  exams: [examRecord("e1")],
  answers: [examAnswer("e1", 0), examAnswer("e1", 1)],
  own: [],
  marks: [],
  settings: { exam: "nca-aiio", minutesPerDay: 20 },
};

describe("a backup", () => {
  it("comes back as it was", () => {
    const read = readBackup(backupText(kHere, kNoon));
    expect(read).toEqual({ data: kHere, lessons: [], written: "2026-11-22T12:00:00.000Z", leftOut: [] });
    expect(readBackup(backupText(kNothing, 0))).toMatchObject({ data: kNothing });
  });

  it("names its schema and version", () => {
    expect(JSON.parse(backupText(kHere, kNoon))).toMatchObject({ schema: "podwright-study-backup", version: 2 });
  });

  it.each([
    ["", "not JSON"],
    ["{", "not JSON"],
    ["[]", "not a backup"],
    ['{"schema": "podwright-study-backup"}', "not a backup"],
    ['{"schema": "something", "version": 1}', "not a backup"],
    ['{"schema": "podwright-study-backup", "version": 3}', "newer version"],
  ])("%j cannot be read: %s", (text, error) => expect(readBackup(text)).toEqual({ error }));

  it("has the lessons that were read, and an older file has none", () => {
    const file = JSON.parse(backupText(kHere, kNoon, new Set(["b", "a"])));
    expect(readBackup(JSON.stringify(file))).toMatchObject({ lessons: ["a", "b"] });
    delete file.lessons;
    expect(readBackup(JSON.stringify(file))).toMatchObject({ lessons: [], leftOut: [] });
  });

  it.each([1e308, 8e15, -1])("leaves out what has the time %d, which no calendar shows", (time) => {
    const file = JSON.parse(
      backupText({ ...kHere, settings: { examAt: time, minutesPerDay: 1e9, retention: 2 } }, kNoon),
    );
    for (const one of [file.reviews[0], file.answers[0]]) one.time = time;
    file.exams[0].clock.startedAt = time;
    file.exams.push({ ...examRecord("e3"), submittedAt: time });
    file.own.push({ id: "o", front: "a", back: "b", made: kNoon, time });
    file.marks.push({ card: "c", mark: "bookmark", on: true, time });
    const read = readBackup(JSON.stringify(file));
    expect(read).toMatchObject({
      leftOut: ["/reviews/0", "/exams/0", "/exams/1", "/answers/0", "/own/0", "/marks/0"],
      data: { settings: {} },
    });
    expect("data" in read && reviewsCsv(read.data.reviews)).toContain("2026-11-22");
  });

  it("leaves out entries that are none, and says where", () => {
    const file = JSON.parse(backupText(kHere, kNoon));
    file.reviews[1].grade = 9;
    file.exams.push("x");
    file.answers = { not: "a list" };
    file.settings = { exam: 4, examAt: kNoon, minutesPerDay: "20", foreign: 1 };
    const read = readBackup(JSON.stringify(file));
    expect(read).toMatchObject({ leftOut: ["/reviews/1", "/exams/1"], data: { answers: [] } });
    expect("data" in read && read.data.reviews.map(({ id }) => id)).toEqual(["a"]);
    expect("data" in read && read.data.settings).toEqual({ examAt: kNoon });
  });
});

describe("restoring", () => {
  const there: StudyData = {
    reviews: [review("b", { time: kNoon + 1 }), review("c", { time: kNoon - 5 }), review("a", { grade: 1 })],
    exams: [examRecord("e1", { submittedAt: kNoon + 9 }), examRecord("e2")],
    answers: [
      examAnswer("e1", 1, { answer: [3], time: kNoon + 99_999 }),
      examAnswer("e1", 0, { answer: [3], time: 1 }),
    ],
    own: [],
    marks: [],
    settings: { minutesPerDay: 5, examAt: kNoon },
  };
  const { data, difference } = merged(kHere, there);

  it("joins by id and shows the difference", () => {
    expect(difference).toEqual({
      added: { reviews: 1, exams: 1, answers: 0, own: 0, marks: 0 },
      removed: 0,
      replaced: 2,
      same: 1,
      conflicts: ["a", "e1", "e1/1", "e1/0"],
      onlyHere: 0,
      settings: ["examAt"],
    });
    expect(data.reviews.map(({ id }) => id)).toEqual(["c", "a", "b"]);
    expect(data.settings).toEqual({ exam: "nca-aiio", minutesPerDay: 20, examAt: kNoon });
  });

  it("never changes a review that is here, and keeps of an exam what got further", () => {
    expect(data.reviews.find(({ id }) => id === "a")?.grade).toBe(3);
    expect(data.exams.find(({ id }) => id === "e1")?.submittedAt).toBe(kNoon + 9);
    expect(data.answers.map(({ place, answer }) => [place, answer])).toEqual([
      [0, [1]],
      [1, [3]],
    ]);
  });

  it("says what a later version replaces, and that nothing comes of what stays", () => {
    const card = { id: "o", front: "a", back: "b", made: kNoon, time: kNoon };
    const own = { ...kNothing, own: [card] };
    const later = merged(own, { ...kNothing, own: [{ ...card, front: "x", time: kNoon + 1 }] }).difference;
    expect([later.replaced, addedCount(later), isNews(later)]).toEqual([1, 0, true]);
    const earlier = merged(own, { ...kNothing, own: [{ ...card, front: "x", time: kNoon - 1 }] }).difference;
    expect([earlier.replaced, earlier.conflicts, isNews(earlier)]).toEqual([0, ["o"], false]);
  });

  it("of the same twice changes nothing, and one of nothing fills all", () => {
    const again = merged(data, there);
    expect(again.data).toEqual(data);
    expect(again.difference.added).toEqual({ reviews: 0, exams: 0, answers: 0, own: 0, marks: 0 });
    const filled = merged(kNothing, kHere);
    expect(filled.data).toEqual(kHere);
    expect(filled.difference).toMatchObject({ same: 0, conflicts: [], onlyHere: 0 });
    expect(merged(kHere, kNothing)).toMatchObject({ data: kHere, difference: { onlyHere: 5 } });
  });

  it("does not mind the order of keys, nor an id twice in a file", () => {
    const turned = JSON.parse(JSON.stringify(kHere), (_, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as StudyData;
    expect(merged(kHere, turned).difference.conflicts).toEqual([]);
    const twice = { ...kNothing, reviews: [review("a"), review("a")] };
    expect(merged(kHere, twice).difference.same).toBe(1);
    expect(merged(kNothing, twice).data.reviews).toHaveLength(1);
  });
});

describe("text for Anki", () => {
  const lines = ankiText(
    [
      {
        id: "1.1-ngc",
        front: "What is NGC?\nOne line.",
        back: 'A "catalog" of <containers> & models',
        tags: ["1.1", "NVIDIA software"],
      },
      { id: "#2", front: "a\tb", back: "#1", tags: [] },
    ],
    "NCA-AIIO",
  ).split("\n");

  it("begins with the header lines that Anki reads", () => {
    expect(lines.slice(0, 6)).toEqual([
      "#separator:tab",
      "#html:true",
      "#notetype:Basic",
      "#guid column:1",
      "#deck column:2",
      "#tags column:5",
    ]);
  });

  it("has one line of five fields for each note, with quotes, markup and tabs kept as text", () => {
    expect(lines[6]).toBe(
      'podwright/1.1-ngc\tNCA-AIIO\tWhat is NGC?<br>One line.\t"A ""catalog"" of &lt;containers&gt; &amp; models"\t1.1 NVIDIA_software',
    );
    expect(lines[7]).toBe('podwright/#2\tNCA-AIIO\t"a\tb"\t"#1"\t');
    expect(lines).toHaveLength(9);
  });
});
