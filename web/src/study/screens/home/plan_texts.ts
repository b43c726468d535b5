/** Texts of the first visit, the plan and what has been reached, and of the line below every screen. */
import table from "../../../data/study_plan_texts.json";
import { followLanguage } from "../../../language.ts";

export const planTexts = followLanguage("study_plan_texts", table);
