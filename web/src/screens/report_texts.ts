/** Texts of the report, which come with it. */
import table from "../data/report_texts.json";
import { followLanguage } from "../language.ts";

export const reportTexts = followLanguage("report_texts", table);
