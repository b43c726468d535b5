/** Texts of the formula sheet. */
import table from "../../data/formula_texts.json";
import { followLanguage } from "../../language.ts";

export const formulaTexts = followLanguage("formula_texts", table);
