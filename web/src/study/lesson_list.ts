/** The list of lessons in its groups, and what stands before and after one. */
import { domainOf } from "./blueprint.ts";
import type { LessonCard, LessonList } from "./lesson.ts";

export interface LessonGroup {
  /** A domain, or "" for lessons about the whole exam. */
  id: string;
  name: string;
  lessons: LessonCard[];
}

/** The domain of a lesson's first objective; "" where its objectives come from every domain. */
function groupOf({ objectives }: LessonCard, domains: number): string {
  const met = new Set(objectives.map(domainOf));
  return met.size >= domains ? "" : domainOf(objectives[0] ?? "");
}

/** Lessons about everything first, then those of each domain, in the order of the course. */
export function lessonGroups({ lessons, domains }: LessonList, wholeName: string): LessonGroup[] {
  const groups = [{ id: "", name: wholeName }, ...domains];
  return groups
    .map(({ id, name }) => ({ id, name, lessons: lessons.filter((one) => groupOf(one, domains.length) === id) }))
    .filter((group) => group.lessons.length > 0);
}

export function neighbours({ lessons }: LessonList, id: string): { before?: LessonCard; after?: LessonCard } {
  const at = lessons.findIndex((one) => one.id === id);
  return at === -1 ? {} : { before: lessons[at - 1], after: lessons[at + 1] };
}

/** Minutes of what is still unread. */
export const minutesLeft = (lessons: readonly LessonCard[], read: ReadonlySet<string>) =>
  lessons.reduce((sum, { id, minutes }) => (read.has(id) ? sum : sum + minutes), 0);
