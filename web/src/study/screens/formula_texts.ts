/** Texts of the formula sheet. */
import { followLanguage } from "../../language.ts";

export const formulaTexts = {
  note: "Every formula used by the generated questions: {count} in all. Names denote values in base units. Numbers come from the engine.",
  print: "Print the sheet (two pages)",
  search: "Search",
  searchExample: "e.g. bubble",
  found: "{found} of {count} formulas",
  nothing: "No formula contains all of these words.",
  live: "Try it live: {count} {word}",
  calculator: "calculator",
  calculators: "calculators",
  with: "Inputs: {inputs}",
  source: "Source: {source}",
  more: "Meaning, example: {title}",
  meaning: "Meaning, example",
  example: "Show an example",
  another: "Another example",
  exampleFailed: "The engine gave no answer.",
  formula: "Formula, scrolls sideways",
};

followLanguage("formulaTexts", formulaTexts);
