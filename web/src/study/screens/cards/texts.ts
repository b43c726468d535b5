/** Texts of recall cards, own cards and what is kept at a card. */
import table from "../../../data/card_texts.json";
import { followLanguage } from "../../../language.ts";

export const cardTexts = followLanguage("card_texts", table);
