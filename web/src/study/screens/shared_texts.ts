/** Texts that several study screens show. */
import { followLanguage } from "../../language.ts";

export const studySharedTexts = {
  notKept:
    "The browser keeps nothing for this site ({reason}). Everything works, but it is gone when this page closes or reloads.",
  toBackup: "Carry it away as a file",
  loading: "Opening the study tool",
};

followLanguage("studySharedTexts", studySharedTexts);
