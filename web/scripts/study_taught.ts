/** Where each question is taught: lessons get names for their headings, and the table of `core/study/data/taught` leads to them. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Lesson, LessonElement, LessonNode } from "../src/study/lesson.ts";
import type { TemplateCard, WrittenPack } from "../src/study/pack.ts";
import { type LessonPlaces, sectionId, sectionName, type TaughtPack } from "../src/study/taught.ts";
import { readCsv } from "./read_csv.ts";

function textOf(nodes: readonly LessonNode[] | undefined): string {
  return (nodes ?? [])
    .map((node) => (typeof node === "string" ? node : "tag" in node ? textOf(node.inside) : ""))
    .join("");
}

export const isHeading = (node: LessonNode): node is LessonElement =>
  typeof node === "object" && "tag" in node && (node.tag === "h2" || node.tag === "h3");

/** Every heading with the id that a link to its section leads to. */
export function withSections(lesson: string, text: readonly LessonNode[]): LessonNode[] {
  const names = new Set<string>();
  return text.map((node) => {
    if (!isHeading(node)) return node;
    const name = sectionName(textOf(node.inside));
    if (name === "" || names.has(name)) throw new Error(`${lesson} has two sections or one without a name: "${name}".`);
    names.add(name);
    return { ...node, attributes: { ...node.attributes, id: sectionId(name) } };
  });
}

const wordsIn = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;

/** Sections of a lesson, each with its share of the lesson's minutes by the length of its text. */
function placesOf({ title, minutes, text }: Lesson): LessonPlaces {
  const parts: { name: string; title: string; words: number }[] = [];
  let all = 0;
  for (const node of text) {
    const words = wordsIn(textOf([node]));
    all += words;
    const last = parts.at(-1);
    if (isHeading(node)) {
      const heading = textOf(node.inside);
      parts.push({ name: sectionName(heading), title: heading, words });
    } else if (last !== undefined) last.words += words;
  }
  const share = (words: number) => Math.round((minutes * words * 10) / all) / 10;
  const sections = parts.map(({ name, title, words }) => [name, { title, minutes: share(words) }] as const);
  return { title, minutes, sections: Object.fromEntries(sections) };
}

/** The lesson of each objective: among those that have it first, else among all that have it, the one with the fewest others. */
function lessonsOfObjectives(lessons: readonly Lesson[]): Record<string, string> {
  const ofObjective = new Map<string, string>();
  const byCount = [...lessons].sort((a, b) => a.objectives.length - b.objectives.length);
  const take = (lesson: string, objective: string | undefined) => {
    if (objective !== undefined && !ofObjective.has(objective)) ofObjective.set(objective, lesson);
  };
  for (const { id, objectives } of byCount) take(id, objectives[0]);
  for (const { id, objectives } of byCount) for (const one of objectives) take(id, one);
  return Object.fromEntries(ofObjective);
}

interface TaughtNeeds {
  lessons: readonly Lesson[];
  packs: readonly WrittenPack[];
  templates: readonly TemplateCard[];
}

/** Throws where a row names an item, a lesson or a section that does not exist. */
export function taughtPack(folder: string, { lessons, packs, templates }: TaughtNeeds): TaughtPack {
  const places = Object.fromEntries(lessons.map((lesson) => [lesson.id, placesOf(lesson)]));
  const items = new Set([
    ...packs.flatMap(({ questions }) => questions.map(({ id }) => id)),
    ...templates.map(({ id }) => id),
  ]);
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".csv")) : [];
  const rows = files.sort().flatMap((name) => readCsv(join(folder, name), ["item", "lesson", "section"]));
  const taught: Record<string, string> = {};
  for (const { item, lesson, section } of rows) {
    if (!items.has(item)) throw new Error(`taught: there is no question ${item}.`);
    if (item in taught) throw new Error(`taught: ${item} has two rows.`);
    const place = places[lesson];
    if (place === undefined) throw new Error(`taught: ${item} names no lesson: ${lesson}.`);
    if (section !== "" && !(section in place.sections))
      throw new Error(`taught: ${item} names no section of ${lesson}: ${section}.`);
    taught[item] = section === "" ? lesson : `${lesson}/${section}`;
  }
  return { lessons: places, items: taught, objectives: lessonsOfObjectives(lessons) };
}

/** Written questions of the associate level that a lesson teaches, of its own first objective; the one that closes it left out. */
export function furtherQuestions(lesson: Lesson, { items }: TaughtPack, packs: readonly WrittenPack[]): string[] {
  const [first] = lesson.objectives;
  const closing = "written" in lesson.closing ? lesson.closing.written.id : undefined;
  const own = packs.find(({ objective }) => objective === first)?.questions ?? [];
  return own.flatMap(({ id, level }) =>
    level === "associate" && id !== closing && items[id]?.split("/")[0] === lesson.id ? [id] : [],
  );
}
