/** An equation with the values in the places of its names, in units in which it comes out true as printed. */

import type { TraceEntry } from "../contract.ts";
import { readEquation } from "../equation.ts";
import { type Amount, written } from "../equation_units.ts";
import { type FigureText, type MemoryUnit, perUnit } from "../format.ts";
import { Equation } from "./equation.tsx";

/** The amount of one year, as answers list them year by year, is what is paid per year. */
export function shownInYear(shown: FigureText, conversion: TraceEntry | undefined): FigureText {
  return conversion?.unit === "USD/y" && shown.unit === "" ? { ...shown, unit: perUnit("year") } : shown;
}

interface EquationValuesProps {
  equation: string;
  result: Amount;
  /** The result as the page shows it. */
  shown: FigureText;
  inputs: readonly ({ name: string } & Amount)[];
  memory: MemoryUnit;
}

export function EquationValues({ equation, result, shown, inputs, memory }: EquationValuesProps) {
  const expression = readEquation(equation);
  if (expression === undefined) return <code>{equation}</code>;
  const { left, textOf } = written(expression, result, shown, inputs, memory);
  const valuesOf = (name: string) =>
    inputs
      .filter((input) => input.name === name)
      .map(textOf)
      // A sign of its own beside an operator.
      .map((text) => (text.startsWith("−") ? `(${text})` : text));
  return <Equation text={equation} naming={valuesOf} left={left} />;
}
