/** Texts of the quiz of one's own choice. */
import table from "../../../data/quiz_texts.json";
import { followLanguage } from "../../../language.ts";

export const quizTexts = followLanguage("quiz_texts", table);
