/**
 * Texts of the study tool in Simplified Chinese: what was translated, by machine and read by no native speaker yet. What was not is shown in
 * English, and so is what changed since: the build leaves a translation out whose English text is another now.
 */
import type { GlossaryTerm } from "./glossary.ts";
import type { LessonNode } from "./lesson.ts";
import type { WrittenPack, WrittenQuestion } from "./pack.ts";

/** What there is. */
export interface Translations {
  /** Objectives in whose files some questions are. */
  questions: string[];
  /** Titles of the lessons. */
  lessons: Record<string, string>;
  /** Meanings of terms. */
  terms: Record<string, string>;
}

/** The texts of a question, its options in the order of its file. */
export interface TranslatedQuestion {
  prompt: string;
  drawing?: string;
  options: { text: string; why: string }[];
  explanation: string;
}
export type TranslatedPack = Record<string, TranslatedQuestion>;

export interface TranslatedLesson {
  title: string;
  text: LessonNode[];
}

function translatedQuestion(question: WrittenQuestion, texts: TranslatedQuestion | undefined): WrittenQuestion {
  if (texts === undefined) return question;
  const { prompt, drawing, options, explanation } = texts;
  return {
    ...question,
    prompt,
    explanation,
    ...(drawing === undefined ? {} : { drawing }),
    options: question.options?.map((option, i) => ({ ...option, ...options[i] })),
  };
}

export const translatedPack = ({ questions, ...pack }: WrittenPack, texts: TranslatedPack): WrittenPack => ({
  ...pack,
  questions: questions.map((question) => translatedQuestion(question, texts[question.id])),
});

export const translatedTerms = (terms: readonly GlossaryTerm[], meanings: Record<string, string>): GlossaryTerm[] =>
  terms.map((term) => ({ ...term, meaning: meanings[term.term] ?? term.meaning }));

/** The language of a text that may be translated or not. */
export const languageOf = (text: string) => (/[\u4e00-\u9fff]/.test(text) ? "zh-Hans" : "en");
