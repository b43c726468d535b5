/**
 * The formula sheet: steps of worked solutions that state a formula, with the title and meaning that `core/study/data/formulas.json` gives
 * them. Equation, names, units and source are what the engine recorded; calculators are those of the lessons.
 */
import type { Blueprint } from "../src/study/blueprint.ts";
import type { FormulaEntry, FormulaSheet } from "../src/study/formula_sheet.ts";
import type { Lesson, LessonCalculator, LessonNode } from "../src/study/lesson.ts";
import type { TemplateCard } from "../src/study/pack.ts";
import type { Question } from "../src/study/question.ts";

/** Of `formulas.json`: the step of a template's solution, and what a reader is told of it. */
export interface FormulaText {
  template: string;
  step: string;
  title: string;
  note?: string;
}

/** The seed whose questions are looked at. */
const kSeed = 1;

function entryOf(text: FormulaText, templates: readonly TemplateCard[], question: Question): FormulaEntry {
  const card = templates.find(({ id }) => id === text.template);
  const step = question.solution.find(({ name }) => name === text.step);
  if (card === undefined || step?.equation === undefined)
    throw new Error(`formulas.json: ${text.template} has no step "${text.step}" with an equation.`);
  const { equation, inputs = [], unit = "1", source = "" } = step;
  return {
    ...text,
    equation,
    inputs: inputs.map(({ name, unit }) => ({ name, unit })),
    unit,
    source,
    objective: card.objective,
  };
}

/** Every calculator of a text. */
function calculatorsIn(text: readonly LessonNode[]): LessonCalculator[] {
  return text.flatMap((node) => (typeof node === "object" && "calculator" in node ? [node.calculator] : []));
}

interface FormulaNeeds {
  formulas: readonly FormulaText[];
  blueprint: Blueprint;
  templates: readonly TemplateCard[];
  lessons: readonly Lesson[];
  question(template: string, seed: number): Question;
}

export function formulaSheet({ formulas, blueprint, templates, lessons, question }: FormulaNeeds): FormulaSheet {
  const entries = formulas.map((text) => entryOf(text, templates, question(text.template, kSeed)));
  const groups = blueprint.objectives.map(({ id, text }) => ({
    objective: id,
    name: text,
    formulas: entries.filter(({ objective }) => objective === id),
    calculators: lessons.flatMap(({ objectives, text }) => (objectives[0] === id ? calculatorsIn(text) : [])),
  }));
  return { groups: groups.filter(({ formulas }) => formulas.length > 0) };
}
