/**
 * The files of the study tool, written below `study/` of the site: each is loaded when a screen needs it. Everything in them comes from
 * `core/study/data` and from the command line; nothing is typed here.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Field } from "../src/screens/requests.ts";
import type { Blueprint } from "../src/study/blueprint.ts";
import type { GlossaryPack, GlossaryTerm } from "../src/study/glossary.ts";
import type { Lab, LabPack } from "../src/study/labs.ts";
import { type Claim, type ExamCard, kClaimFields, kVerdicts, type LedgerPack } from "../src/study/ledger.ts";
import type { Lesson } from "../src/study/lesson.ts";
import type {
  QuestionPack,
  SourceEntry,
  TemplateCard,
  WrittenCard,
  WrittenPack,
  WrittenQuestion,
} from "../src/study/pack.ts";
import type { Question } from "../src/study/question.ts";
import { readCsv } from "./read_csv.ts";
import { commandFiles } from "./study_commands.ts";
import { coveragePack } from "./study_coverage.ts";
import { type FormulaText, formulaSheet } from "./study_formulas.ts";
import { lessonList, readLessons } from "./study_lessons.ts";

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

/** Every template with its objective, as its question of one seed says. */
function templateCards(ask: Ask, question: Study["question"]): TemplateCard[] {
  const { properties } = ask("schema", "question") as Field;
  const ids = properties?.template?.enum ?? [];
  return ids.map((id) => {
    const { objective, difficulty } = question(String(id), 1);
    if (objective === undefined) throw new Error(`The question of ${id} names no objective.`);
    return { id: String(id), objective, difficulty };
  });
}

/** What several files are made of. */
interface Study {
  data: string;
  formulas: readonly FormulaText[];
  blueprint: Blueprint;
  packs: readonly WrittenPack[];
  templates: readonly TemplateCard[];
  sources: ReadonlyMap<string, SourceEntry>;
  question(template: string, seed: number): Question;
}

function readStudy(core: string, ask: Ask): Study {
  const data = join(core, "study/data");
  const question = questioner(ask);
  return {
    data,
    question,
    formulas: read(join(data, "formulas.json")) as FormulaText[],
    blueprint: read(join(data, "objectives.json")) as Blueprint,
    packs: filesOf(join(data, "written")).map((file) => read(file) as WrittenPack),
    templates: templateCards(ask, question),
    sources: readSources(core),
  };
}

/** What the learner's memory needs to know of a question that is not asked yet. */
function cardOf({ id, kind, difficulty, options = [] }: WrittenQuestion): WrittenCard {
  if (kind !== "choice" && kind !== "choose-two") return { id, difficulty };
  return { id, difficulty, wrongOptions: options.filter(({ right }) => right !== true).length };
}

function questionPack({ blueprint, packs, templates, sources }: Study): QuestionPack {
  const named = packs.flatMap(({ questions }) => questions.flatMap((question) => question.sources));
  return {
    blueprint,
    written: Object.fromEntries(packs.map(({ objective, questions }) => [objective, questions.map(cardOf)])),
    templates: [...templates],
    sources: sourcesNamed(sources, named),
  };
}

function lessonsOf({ data, packs, templates, sources }: Study): Lesson[] {
  return readLessons(join(data, "lessons"), {
    sources,
    sourcesNamed: (ids) => sourcesNamed(sources, ids),
    packs,
    templates: new Set(templates.map(({ id }) => id)),
  });
}

/** Every claim of study material with its verdict, and the cards on which exam and physics differ. */
export function ledgerPack(data: string): LedgerPack {
  const claims = readCsv(join(data, "claims.csv"), kClaimFields);
  const ids = new Set(claims.map(({ id }) => id));
  for (const { id, verdict } of claims)
    if (!kVerdicts.some((one) => one === verdict)) throw new Error(`${id} has the verdict ${verdict}.`);
  const { cards } = read(join(data, "exam_and_truth.json")) as { cards: ExamCard[] };
  for (const { id, claims: named } of cards) {
    const unknown = named.filter((one) => !ids.has(one));
    if (unknown.length > 0) throw new Error(`The card ${id} names claims that do not exist: ${unknown.join(", ")}.`);
  }
  return { claims: claims as unknown as Claim[], cards };
}

/** The glossary with the titles of its lessons and what is shown of its sources. */
function glossaryPack({ data, sources }: Study, lessons: readonly Lesson[]): GlossaryPack {
  const { terms } = read(join(data, "glossary.json")) as { terms: GlossaryTerm[] };
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
function lessonFiles(lessons: readonly Lesson[], { blueprint }: Study): Record<string, unknown> {
  const each = lessons.map((lesson) => [`lessons/${lesson.id}.json`, lesson] as const);
  return { "lessons.json": lessonList(lessons, blueprint), ...Object.fromEntries(each) };
}

export interface StudyFiles {
  /** Names below `study/` and contents. */
  files: Map<string, string>;
  /** First characters of the digest of all of them: the version that the page asks for. */
  digest: string;
}

/** `core` is the folder of the core's sources; `ask` gives the command's answer. */
export function studyPack(core: string, ask: Ask): StudyFiles {
  const study = readStudy(core, ask);
  const lessons = lessonsOf(study);
  const contents: Record<string, unknown> = {
    "questions.json": questionPack(study),
    ...Object.fromEntries(study.packs.map((pack) => [`questions/${pack.objective}.json`, pack])),
    ...lessonFiles(lessons, study),
    "claims.json": ledgerPack(study.data),
    "glossary.json": glossaryPack(study, lessons),
    "coverage.json": coveragePack(study.data, study.sources),
    "formulas.json": formulaSheet({ ...study, lessons }),
    "labs.json": labPack(study),
    ...commandFiles(study.data, (ids) => sourcesNamed(study.sources, ids)),
  };
  const files = new Map(Object.entries(contents).map(([name, content]) => [name, JSON.stringify(content)]));
  const hash = createHash("sha256");
  for (const [name, text] of files) hash.update(name).update(text);
  return { files, digest: hash.digest("hex").slice(0, 12) };
}
