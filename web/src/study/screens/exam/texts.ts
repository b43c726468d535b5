/** Texts of the practice exam until it is handed in. */
import table from "../../../data/exam_texts.json";
import { followLanguage } from "../../../language.ts";

export const examTexts = followLanguage("exam_texts", table);
