/** Texts of the study home. */
import { followLanguage } from "../../../language.ts";

export const studyHomeTexts = {
  domain: "Domain",
  ability: "Right at a question of medium difficulty",
  abilityInterval: "90 % interval",
  notAsked: "not asked yet",
};

followLanguage("studyHomeTexts", studyHomeTexts);
