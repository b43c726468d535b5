/** Texts of the selector. */
import table from "../../data/selector_texts.json";
import { followLanguage } from "../../language.ts";

export const selectorTexts = followLanguage("selector_texts", table);
