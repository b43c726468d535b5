/** Texts of the explanation of a number, which come with it. */
import table from "../data/explanation_texts.json";
import { followLanguage } from "../language.ts";

export const explanationTexts = followLanguage("explanation_texts", table);
