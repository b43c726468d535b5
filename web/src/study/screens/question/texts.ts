/** Texts of any question. */
import table from "../../../data/question_texts.json";
import { followLanguage } from "../../../language.ts";

export const questionTexts = followLanguage("question_texts", table);
