/** Texts of the frame of the study tool; each screen has its own beside it. */
import { followLanguage } from "../../language.ts";

export const studyTexts = {
  screensTitle: "Study screens",
  screens: {
    "": "Home",
    session: "Session",
    exam: "Practice exam",
    lessons: "Lessons",
    labs: "Labs",
    ledger: "Ledger",
    formulas: "Formulas",
    glossary: "Glossary",
    selector: "Selector",
    backup: "Backup",
  },
};

followLanguage("studyTexts", studyTexts);
