/**
 * The files of the study tool, written below `study/` of the site: each is loaded when a screen needs it. Everything in them comes from
 * `core/study/data` and from the command line; nothing is typed here.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../src/json.ts";
import type { Field } from "../src/screens/requests.ts";
import type { Blueprint } from "../src/study/blueprint.ts";
import type { QuestionPack, SourceEntry, TemplateCard, WrittenPack } from "../src/study/pack.ts";

type Ask = (...words: string[]) => unknown;

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const filesOf = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));

/** Sources by id: those of the catalog and of the study data. */
export function readSources(core: string): Map<string, SourceEntry> {
  const files = [join(core, "catalog/data/sources.json"), ...filesOf(join(core, "study/data/sources"))];
  return new Map(files.flatMap((file) => Object.entries(read(file) as Record<string, SourceEntry>)));
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

/** Every template with its objective, as its question of one seed says. */
function templateCards(ask: Ask): TemplateCard[] {
  const { properties } = ask("schema", "question") as Field;
  const ids = properties?.template?.enum ?? [];
  return ids.map((id) => {
    const { question } = ask("study", "question", "--template", String(id), "--seed", "1", "--json") as {
      question: TemplateCard;
    };
    const { objective, difficulty } = question;
    if (objective === undefined) throw new Error(`The question of ${id} names no objective.`);
    return { id: String(id), objective, difficulty };
  });
}

function questionPack(core: string, ask: Ask): QuestionPack {
  const data = join(core, "study/data");
  const packs = filesOf(join(data, "written")).map((file) => read(file) as WrittenPack);
  const named = packs.flatMap(({ questions }) => questions.flatMap(({ sources }) => sources));
  return {
    blueprint: read(join(data, "objectives.json")) as Blueprint,
    written: Object.fromEntries(packs.map((pack) => [pack.objective, pack])),
    templates: templateCards(ask),
    sources: sourcesNamed(readSources(core), named),
  };
}

export interface StudyFiles {
  /** Names below `study/` and contents. */
  files: Map<string, string>;
  /** First characters of the digest of all of them: the version that the page asks for. */
  digest: string;
}

/** `core` is the folder of the core's sources; `ask` gives the command's answer. */
export function studyPack(core: string, ask: Ask): StudyFiles {
  const contents: Record<string, JsonObject> = {
    "questions.json": questionPack(core, ask) as unknown as JsonObject,
  };
  const files = new Map(Object.entries(contents).map(([name, content]) => [name, JSON.stringify(content)]));
  const hash = createHash("sha256");
  for (const [name, text] of files) hash.update(name).update(text);
  return { files, digest: hash.digest("hex").slice(0, 12) };
}
