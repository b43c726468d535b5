/**
 * The formula sheet: every formula that a question of a template works with, as the engine's worked solutions name it. Ids and descriptions are
 * those of the registries in the core's headers; calculators are those of the lessons.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Blueprint } from "../src/study/blueprint.ts";
import type { FormulaEntry, FormulaSheet } from "../src/study/formula_sheet.ts";
import type { Lesson, LessonCalculator, LessonNode } from "../src/study/lesson.ts";
import type { TemplateCard } from "../src/study/pack.ts";
import type { Question, Step } from "../src/study/question.ts";

interface Registered {
  id: string;
  inputs: string[];
  equation: string;
  source: string;
  note: string;
}

/** Arithmetic that questions put between formulas: it says nothing by itself. */
const kPlain = new Set([
  "first * second",
  "larger / smaller",
  "sum(parts)",
  "count * each",
  "below + above",
  "min(limit, other_limit)",
  "divisor_from(least, uplinks)",
  "cost * count * 31536000",
  "compute_racks + other_racks",
  "per_token * tokens",
  "layers * each",
]);
/** The seed whose questions are looked at. */
const kSeed = 1;

const joined = (literals: string) => [...literals.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text).join("");

/** The comment that stands above the definition of a function. */
function noteAbove(text: string, name: string): string {
  const above =
    new RegExp(`((?:^///[^\\n]*\\n)+)(?:template[^\\n]*\\n)?[^\\n;{}/]*\\b${name}\\(`, "m").exec(text)?.[1] ?? "";
  return above
    .split("\n")
    .map((line) => line.replace(/^\/\/\/ ?/, ""))
    .join(" ")
    .trim();
}

function registeredIn(text: string): Registered[] {
  return [...text.matchAll(/\bFormula<\s*([\w:]+)\s*>\s+k\w+\s*\{([\s\S]*?)\};/g)].map(([, name = "", body = ""]) => ({
    id: /\.id\s*=\s*"([^"]+)"/.exec(body)?.[1] ?? "",
    inputs: [...(/\.inputs\s*=\s*\{([^}]*)\}/.exec(body)?.[1] ?? "").matchAll(/"(\w+)"/g)].map(([, one = ""]) => one),
    equation: joined(/\.equation\s*=([\s\S]*?)(?:\.source|$)/.exec(body)?.[1] ?? ""),
    source: joined(/\.source\s*=([\s\S]*)$/.exec(body)?.[1] ?? ""),
    note: noteAbove(text, name.split("::").at(-1) ?? name),
  }));
}

function readRegistries(core: string): Registered[] {
  const headers = readdirSync(core, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".h"));
  return headers.sort().flatMap((name) => registeredIn(readFileSync(join(core, name), "utf8")));
}

/** The formula of a step: same equation and source; of several the one that is named as the step, else one that only questions use. */
function registeredOf(all: readonly Registered[], { equation, name, source }: Step): Registered | undefined {
  const same = all.filter((one) => one.equation === equation && one.source === source);
  const isNamed = ({ id }: Registered) => id.split(".")[1] === name;
  return same.find(isNamed) ?? same.find(({ id }) => id.startsWith("study.")) ?? same[0];
}

/** A note that leans on the one above it says nothing by itself. */
const standsAlone = (note: string) => note !== "" && !/^The same\b/.test(note);

function entryOf(step: Step, registered: Registered, { id, objective }: TemplateCard): FormulaEntry {
  const { equation = "", inputs = [], unit = "1", source = "" } = step;
  return {
    id: registered.id,
    equation,
    inputs: inputs.map(({ name, unit }) => ({ name, unit })),
    unit,
    source,
    ...(standsAlone(registered.note) && { note: registered.note }),
    template: id,
    objective,
  };
}

/** Every calculator of a text. */
function calculatorsIn(text: readonly LessonNode[]): LessonCalculator[] {
  return text.flatMap((node) => (typeof node === "object" && "calculator" in node ? [node.calculator] : []));
}

interface FormulaNeeds {
  core: string;
  blueprint: Blueprint;
  templates: readonly TemplateCard[];
  lessons: readonly Lesson[];
  question(template: string, seed: number): Question;
}

export function formulaSheet({ core, blueprint, templates, lessons, question }: FormulaNeeds): FormulaSheet {
  const registries = readRegistries(core);
  if (registries.length === 0) throw new Error(`No formula is registered in the headers below ${core}.`);
  const entries = new Map<string, FormulaEntry>();
  // In the order of the blueprint, so that a formula stands where it is needed first.
  const ranks = new Map(blueprint.objectives.map(({ id }, i) => [id, i]));
  const rank = ({ objective }: TemplateCard) => ranks.get(objective) ?? ranks.size;
  for (const template of [...templates].sort((a, b) => rank(a) - rank(b))) {
    for (const step of question(template.id, kSeed).solution) {
      if (step.equation === undefined || kPlain.has(step.equation) || entries.has(step.equation)) continue;
      const registered = registeredOf(registries, step);
      if (registered === undefined) continue;
      entries.set(step.equation, entryOf(step, registered, template));
    }
  }
  const groups = blueprint.objectives.map(({ id, text }) => ({
    objective: id,
    name: text,
    formulas: [...entries.values()].filter(({ objective }) => objective === id),
    calculators: lessons.flatMap(({ objectives, text }) => (objectives[0] === id ? calculatorsIn(text) : [])),
  }));
  return { groups: groups.filter(({ formulas }) => formulas.length > 0) };
}
