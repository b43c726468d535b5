/**
 * Questions of the exam's own kind, and the answers that say how the learner does at them. The exam asks written questions of the associate level
 * with options to choose from, and at most three sums; everything else that the study tool asks teaches, and foretells nothing.
 */
import type { StudyData } from "./backup.ts";
import { markedPlaces } from "./exam_marks.ts";
import type { ExamAnswer } from "./exam_record.ts";
import { cardsOf, type ExamPart, type StudyCard } from "./learner.ts";
import type { Review } from "./log.ts";
import type { QuestionPack } from "./pack.ts";
import { cardOf } from "./question.ts";

export interface ExamKind {
  /** Cards by id. */
  concepts: ReadonlyMap<string, StudyCard>;
  /** Simple templates, and written questions that calculate. */
  sums: ReadonlyMap<string, StudyCard>;
}

/** Whether the exam asks such a question. */
export const isAsked = ({ concepts, sums }: ExamKind, id: string) => concepts.has(id) || sums.has(id);

const known = new WeakMap<QuestionPack, ExamKind>();

export function examKind(pack: QuestionPack): ExamKind {
  const before = known.get(pack);
  if (before !== undefined) return before;
  const cards = cardsOf(pack);
  const of = (part: ExamPart) => new Map(cards.filter((card) => card.part === part).map((card) => [card.id, card]));
  const kind = { concepts: of("concept"), sums: of("sum") };
  known.set(pack, kind);
  return kind;
}

/** An answer at a question that was new to the learner, as those of the exam are. */
export interface FreshAnswer {
  card: StudyCard;
  right: boolean;
  time: number;
}

type Given = Pick<Review, "card" | "right" | "time">;

/**
 * What was answered in exams that were handed in, right and wrong alike. Questions that were left open say nothing of what is known. The log has of an
 * exam only what was missed and taken over, so it is not asked.
 */
function givenInExams({ exams, answers }: Pick<StudyData, "exams" | "answers">): Given[] {
  const byExam = new Map<string, ExamAnswer[]>();
  for (const one of answers) byExam.set(one.exam, [...(byExam.get(one.exam) ?? []), one]);
  return exams.flatMap((exam) =>
    exam.submittedAt === undefined
      ? []
      : markedPlaces(exam, byExam.get(exam.id) ?? []).flatMap(({ question, right, answer, given }) =>
          answer === undefined || given === undefined ? [] : [{ card: cardOf(question), right, time: given.time }],
        ),
  );
}

/** Everything that was answered, the oldest first. */
function givenInOrder(data: Pick<StudyData, "reviews" | "exams" | "answers">): Given[] {
  const inLog = data.reviews.filter(({ exam }) => exam === undefined);
  return [...inLog, ...givenInExams(data)].sort((a, b) => a.time - b.time);
}

/** Cards that were answered: in sessions, in quizzes, and in exams that were handed in. What was left open there was not, even if it was taken over. */
export const answeredCards = (data: Pick<StudyData, "reviews" | "exams" | "answers">): Set<string> => {
  const given = data.reviews.filter(({ exam, answer }) => exam === undefined || answer !== null);
  return new Set([...given, ...givenInExams(data)].map(({ card }) => card));
};

/**
 * The first answer at each question of the exam's kind. Later ones measure the memory of that question: see docs/method/study_schedule.md for what
 * a forecast from all answers would say.
 */
export function freshAnswers(
  kind: ExamKind,
  data: Pick<StudyData, "reviews" | "exams" | "answers">,
): { concepts: FreshAnswer[]; sums: FreshAnswer[] } {
  const seen = new Set<string>();
  const concepts: FreshAnswer[] = [];
  const sums: FreshAnswer[] = [];
  for (const { card: id, right, time } of givenInOrder(data)) {
    if (seen.has(id)) continue;
    seen.add(id);
    const [concept, sum] = [kind.concepts.get(id), kind.sums.get(id)];
    if (concept !== undefined) concepts.push({ card: concept, right, time });
    if (sum !== undefined) sums.push({ card: sum, right, time });
  }
  return { concepts, sums };
}
