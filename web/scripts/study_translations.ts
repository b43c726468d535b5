/**
 * Translations of the study tool, of `core/study/data/zh`. Each names the digest of the English text that it was made of; where that text is
 * another now, the translation is left out, so that nobody learns from what no longer holds.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Drawing } from "../src/study/drawing.ts";
import type { GlossaryTerm } from "../src/study/glossary.ts";
import type { Lesson, LessonNode } from "../src/study/lesson.ts";
import type { WrittenPack, WrittenQuestion } from "../src/study/pack.ts";
import type { TranslatedLesson, TranslatedPack, TranslatedQuestion, Translations } from "../src/study/translations.ts";
import { splitFrontMatter } from "./study_lessons.ts";
import { lessonText } from "./study_markdown.ts";
import { isHeading } from "./study_taught.ts";

/** Of the English text. */
interface Made {
  of: string;
}

interface English {
  data: string;
  packs: readonly WrittenPack[];
  terms: readonly GlossaryTerm[];
  lessons: readonly Lesson[];
  drawings: ReadonlyMap<string, Drawing>;
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort() : []);

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** Questions with options alone are translated. */
const textOfQuestion = ({ prompt, options = [], explanation }: WrittenQuestion) =>
  JSON.stringify([prompt, options.map(({ text, why }) => [text, why]), explanation]);

function questionsIn(folder: string, packs: readonly WrittenPack[]): Record<string, TranslatedPack> {
  const found = filesIn(folder).map((name) => {
    const { objective, questions } = read(join(folder, name)) as {
      objective: string;
      questions: Record<string, TranslatedQuestion & Made>;
    };
    const english = packs.find((pack) => pack.objective === objective)?.questions ?? [];
    const fits = english.flatMap((question) => {
      const { of, ...texts } = questions[question.id] ?? { of: "" };
      return of === digestOf(textOfQuestion(question)) ? [[question.id, texts as TranslatedQuestion] as const] : [];
    });
    return [objective, Object.fromEntries(fits)] as const;
  });
  return Object.fromEntries(found.filter(([, texts]) => Object.keys(texts).length > 0));
}

const headingsOf = (text: readonly LessonNode[]) => text.filter(isHeading);

/** A translation has the headings of its original, in the same order: links to sections lead there too. */
function withSectionsOf(name: string, original: readonly LessonNode[], text: readonly LessonNode[]): LessonNode[] {
  const ids = headingsOf(original).map(({ attributes }) => attributes?.id ?? "");
  if (headingsOf(text).length !== ids.length) throw new Error(`zh/lessons/${name} has other headings than the lesson.`);
  let next = 0;
  return text.map((node) => {
    if (!isHeading(node)) return node;
    const id = ids[next] ?? "";
    next += 1;
    return { ...node, attributes: { ...node.attributes, id } };
  });
}

function lessonsIn({ data, lessons, drawings }: English): Record<string, TranslatedLesson> {
  const folder = join(data, "zh/lessons");
  const found = filesIn(folder).flatMap((name) => {
    const original = splitFrontMatter(name, readFileSync(join(data, "lessons", name), "utf8"));
    const { fields, body } = splitFrontMatter(name, readFileSync(join(folder, name), "utf8"));
    const lesson = lessons.find(({ id }) => id === original.fields.id);
    if (lesson === undefined || fields.of !== digestOf(original.body)) return [];
    const text = withSectionsOf(name, lesson.text, lessonText(body, drawings));
    return [[lesson.id, { title: fields.title ?? "", text }] as const];
  });
  return Object.fromEntries(found);
}

function termsIn(file: string, terms: readonly GlossaryTerm[]): Record<string, string> {
  if (!existsSync(file)) return {};
  const made = (read(file) as { terms: Record<string, { meaning: string } & Made> }).terms;
  const fits = terms.flatMap(({ term, meaning }) => {
    const one = made[term];
    return one !== undefined && one.of === digestOf(meaning) ? [[term, one.meaning] as const] : [];
  });
  return Object.fromEntries(fits);
}

/** The files below `study/zh`, and what there is. */
export function translationFiles(english: English): Record<string, unknown> {
  const zh = join(english.data, "zh");
  const questions = questionsIn(join(zh, "written"), english.packs);
  const lessons = lessonsIn(english);
  const there: Translations = {
    questions: Object.keys(questions),
    lessons: Object.fromEntries(Object.entries(lessons).map(([id, { title }]) => [id, title])),
    terms: termsIn(join(zh, "glossary.json"), english.terms),
  };
  return {
    "zh/translations.json": there,
    ...Object.fromEntries(Object.entries(questions).map(([id, texts]) => [`zh/questions/${id}.json`, texts])),
    ...Object.fromEntries(Object.entries(lessons).map(([id, lesson]) => [`zh/lessons/${id}.json`, lesson])),
  };
}
