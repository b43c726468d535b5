/** Texts of the labs. */
import table from "../../../data/lab_texts.json";
import { followLanguage } from "../../../language.ts";

export const labTexts = followLanguage("lab_texts", table);
