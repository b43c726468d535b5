/** Texts of the coverage table. */
import { followLanguage } from "../../language.ts";

export const coverageTexts = {
  title: "What is covered where",
  note: "Everything that five study documents tell, row by row, with the place where it is taught, computed or corrected.",
  search: "Search",
  searchExample: "e.g. RoCE",
  found: "{found} of {count} rows, {covered} of them covered",
  nothing: "No row has all of this.",
  item: "What the documents tell",
  places: "Where it is",
  groupRows: "{name} ({count})",
  kinds: {
    lesson: "lesson",
    claim: "ledger",
    calculator: "calculator",
    catalog: "catalog",
    template: "template",
    written: "question",
    lab: "lab",
    glossary: "glossary",
    rule: "rule",
    probe: "probe",
    command: "command",
    source: "source",
  },
};

followLanguage("coverageTexts", coverageTexts);
