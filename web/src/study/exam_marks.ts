/** An exam that was handed in: which answers were right, what of it goes to the reviews, and how it stands among earlier ones. */
import { trapsChosen } from "./answering.ts";
import { domainOf } from "./blueprint.ts";
import { shareInterval } from "./confidence.ts";
import type { ExamAnswer, ExamRecord } from "./exam_record.ts";
import { questionsOf } from "./exam_run.ts";
import type { Mistake, Review } from "./log.ts";
import type { ExamForm } from "./pack.ts";
import { type Answer, cardOf, isRight, isWhole, type Question, readAnswer } from "./question.ts";
import { kAgain, suggestedGrade } from "./scheduler.ts";

export interface MarkedPlace {
  place: number;
  /** The place as people count. */
  name: number;
  objective: string;
  question: Question;
  right: boolean;
  /** Undefined where none was given, or one with something missing. */
  answer?: Answer;
  given?: ExamAnswer;
}

/** Every question with its mark, in the order of the exam. Questions that cannot be read any more are left out. */
export function markedPlaces(exam: ExamRecord, answers: readonly ExamAnswer[]): MarkedPlace[] {
  const givenAt = new Map(answers.map((one) => [one.place, one]));
  return questionsOf(exam).flatMap((question, place) => {
    if (question === undefined) return [];
    const given = givenAt.get(place);
    const answer = readAnswer(given?.answer);
    return [
      {
        place,
        name: place + 1,
        objective: question.objective,
        question,
        right: isRight(question, answer),
        answer: isWhole(question, answer) ? answer : undefined,
        given,
      },
    ];
  });
}

/** What was wrong, as the way to lessons takes it. */
export const missedPlaces = (marked: readonly MarkedPlace[]) =>
  marked
    .filter(({ right }) => !right)
    .map(({ question, objective, name }) => ({ card: cardOf(question), objective, name }));

/** The review of a missed question has this id, so that adding it twice, or after it was tagged, makes no second one. */
export const reviewId = (exam: string, place: number) => `${exam}/${place}`;

/** What a missed question adds to the log: its card was not known at the time of the exam. */
export function missedReview(exam: ExamRecord, { place, question, answer, given }: MarkedPlace): Review {
  const { submittedAt = exam.clock.seenAt } = exam;
  const traps = trapsChosen(question, answer);
  return {
    id: reviewId(exam.id, place),
    card: cardOf(question),
    question: question.id,
    objective: question.objective,
    time: answer === undefined ? submittedAt : Math.min(given?.time ?? submittedAt, submittedAt),
    grade: kAgain,
    right: false,
    answer: given?.answer ?? null,
    seconds: given?.seconds ?? 0,
    ...(given?.mistake === undefined ? {} : { mistake: given.mistake }),
    ...(traps.length === 0 ? {} : { traps }),
    exam: exam.id,
  };
}

/** What an answer of a quiz adds to the log, right or wrong, as an answer of a session does; undefined where none was given. */
export function quizReview(exam: ExamRecord, one: MarkedPlace, usualSeconds: number): Review | undefined {
  if (one.answer === undefined) return undefined;
  const { given, right } = one;
  const grade = suggestedGrade({ right, seconds: given?.seconds ?? 0 }, usualSeconds);
  return { ...missedReview(exam, one), right, grade };
}

/** Quizzes that were handed in, the last one first. */
export const pastQuizzes = (exams: readonly ExamRecord[]): ExamRecord[] =>
  exams
    .filter((exam) => isQuiz(exam) && exam.submittedAt !== undefined)
    .sort((a, b) => (b.submittedAt ?? 0) - (a.submittedAt ?? 0));

export interface PastExam extends Pick<ExamRecord, "number" | "seed"> {
  id: string;
  at: number;
  form: ExamForm;
  /** Right and asked by domain of the blueprint. */
  byDomain: ReadonlyMap<string, { right: number; asked: number }>;
  right: number;
  asked: number;
  share: number;
  /** 90 % interval of the share. */
  low: number;
  high: number;
}

/** Exams back in which a question does not come again. */
const kFreshFor = 2;

export const isQuiz = ({ quiz }: ExamRecord) => quiz !== undefined;

/** Ids of the questions of the last exams. */
export const askedLately = (exams: readonly ExamRecord[]): string[] =>
  exams
    .filter((exam) => !isQuiz(exam))
    .sort((a, b) => b.clock.startedAt - a.clock.startedAt)
    .slice(0, kFreshFor)
    .flatMap(({ questions }) => questions.flatMap(({ id }) => (typeof id === "string" ? [id] : [])));

/** The form of an exam; of one that was taken before forms were kept, by what it asks. */
export function formOf({ form, questions }: ExamRecord): ExamForm {
  const isChallenge = questions.some(({ kind, level }) => kInChallenge.has(String(kind)) || level === "professional");
  return form ?? (isChallenge ? "challenge" : "exam");
}
const kInChallenge: ReadonlySet<string> = new Set(["order", "match", "numeric"]);

function countsByDomain(marked: readonly MarkedPlace[]): PastExam["byDomain"] {
  const counts = new Map<string, { right: number; asked: number }>();
  for (const { objective, right } of marked) {
    const known = counts.get(domainOf(objective)) ?? { right: 0, asked: 0 };
    counts.set(domainOf(objective), { right: known.right + Number(right), asked: known.asked + 1 });
  }
  return counts;
}

/** Nothing was answered: such an exam was not taken, and says nothing. */
export const isBlank = (marked: readonly MarkedPlace[]) => marked.every(({ answer }) => answer === undefined);

/** Practice exams that were handed in with an answer or more, oldest first. */
export function pastExams(
  exams: readonly ExamRecord[],
  answersOf: (exam: string) => readonly ExamAnswer[],
): PastExam[] {
  return exams
    .flatMap((exam) => {
      if (exam.submittedAt === undefined || isQuiz(exam)) return [];
      const marked = markedPlaces(exam, answersOf(exam.id));
      const right = marked.filter((one) => one.right).length;
      const asked = marked.length;
      if (asked === 0 || isBlank(marked)) return [];
      const { id, submittedAt: at, number, seed } = exam;
      const own = { id, at, number, seed, form: formOf(exam), byDomain: countsByDomain(marked) };
      return [{ ...own, right, asked, share: right / asked, ...shareInterval(right, asked) }];
    })
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** An answer with the reason why it was wrong, or without one. */
export function tagged({ mistake: _old, ...answer }: ExamAnswer, mistake: Mistake | undefined): ExamAnswer {
  return mistake === undefined ? answer : { ...answer, mistake };
}

/** How many more right answers the mark asks for. */
export const missingTo = (needed: number, right: number) => Math.max(0, needed - right);
