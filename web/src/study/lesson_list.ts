/** The list of lessons in its groups, and what stands before and after one. */
import { domainOf, examCode } from "./blueprint.ts";
import type { LessonCard, LessonList } from "./lesson.ts";

export interface LessonGroup {
  /** A domain, or "" for lessons about the whole exam. */
  id: string;
  name: string;
  lessons: LessonCard[];
}

/** The domain of a lesson's first objective; "" where its objectives come from every domain of an exam. */
function groupOf({ objectives }: LessonCard, domains: LessonList["domains"]): string {
  const met = new Set(objectives.map(domainOf));
  const exams = new Set(domains.map(({ exam }) => exam));
  const isWhole = [...exams].some((exam) => domains.every((one) => one.exam !== exam || met.has(one.id)));
  return isWhole ? "" : domainOf(objectives[0] ?? "");
}

/** Lessons about everything first, then those of each domain, in the order of the course. */
export function lessonGroups({ lessons, domains }: LessonList, wholeName: string): LessonGroup[] {
  const [first] = domains;
  const ofExams = domains.map(({ id, name, exam }) => ({
    id,
    name: exam === first?.exam ? name : `${examCode(exam)}: ${name}`,
  }));
  return [{ id: "", name: wholeName }, ...ofExams]
    .map(({ id, name }) => ({ id, name, lessons: lessons.filter((one) => groupOf(one, domains) === id) }))
    .filter((group) => group.lessons.length > 0);
}

export function neighbours({ lessons }: LessonList, id: string): { before?: LessonCard; after?: LessonCard } {
  const at = lessons.findIndex((one) => one.id === id);
  return at === -1 ? {} : { before: lessons[at - 1], after: lessons[at + 1] };
}

/** Minutes of what is still unread. */
export const minutesLeft = (lessons: readonly LessonCard[], read: ReadonlySet<string>) =>
  lessons.reduce((sum, { id, minutes }) => (read.has(id) ? sum : sum + minutes), 0);
