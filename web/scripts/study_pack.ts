/**
 * The files of the study tool, written below `study/` of the site: each is loaded when a screen needs it. Everything in them comes from
 * `core/study/data` and from the command line; nothing is typed here.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Field } from "../src/screens/requests.ts";
import { type Blueprint, examCode } from "../src/study/blueprint.ts";
import type { Drawing } from "../src/study/drawing.ts";
import type { GlossaryPack, GlossaryTerm } from "../src/study/glossary.ts";
import type { Lab, LabPack } from "../src/study/labs.ts";
import { cardsOf } from "../src/study/learner.ts";
import { type Claim, type ExamCard, kClaimFields, kVerdicts, type LedgerPack } from "../src/study/ledger.ts";
import type { Lesson } from "../src/study/lesson.ts";
import {
  type QuestionPack,
  questionsFile,
  type SourceEntry,
  type StudyAbout,
  type TemplateCard,
  type WrittenCard,
  type WrittenPack,
  type WrittenQuestion,
} from "../src/study/pack.ts";
import type { Question } from "../src/study/question.ts";
import { termSlug } from "../src/study/recall.ts";
import type { TaughtPack } from "../src/study/taught.ts";
import { readCsv } from "./read_csv.ts";
import { commandFiles } from "./study_commands.ts";
import { coveragePack } from "./study_coverage.ts";
import { pictureFiles, readDrawings } from "./study_drawings.ts";
import { type FormulaText, formulaSheet } from "./study_formulas.ts";
import { lessonList, readLessons } from "./study_lessons.ts";
import { furtherQuestions, taughtPack, withSections } from "./study_taught.ts";
import { translationFiles } from "./study_translations.ts";

type Ask = (...words: string[]) => unknown;

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const filesOf = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));

/** A list of entries that hold their ids, or entries by their ids. */
function sourcesOf(content: unknown): [string, SourceEntry][] {
  if (!Array.isArray(content)) return Object.entries(content as Record<string, SourceEntry>);
  return (content as (SourceEntry & { id: string })[]).map((entry) => [entry.id, entry]);
}

/** Sources by id: those of the catalog and of the study data. */
export function readSources(core: string): Map<string, SourceEntry> {
  const files = [join(core, "catalog/data/sources.json"), ...filesOf(join(core, "study/data/sources"))];
  return new Map(files.flatMap((file) => sourcesOf(read(file))));
}

/** What a page shows of the sources that it names. */
export function sourcesNamed(
  all: ReadonlyMap<string, SourceEntry>,
  ids: Iterable<string>,
): Record<string, SourceEntry> {
  const named = [...new Set(ids)].sort().flatMap((id) => {
    const { title, url } = all.get(id) ?? {};
    return title === undefined ? [] : [[id, url === undefined ? { title } : { title, url }] as const];
  });
  return Object.fromEntries(named);
}

/** The command's questions by template and seed, each asked for once. */
function questioner(ask: Ask): (template: string, seed: number) => Question {
  const known = new Map<string, Question>();
  return (template, seed) => {
    const key = `${template}/${seed}`;
    const words = ["study", "question", "--template", template, "--seed", String(seed), "--json"];
    const question = known.get(key) ?? (ask(...words) as { question: Question }).question;
    known.set(key, question);
    return question;
  };
}

/** What the table of templates says of one. */
type TemplateText = Pick<TemplateCard, "level" | "asks"> & { simple: "yes" | "no" };

/** Every template with its objective, as its question of one seed says. */
function templateCards(ask: Ask, question: Study["question"], data: string): TemplateCard[] {
  const texts = read(join(data, "questions.json")) as Record<string, TemplateText>;
  const { properties } = ask("schema", "question") as Field;
  const ids = properties?.template?.enum ?? [];
  return ids.map((id) => {
    const { objective, difficulty } = question(String(id), 1);
    if (objective === undefined) throw new Error(`The question of ${id} names no objective.`);
    const text = texts[String(id)];
    if (text === undefined) throw new Error(`The table of templates has no ${id}.`);
    const { level, asks, simple } = text;
    return { id: String(id), objective, difficulty, level, asks, ...(simple === "yes" ? { simple: true } : {}) };
  });
}

/** What several files are made of. */
interface Study {
  data: string;
  formulas: readonly FormulaText[];
  /** Of all exams. */
  blueprints: readonly [Blueprint, ...Blueprint[]];
  packs: readonly WrittenPack[];
  templates: readonly TemplateCard[];
  sources: ReadonlyMap<string, SourceEntry>;
  drawings: ReadonlyMap<string, Drawing>;
  question(template: string, seed: number): Question;
}

function readStudy(core: string, ask: Ask): Study {
  const data = join(core, "study/data");
  const question = questioner(ask);
  return {
    data,
    question,
    formulas: read(join(data, "formulas.json")) as FormulaText[],
    blueprints: filesOf(join(data, "blueprints")).map(read) as [Blueprint, ...Blueprint[]],
    packs: filesOf(join(data, "written")).map((file) => read(file) as WrittenPack),
    templates: templateCards(ask, question, data),
    sources: readSources(core),
    drawings: readDrawings(join(data, "drawings")),
  };
}

/** What the learner's memory needs to know of a question that is not asked yet. */
function cardOf({ id, kind, difficulty, level, asks, options = [] }: WrittenQuestion): WrittenCard {
  const known = { id, difficulty, level, asks };
  if (kind !== "choice" && kind !== "choose-two") return known;
  return { ...known, wrongOptions: options.filter(({ right }) => right !== true).length };
}

/** The objective of an exam under which a question is asked: that of its file, or the one that it names. */
const objectiveIn = (known: ReadonlySet<string>, file: string, { also = "" }: WrittenQuestion) =>
  [file, also].find((one) => known.has(one));

function questionPack({ blueprints, packs, templates }: Study, blueprint: Blueprint): QuestionPack {
  const known = new Set(blueprint.objectives.map(({ id }) => id));
  const written: Record<string, WrittenCard[]> = {};
  for (const { objective: file, questions } of packs)
    for (const question of questions) {
      const objective = objectiveIn(known, file, question);
      if (objective === undefined) continue;
      const card = { ...cardOf(question), ...(objective === file ? {} : { file }) };
      written[objective] = [...(written[objective] ?? []), card];
    }
  // Templates about the exam itself are those of the first.
  const isAsked = (objective: string) => known.has(objective) || blueprint === blueprints[0];
  return {
    blueprint,
    written,
    templates: templates.filter(({ objective }) => isAsked(objective)),
  };
}

/** Sources that the written questions name. */
function questionSources({ packs, sources }: Study): Record<string, SourceEntry> {
  return sourcesNamed(
    sources,
    packs.flatMap(({ questions }) => questions.flatMap((question) => question.sources)),
  );
}

/** The questions of every exam, each in a file of its own. */
function questionPacks(study: Study): Record<string, QuestionPack> {
  const packs = study.blueprints.map((blueprint, i) => {
    const file = questionsFile(i === 0 ? undefined : blueprint.exam.id);
    return [file, questionPack(study, blueprint)] as const;
  });
  return Object.fromEntries(packs);
}

function lessonsOf({ data, packs, templates, sources, drawings }: Study): Lesson[] {
  const lessons = readLessons(join(data, "lessons"), {
    sources,
    sourcesNamed: (ids) => sourcesNamed(sources, ids),
    packs,
    templates: new Set(templates.map(({ id }) => id)),
    drawings,
  });
  return lessons.map((lesson) => ({ ...lesson, text: withSections(lesson.id, lesson.text) }));
}

/** Every claim of study material with its verdict, and the cards on which notes and physics differ. */
export function ledgerPack({ data, sources }: Pick<Study, "data" | "sources">): LedgerPack {
  const claims = readCsv(join(data, "claims.csv"), kClaimFields);
  const ids = new Set(claims.map(({ id }) => id));
  for (const { id, verdict } of claims)
    if (!kVerdicts.some((one) => one === verdict)) throw new Error(`${id} has the verdict ${verdict}.`);
  const { cards } = read(join(data, "notes_and_truth.json")) as { cards: ExamCard[] };
  for (const { id, claims: named } of cards) {
    const unknown = named.filter((one) => !ids.has(one));
    if (unknown.length > 0) throw new Error(`The card ${id} names claims that do not exist: ${unknown.join(", ")}.`);
  }
  const named = [...claims.flatMap(({ source = "" }) => source.split("; ")), ...cards.flatMap((card) => card.sources)];
  return { claims: claims as unknown as Claim[], cards, sources: sourcesNamed(sources, named) };
}

const termsOf = (data: string) => (read(join(data, "glossary.json")) as { terms: GlossaryTerm[] }).terms;

/** The glossary with the titles of its lessons and what is shown of its sources. */
function glossaryPack({ data, sources }: Study, lessons: readonly Lesson[]): GlossaryPack {
  const terms = termsOf(data);
  const titles = new Map(lessons.map(({ id, title }) => [id, title]));
  const names = new Set(terms.map(({ term }) => term));
  for (const { term, lesson, see = [] } of terms) {
    if (lesson !== undefined && !titles.has(lesson)) throw new Error(`The term ${term} names no lesson: ${lesson}.`);
    const unknown = see.filter((one) => !names.has(one));
    if (unknown.length > 0) throw new Error(`The term ${term} points to no term: ${unknown.join(", ")}.`);
  }
  const slugs = new Set(terms.map(({ term }) => termSlug(term)));
  if (slugs.size < terms.length || slugs.has(""))
    throw new Error("Two terms of the glossary would be one recall card.");
  const named = new Set(terms.flatMap(({ lesson }) => lesson ?? []));
  return {
    terms: [...terms].sort((a, b) => a.term.localeCompare(b.term, "en", { sensitivity: "base" })),
    lessons: Object.fromEntries([...titles].filter(([id]) => named.has(id))),
    sources: sourcesNamed(
      sources,
      terms.flatMap(({ sources }) => sources),
    ),
  };
}

/** The labs, with the sources that they name. */
export function labPack({ data, sources }: Pick<Study, "data" | "sources">): LabPack {
  const { labs } = read(join(data, "labs.json")) as { labs: Lab[] };
  return {
    labs,
    sources: sourcesNamed(
      sources,
      labs.flatMap(({ sources }) => sources),
    ),
  };
}

/** The list of lessons, and each in a file of its own. */
function lessonFiles(lessons: readonly Lesson[], { blueprints, packs }: Study, taught: TaughtPack) {
  const each = lessons.map((lesson) => {
    const further = furtherQuestions(lesson, taught, packs);
    return [`lessons/${lesson.id}.json`, { ...lesson, further }] as const;
  });
  return { "lessons.json": lessonList(lessons, blueprints), ...Object.fromEntries(each) };
}

/** The newest review of a question of an exam, and counts. */
function aboutOf(study: Study, blueprint: Blueprint, all: readonly Lesson[]): StudyAbout {
  const pack = questionPack(study, blueprint);
  const { id: exam, name = exam, beta, version, checked } = blueprint.exam;
  const known = new Set(blueprint.objectives.map(({ id }) => id));
  const lessons = all.filter(({ objectives }) => objectives.some((one) => known.has(one)));
  const first = lessons[0] ?? all[0];
  if (version === undefined || checked === undefined || first === undefined)
    throw new Error("The blueprint has no version or date, or there is no lesson.");
  const asked = new Set(Object.values(pack.written).flatMap((cards) => cards.map(({ id }) => id)));
  const questions = study.packs.flatMap((one) => one.questions.filter(({ id }) => asked.has(id)));
  return {
    id: exam,
    exam: examCode(exam),
    name,
    beta: beta === true,
    version,
    checked,
    reviewed:
      questions
        .map(({ reviewed }) => reviewed)
        .sort()
        .at(-1) ?? checked,
    examQuestions: cardsOf(pack).filter(({ part }) => part !== undefined).length,
    lessons: lessons.length,
    lessonMinutes: lessons.reduce((sum, { minutes }) => sum + minutes, 0),
    firstLesson: { id: first.id, title: first.title, minutes: first.minutes },
  };
}

export interface StudyFiles {
  /** Names below `study/` and contents. */
  files: Map<string, string>;
  /** First characters of the digest of all of them: the version that the page asks for. */
  digest: string;
  exams: StudyAbout[];
}

/** `core` is the folder of the core's sources; `ask` gives the command's answer. */
export function studyPack(core: string, ask: Ask): StudyFiles {
  const study = readStudy(core, ask);
  const lessons = lessonsOf(study);
  const taught = taughtPack(join(study.data, "taught"), { ...study, lessons });
  const contents: Record<string, unknown> = {
    ...questionPacks(study),
    "sources.json": questionSources(study),
    ...Object.fromEntries(study.packs.map((pack) => [`questions/${pack.objective}.json`, pack])),
    ...lessonFiles(lessons, study, taught),
    "taught.json": taught,
    ...pictureFiles(study.drawings, study.packs),
    "claims.json": ledgerPack(study),
    "glossary.json": glossaryPack(study, lessons),
    "coverage.json": coveragePack(study.data, study.sources),
    "formulas.json": formulaSheet({ ...study, blueprint: study.blueprints[0], lessons }),
    "labs.json": labPack(study),
    ...commandFiles(study.data, (ids) => sourcesNamed(study.sources, ids)),
    ...translationFiles({ ...study, lessons, terms: termsOf(study.data) }),
  };
  const files = new Map(Object.entries(contents).map(([name, content]) => [name, JSON.stringify(content)]));
  const hash = createHash("sha256");
  for (const [name, text] of files) hash.update(name).update(text);
  return {
    files,
    digest: hash.digest("hex").slice(0, 12),
    exams: study.blueprints.map((one) => aboutOf(study, one, lessons)),
  };
}
