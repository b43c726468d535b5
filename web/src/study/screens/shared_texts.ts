/** Texts that several study screens show. */
import { followLanguage } from "../../language.ts";

export const studySharedTexts = {
  notKept:
    "The browser saves nothing for this site ({reason}). Everything works, but it is lost when this page closes or reloads.",
  toBackup: "Save it as a file",
  loading: "Opening the study tool",
};

followLanguage("studySharedTexts", studySharedTexts);
