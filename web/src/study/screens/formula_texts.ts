/** Texts of the formula sheet. */
import { followLanguage } from "../../language.ts";

export const formulaTexts = {
  note: "Every formula that the generated questions work with: {count} in all. Names stand for values in base units. Numbers come from the engine.",
  print: "Print the sheet (two pages)",
  search: "Search",
  searchExample: "e.g. bubble",
  found: "{found} of {count} formulas",
  nothing: "No formula has all of this.",
  live: "Try it live: {count} {word}",
  calculator: "calculator",
  calculators: "calculators",
  with: "With {inputs}",
  source: "Source: {source}",
  more: "Meaning, example: {title}",
  meaning: "Meaning, example",
  example: "Work an example",
  another: "Another example",
  exampleFailed: "The engine did not answer.",
  formula: "Formula, scrolls sideways",
};

followLanguage("formulaTexts", formulaTexts);
