/** Each exam keeps its date while another one is chosen, and in backups. */
import { describe, expect, it } from "vitest";
import { backupText, kNothing, merged, readBackup } from "../../../web/src/study/backup.ts";
import { withExam } from "../../../web/src/study/exam_dates.ts";
import type { StudySettings } from "../../../web/src/study/study_settings.ts";
import { kNoon } from "./samples.ts";

const kDated: StudySettings = { exam: "a", examAt: kNoon, planFrom: 5, minutesPerDay: 20 };
const kBoth: StudySettings = {
  exam: "b",
  examAt: 9,
  minutesPerDay: 20,
  otherDates: { a: { examAt: kNoon, planFrom: 5 } },
};
const restored = (here: StudySettings, there: StudySettings) =>
  merged({ ...kNothing, settings: here }, { ...kNothing, settings: there });

describe("choosing another exam", () => {
  it("keeps the date, and brings it back with the exam", () => {
    const other = withExam(kDated, "a", "b");
    expect(other).toEqual({ exam: "b", minutesPerDay: 20, otherDates: { a: { examAt: kNoon, planFrom: 5 } } });
    expect(withExam(other, "b", "a")).toEqual(kDated);
    expect(withExam(kBoth, "b", "a")).toEqual({ ...kDated, otherDates: { b: { examAt: 9 } } });
    expect(withExam(kDated, "a", "a")).toEqual(kDated);
    expect(withExam({}, "a", "b")).toEqual({ exam: "b" });
  });
});

describe("a backup", () => {
  it("has the dates of all exams; what is no date is left out", () => {
    const read = readBackup(backupText({ ...kNothing, settings: kBoth }, kNoon));
    expect("data" in read && read.data.settings).toEqual(kBoth);
    const file = JSON.parse(backupText({ ...kNothing, settings: kBoth }, kNoon));
    file.settings.otherDates = { a: { examAt: "soon" }, b: 3, c: { examAt: 7, planFrom: null } };
    const odd = readBackup(JSON.stringify(file));
    expect("data" in odd && odd.data.settings.otherDates).toEqual({ c: { examAt: 7 } });
  });

  it("gives a date to its own exam only, and no date here is lost", () => {
    expect(restored({ exam: "b" }, kDated).data.settings).toEqual({ ...withExam(kDated, "a", "b") });
    expect(restored({ exam: "a" }, kBoth).data.settings).toEqual({ ...kDated, otherDates: { b: { examAt: 9 } } });
    const { data, difference } = restored({ ...kBoth, examAt: 11 }, { ...kBoth, otherDates: { c: { examAt: 7 } } });
    expect(data.settings).toEqual({ ...kBoth, examAt: 11, otherDates: { ...kBoth.otherDates, c: { examAt: 7 } } });
    expect(difference.settings).toEqual(["otherDates"]);
    expect(restored(kBoth, kBoth).difference.settings).toEqual([]);
  });
});
