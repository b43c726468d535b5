/** The formulas that questions work with, by the objective in which each is needed first. */
import type { LessonCalculator } from "./lesson.ts";
import { finder } from "./text_search.ts";

export interface FormulaEntry {
  title: string;
  equation: string;
  /** Names of the equation with their base units; "1" where there is none. */
  inputs: { name: string; unit: string }[];
  unit: string;
  source: string;
  note?: string;
  /** A template whose worked solution states it, and in which step. */
  template: string;
  step: string;
  objective: string;
}

export interface FormulaGroup {
  objective: string;
  name: string;
  formulas: FormulaEntry[];
  /** Calculators of the lessons about this objective. */
  calculators: LessonCalculator[];
}

export interface FormulaSheet {
  groups: FormulaGroup[];
}

export const kSearch = ["text"] as const;

/** Groups with the formulas whose title, names or meaning hold every word; calculators stay with a group that has some. */
export function foundGroups(groups: readonly FormulaGroup[], text: string): FormulaGroup[] {
  const holds = finder(text);
  const has = (group: FormulaGroup, formula: FormulaEntry) => {
    const { title, equation, inputs, note = "" } = formula;
    return holds(group.name, title, note, equation, ...inputs.map(({ name }) => name.replaceAll("_", " ")));
  };
  return groups
    .map((group) => ({ ...group, formulas: group.formulas.filter((formula) => has(group, formula)) }))
    .filter(({ formulas }) => formulas.length > 0);
}
