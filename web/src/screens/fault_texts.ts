/** Texts of complaints about a request. */
import table from "../data/fault_texts.json";
import { followLanguage } from "../language.ts";

export const faultTexts = followLanguage("fault_texts", table);
