/** Texts of the result of a practice exam. */
import table from "../../../data/result_texts.json";
import { followLanguage } from "../../../language.ts";

export const resultTexts = followLanguage("result_texts", table);
