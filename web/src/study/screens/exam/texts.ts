/** Texts of the practice exam, and of its result. */
import examTextsTable from "../../../data/exam_texts.json";
import resultTextsTable from "../../../data/result_texts.json";
import { followLanguage } from "../../../language.ts";

export const examTexts = followLanguage("exam_texts", examTextsTable);
export const resultTexts = followLanguage("result_texts", resultTextsTable);
