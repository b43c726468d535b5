/** Texts of the lessons. */
import table from "../../data/lesson_texts.json";
import { followLanguage } from "../../language.ts";

export const lessonTexts = followLanguage("lesson_texts", table);
