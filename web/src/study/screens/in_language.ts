/** Questions, lessons and terms in the language of the page, as far as they were translated. */
import { language } from "../../language.ts";
import type { GlossaryPack } from "../glossary.ts";
import type { Lesson, LessonList } from "../lesson.ts";
import { studyFile, type WrittenPack } from "../pack.ts";
import {
  type TranslatedLesson,
  type TranslatedPack,
  type Translations,
  translatedPack,
  translatedTerms,
} from "../translations.ts";

const translated = <Content>(file: string) => studyFile<Content>(`zh/${file}`);

/** What is translated; nothing where the page speaks English. */
async function translations(): Promise<Translations> {
  if (language.value === "en") return { questions: [], lessons: {}, terms: {} };
  return translated<Translations>("translations.json");
}

/** The list of lessons, each with its title in the language of the page. */
export async function loadLessons(): Promise<LessonList> {
  const [list, { lessons }] = await Promise.all([studyFile<LessonList>("lessons.json"), translations()]);
  return { ...list, lessons: list.lessons.map((one) => ({ ...one, title: lessons[one.id] ?? one.title })) };
}

/** The questions of the file of an objective. */
export async function loadWritten(objective: string): Promise<WrittenPack> {
  const [pack, { questions }] = await Promise.all([
    studyFile<WrittenPack>(`questions/${objective}.json`),
    translations(),
  ]);
  if (!questions.includes(objective)) return pack;
  return translatedPack(pack, await translated<TranslatedPack>(`questions/${objective}.json`));
}

export async function loadLesson(id: string): Promise<Lesson> {
  const [lesson, { lessons }] = await Promise.all([studyFile<Lesson>(`lessons/${id}.json`), translations()]);
  return id in lessons ? { ...lesson, ...(await translated<TranslatedLesson>(`lessons/${id}.json`)) } : lesson;
}

export async function loadGlossary(): Promise<GlossaryPack> {
  const [pack, { terms }] = await Promise.all([studyFile<GlossaryPack>("glossary.json"), translations()]);
  return { ...pack, terms: translatedTerms(pack.terms, terms) };
}
