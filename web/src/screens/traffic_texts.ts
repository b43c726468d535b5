/** Texts about traffic: the form's part and the picture of the day. */
import table from "../data/traffic_texts.json";
import { followLanguage } from "../language.ts";

export const trafficTexts = followLanguage("traffic_texts", table);
