/** Texts of the ledger. */
import table from "../../data/ledger_texts.json";
import { followLanguage } from "../../language.ts";

export const ledgerTexts = followLanguage("ledger_texts", table);
