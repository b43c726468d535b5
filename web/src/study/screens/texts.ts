/** Texts of the frame of the study tool, and those that several of its screens show; each screen has its own beside it. */
import table from "../../data/study_texts.json";
import { followLanguage } from "../../language.ts";

export const studyTexts = followLanguage("study_texts", table);
