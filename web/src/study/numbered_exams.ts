/**
 * Numbered practice exams: the number is the seed, so that everyone gets the same questions and people can talk about them. Each asks, as far as its
 * objectives have others, nothing that those with smaller numbers ask.
 */
import { isObject, type JsonObject } from "../json.ts";
import type { PastExam } from "./exam_marks.ts";
import type { QuestionPack, WrittenCard } from "./pack.ts";

const kMostNumbers = 6;
const kNumbers: readonly number[] = Array.from({ length: kMostNumbers }, (_, i) => i + 1);

/** As many as the questions of the exam's form suffice for, one at least. */
export function examNumbers({ blueprint: { exam }, written }: QuestionPack): readonly number[] {
  const { levels, questions } = exam;
  const isAsked = ({ level, asks, wrongOptions }: WrittenCard) =>
    levels.includes(level) && asks !== "calculation" && wrongOptions !== undefined;
  const count = Object.values(written).flatMap((cards) => cards.filter(isAsked)).length;
  return kNumbers.filter((number) => number === 1 || number * questions <= count);
}

/** What the engine is asked for one of them. */
export type AskExam = (wish: { seed: number; form: "exam"; seen: readonly string[] }) => Promise<JsonObject>;

const questionsIn = ({ questions }: JsonObject): unknown[] => (Array.isArray(questions) ? questions : []);

const idsOf = (questions: readonly unknown[]) =>
  questions.flatMap((one) => (isObject(one) && typeof one.id === "string" ? [one.id] : []));

/** The questions of a number. Those with smaller numbers are made first, for what they ask. */
export async function numberedQuestions(number: number, ask: AskExam): Promise<unknown[]> {
  const seen: string[] = [];
  for (const one of kNumbers.filter((before) => before < number))
    seen.push(...idsOf(questionsIn(await ask({ seed: one, form: "exam", seen: [...seen] }))));
  return questionsIn(await ask({ seed: number, form: "exam", seen }));
}

/** How a number went last. */
export const lastOfNumber = (past: readonly PastExam[], number: number): PastExam | undefined =>
  past.findLast((one) => one.number === number);
