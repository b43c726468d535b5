/** Lessons of `core/study/data/lessons`: the list of them, and one file for each. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Blueprint } from "../src/study/blueprint.ts";
import type { Drawing } from "../src/study/drawing.ts";
import type { Lesson, LessonCard, LessonList } from "../src/study/lesson.ts";
import type { SourceEntry, WrittenPack } from "../src/study/pack.ts";
import { lessonText } from "./study_markdown.ts";

export interface LessonNeeds {
  sources: ReadonlyMap<string, SourceEntry>;
  sourcesNamed(ids: Iterable<string>): Record<string, SourceEntry>;
  packs: readonly WrittenPack[];
  templates: ReadonlySet<string>;
  drawings: ReadonlyMap<string, Drawing>;
}

interface LessonFile {
  fields: Record<string, string>;
  body: string;
}

/** The lines between the two of `---`, each a key and a value, and what follows. */
export function splitFrontMatter(name: string, text: string): LessonFile {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  if (head === undefined || body === undefined) throw new Error(`${name} has no front matter.`);
  const pairs = head.split("\n").map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  return { fields: Object.fromEntries(pairs), body };
}

const commaList = (text = "") =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

function closingOf(id: string, { packs, templates }: LessonNeeds): Lesson["closing"] {
  if (templates.has(id)) return { template: id };
  for (const { objective, questions } of packs) {
    const written = questions.find((one) => one.id === id);
    if (written !== undefined) return { written, objective };
  }
  throw new Error(`No question has the id ${id}, with which a lesson closes.`);
}

function lessonOf(name: string, text: string, needs: LessonNeeds): Lesson {
  const { fields, body } = splitFrontMatter(name, text);
  const { id, title, objectives, minutes, sources, closing } = fields;
  if (!id || !title || !closing) throw new Error(`${name} lacks its id, title or closing question.`);
  const named = commaList(sources);
  const unknown = named.filter((one) => !needs.sources.has(one));
  if (unknown.length > 0) throw new Error(`${name} names sources that do not exist: ${unknown.join(", ")}.`);
  return {
    id,
    number: Number.parseInt(name, 10),
    title,
    objectives: commaList(objectives),
    minutes: Number(minutes),
    text: lessonText(body, needs.drawings),
    sources: needs.sourcesNamed(named),
    closing: closingOf(closing, needs),
  };
}

/** Every lesson of a folder, in the order of the course. */
export function readLessons(folder: string, needs: LessonNeeds): Lesson[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .sort();
  return names.map((name) => lessonOf(name, readFileSync(join(folder, name), "utf8"), needs));
}

export function lessonList(lessons: readonly Lesson[], blueprints: readonly Blueprint[]): LessonList {
  return {
    lessons: lessons.map(
      ({ id, number, title, objectives, minutes }): LessonCard => ({ id, number, title, objectives, minutes }),
    ),
    domains: blueprints.flatMap(({ exam, domains }) => domains.map(({ id, name }) => ({ id, name, exam: exam.id }))),
    objectives: Object.fromEntries(
      blueprints.flatMap(({ objectives }) => objectives.map(({ id, text }) => [id, text])),
    ),
  };
}
