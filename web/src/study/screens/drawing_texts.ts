/** Texts around the drawings of lessons and questions. */
import table from "../../data/drawing_texts.json";
import { followLanguage } from "../../language.ts";

export const drawingTexts = followLanguage("drawing_texts", table);
