/** Texts of the chart of what a faster answer costs, which come with it. */
import table from "../data/pareto_texts.json";
import { followLanguage } from "../language.ts";

export const paretoTexts = followLanguage("pareto_texts", table);
