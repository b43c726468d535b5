/** The glossary with the titles of its lessons and what is shown of its sources. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GlossaryPack, GlossaryTerm } from "../src/study/glossary.ts";
import type { Lesson } from "../src/study/lesson.ts";
import type { SourceEntry } from "../src/study/pack.ts";

export function glossaryPack(
  data: string,
  lessons: readonly Lesson[],
  sourcesNamed: (ids: Iterable<string>) => Record<string, SourceEntry>,
): GlossaryPack {
  const { terms } = JSON.parse(readFileSync(join(data, "glossary.json"), "utf8")) as { terms: GlossaryTerm[] };
  const titles = new Map(lessons.map(({ id, title }) => [id, title]));
  const names = new Set(terms.map(({ term }) => term));
  for (const { term, lesson, see = [] } of terms) {
    if (lesson !== undefined && !titles.has(lesson)) throw new Error(`The term ${term} names no lesson: ${lesson}.`);
    const unknown = see.filter((one) => !names.has(one));
    if (unknown.length > 0) throw new Error(`The term ${term} points to no term: ${unknown.join(", ")}.`);
  }
  const named = new Set(terms.flatMap(({ lesson }) => lesson ?? []));
  return {
    terms: [...terms].sort((a, b) => a.term.localeCompare(b.term, "en", { sensitivity: "base" })),
    lessons: Object.fromEntries([...titles].filter(([id]) => named.has(id))),
    sources: sourcesNamed(terms.flatMap(({ sources }) => sources)),
  };
}
