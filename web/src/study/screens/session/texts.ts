/** Texts of a session. */
import table from "../../../data/session_texts.json";
import { followLanguage } from "../../../language.ts";

export const sessionTexts = followLanguage("session_texts", table);
