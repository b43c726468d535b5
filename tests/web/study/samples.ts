/** Reviews, exams and answers for tests. */
import { startClock } from "../../../web/src/study/exam_clock.ts";
import type { ExamAnswer, ExamRecord } from "../../../web/src/study/exam_record.ts";
import type { Review } from "../../../web/src/study/log.ts";

export const kNoon = Date.UTC(2026, 10, 22, 12);

export const review = (id: string, changes: Partial<Review> = {}): Review => ({
  id,
  card: "t.kv-cache",
  question: "t.kv-cache/7",
  objective: "1.2",
  time: kNoon,
  grade: 3,
  right: true,
  answer: [2],
  seconds: 41.5,
  ...changes,
});

export const examRecord = (id: string, changes: Partial<ExamRecord> = {}): ExamRecord => ({
  id,
  exam: "nca-aiio",
  questions: [{ id: "t.kv-cache/7" }, { id: "1.1-ngc" }, { id: "2.7-rdma" }],
  clock: startClock(3600, kNoon),
  ...changes,
});

export const examAnswer = (exam: string, place: number, changes: Partial<ExamAnswer> = {}): ExamAnswer => ({
  exam,
  place,
  answer: [1],
  flagged: false,
  struck: [],
  seconds: 30,
  time: kNoon + 1000 * place,
  ...changes,
});
