/** Texts of calculators and sliders of the study tool. */
import table from "../../data/calculator_texts.json";
import { followLanguage } from "../../language.ts";

export const calculatorTexts = followLanguage("calculator_texts", table);
