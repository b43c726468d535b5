/** Where each question is taught: a lesson, and a section of it. What has no row of its own is taught by the lesson of its objective. */
import { type Blueprint, objectiveWeights } from "./blueprint.ts";
import { studyFile } from "./pack.ts";

export interface LessonPlaces {
  title: string;
  minutes: number;
  /** By their names, in the order of the lesson. */
  sections: Record<string, { title: string; minutes: number }>;
}

export interface TaughtPack {
  /** By id, in the order of the course. */
  lessons: Record<string, LessonPlaces>;
  /** "LESSON/SECTION", or the lesson alone, by the id of a written question or a template. */
  items: Record<string, string>;
  /** The lesson of each objective. */
  objectives: Record<string, string>;
}

/** A heading as an address has it: lower case, and each run of other characters one "-". */
export const sectionName = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

/** The id of a heading on the page of its lesson. */
export const sectionId = (name: string) => `section-${name}`;

/** A section of a lesson, or a lesson as a whole. */
export interface Place {
  lesson: string;
  section?: string;
  title: string;
  sectionTitle?: string;
  minutes: number;
}

function placeAt({ lessons }: TaughtPack, key: string): Place | undefined {
  const [id = "", section = ""] = key.split("/");
  const lesson = lessons[id];
  if (lesson === undefined) return undefined;
  const part = lesson.sections[section];
  if (part === undefined) return { lesson: id, title: lesson.title, minutes: lesson.minutes };
  return { lesson: id, section, title: lesson.title, sectionTitle: part.title, minutes: part.minutes };
}

/** Undefined where no lesson teaches it, as of questions about the exam itself. */
export function placeOf(pack: TaughtPack, card: string, objective: string): Place | undefined {
  const key = pack.items[card] ?? pack.objectives[objective];
  return key === undefined ? undefined : placeAt(pack, key);
}

export const loadTaught = () => studyFile<TaughtPack>("taught.json");

/** A place to read, with the questions that it would have answered. */
export interface ToRead extends Place {
  /** Places of the exam as people count. */
  questions: number[];
}

export interface Missed {
  card: string;
  objective: string;
  /** The place as people count. */
  name: number;
}

/**
 * Where what was missed is taught. What weighs most in the exam comes first: each miss counts the weight of its objective; where that is equal, the
 * order of the course decides.
 */
export function readNext(pack: TaughtPack, blueprint: Blueprint, missed: readonly Missed[]): ToRead[] {
  const weights = objectiveWeights(
    blueprint,
    blueprint.objectives.map(({ id }) => id),
  );
  const places = missed.flatMap((one) => {
    const place = placeOf(pack, one.card, one.objective);
    return place === undefined ? [] : [{ place, ...one }];
  });
  // Who reads a lesson reads its sections.
  const whole = new Set(places.flatMap(({ place: { lesson, section } }) => (section === undefined ? lesson : [])));
  const found = new Map<string, ToRead & { weight: number }>();
  for (const { place, objective, name } of places) {
    const { lesson } = place;
    const key = whole.has(lesson) ? lesson : `${lesson}/${place.section}`;
    const known = found.get(key) ?? { ...(placeAt(pack, key) ?? place), questions: [], weight: 0 };
    known.questions.push(name);
    known.weight += weights.get(objective) ?? 0;
    found.set(key, known);
  }
  const order = Object.keys(pack.lessons);
  return [...found.values()]
    .sort((a, b) => b.weight - a.weight || order.indexOf(a.lesson) - order.indexOf(b.lesson))
    .map(({ weight: _, ...place }) => place);
}

/** Whole minutes to read all of it, each place at least 1, so that those of a list add up. */
export const minutesToRead = (places: readonly Place[]) =>
  places.reduce((sum, { minutes }) => sum + Math.max(1, Math.ceil(minutes - 1e-9)), 0);
