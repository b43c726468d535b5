/** Texts of the study tool's home. */
import table from "../../../data/study_home_texts.json";
import { followLanguage } from "../../../language.ts";

export const studyHomeTexts = followLanguage("study_home_texts", table);
