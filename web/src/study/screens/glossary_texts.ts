/** Texts of the glossary. */
import { followLanguage } from "../../language.ts";

export const glossaryTexts = {
  search: "Search",
  searchExample: "e.g. RDMA",
  found: "{found} of {count} terms",
  nothing: "No term contains all of these words.",
  see: "See also:",
  lesson: "Lesson:",
  sources: "Sources of {term}",
  letters: "Letters",
};

followLanguage("glossaryTexts", glossaryTexts);
