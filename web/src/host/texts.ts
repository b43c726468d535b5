/** Texts of the host screen. */
import table from "../data/host_texts.json";
import { followLanguage } from "../language.ts";

export const hostTexts = followLanguage("host_texts", table);
