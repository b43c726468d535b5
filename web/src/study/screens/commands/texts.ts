/** Texts of the command labs. */
import table from "../../../data/command_texts.json";
import { followLanguage } from "../../../language.ts";

export const commandTexts = followLanguage("command_texts", table);
