/** Texts of the backup. */
import table from "../../../data/backup_texts.json";
import { followLanguage } from "../../../language.ts";

export const backupTexts = followLanguage("backup_texts", table);
