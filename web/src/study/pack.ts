/** What the study tool is made of, as the build writes it below `study/`; each file is read once, when a screen first needs it. */
import type { Blueprint } from "./blueprint.ts";

export interface SourceEntry {
  title: string;
  url?: string;
}

/** Whose exam asks it: the associate one, or those after it. */
export const kLevels = ["associate", "professional"] as const;
export type Level = (typeof kLevels)[number];

/** What it takes to answer. */
export const kAsks = ["recall", "scenario", "calculation"] as const;
export type Asks = (typeof kAsks)[number];

/** A written question as its pack has it; the engine reads the same. */
export interface WrittenQuestion {
  id: string;
  kind: "choice" | "choose-two" | "order" | "match";
  prompt: string;
  drawing?: string;
  /** A drawing above the prompt by its id, and the box of it that is asked for. */
  picture?: string;
  hidden?: string;
  options?: { text: string; right?: boolean; why: string }[];
  steps?: { text: string; why: string }[];
  pairs?: { left: string; right: string; why: string }[];
  explanation: string;
  sources: string[];
  difficulty: number;
  level: Level;
  asks: Asks;
  /** Objective of another exam that asks it too. */
  also?: string;
  reviewed: string;
}

export interface WrittenPack {
  objective: string;
  questions: WrittenQuestion[];
}

/** A template of the engine, which asks with fresh numbers each time. */
export interface TemplateCard {
  id: string;
  objective: string;
  difficulty: number;
  level: Level;
  asks: Asks;
  /** One step for the head, with options to choose from: the exam could ask it. */
  simple?: true;
}

/** What is known of a written question before it is asked. */
export interface WrittenCard {
  id: string;
  difficulty: number;
  level: Level;
  asks: Asks;
  /** Of a question with options. */
  wrongOptions?: number;
  /** The objective in whose file it is, where another exam's objective asks it too. */
  file?: string;
}

export interface QuestionPack {
  blueprint: Blueprint;
  /** By objective; the questions themselves are in a file for each. */
  written: Record<string, readonly WrittenCard[]>;
  templates: TemplateCard[];
}

/** What every screen says of an exam's content, and what a first visit is shown; the build writes that of all exams into the page itself. */
export interface StudyAbout {
  id: string;
  /** As people write it: "NCA-AIIO". */
  exam: string;
  name: string;
  /** Its questions and lessons were not tried by many yet. */
  beta: boolean;
  /** Of the blueprint, and when it was looked at. */
  version: string;
  checked: string;
  /** When a question was looked at last. */
  reviewed: string;
  /** Questions of the exam's kind, its sums included. */
  examQuestions: number;
  lessons: number;
  lessonMinutes: number;
  firstLesson: { id: string; title: string; minutes: number };
}

const loaded = new Map<string, Promise<unknown>>();

async function load(file: string): Promise<unknown> {
  const reply = await fetch(new URL(`study/${__STUDY_DIGEST__}/${file}`, document.baseURI));
  if (!reply.ok) throw new Error(`study/${file}: ${reply.status}`);
  return reply.json();
}

/** A file below `study/`, read once; a failed load may be tried again. */
export function studyFile<Content>(file: string): Promise<Content> {
  const known = loaded.get(file);
  if (known !== undefined) return known as Promise<Content>;
  const asked = load(file);
  loaded.set(file, asked);
  asked.catch(() => loaded.delete(file));
  return asked as Promise<Content>;
}

/** The file of an exam's questions; that of the first exam has no name in it. */
export const questionsFile = (exam?: string) => (exam === undefined ? "questions.json" : `questions-${exam}.json`);

/** The exam of an id; the first, for which nothing was chosen, where there is none. */
export function aboutExam(id: string | undefined): StudyAbout {
  const [first, ...others] = __STUDY_EXAMS__;
  return others.find((one) => one.id === id) ?? first;
}

/** The questions of an exam. */
export function loadQuestions(exam: string | undefined): Promise<QuestionPack> {
  const { id } = aboutExam(exam);
  return studyFile<QuestionPack>(questionsFile(id === __STUDY_EXAMS__[0].id ? undefined : id));
}

/** As the exam asks, or questions of every kind and level. */
export type ExamForm = "exam" | "challenge";
