/** The list of lessons by exam, and what stands before and after one. */
import { domainOf } from "./blueprint.ts";
import type { LessonCard, LessonList } from "./lesson.ts";

export interface ExamLessons {
  exam: string;
  /** In the order of the course. */
  lessons: LessonCard[];
}

/** Lessons of the chosen exam first, then those of each other one. A lesson is of the exam of its first objective. */
export function lessonsByExam({ lessons, domains }: LessonList, chosen: string): ExamLessons[] {
  const exams = new Map(domains.map(({ id, exam }) => [id, exam]));
  const inOrder = [...lessons].sort((a, b) => a.number - b.number);
  return [...new Set([chosen, ...exams.values()])]
    .map((exam) => ({ exam, lessons: inOrder.filter((one) => exams.get(domainOf(one.objectives[0] ?? "")) === exam) }))
    .filter((one) => one.lessons.length > 0);
}

export function neighbours({ lessons }: LessonList, id: string): { before?: LessonCard; after?: LessonCard } {
  const at = lessons.findIndex((one) => one.id === id);
  return at === -1 ? {} : { before: lessons[at - 1], after: lessons[at + 1] };
}

/** Minutes of what is still unread. */
export const minutesLeft = (lessons: readonly LessonCard[], read: ReadonlySet<string>) =>
  lessons.reduce((sum, { id, minutes }) => (read.has(id) ? sum : sum + minutes), 0);
