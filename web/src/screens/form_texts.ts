/** Texts of the question side: what a plan is asked at first sight, how numbers are typed, how inputs are found. */
import table from "../data/form_texts.json";
import { followLanguage } from "../language.ts";

export const formTexts = followLanguage("form_texts", table);
