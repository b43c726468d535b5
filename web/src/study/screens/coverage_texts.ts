/** Texts of the coverage table. */
import { followLanguage } from "../../language.ts";

export const coverageTexts = {
  title: "What is covered and where",
  note: "Everything that five study documents say, row by row, with the place where it is taught, computed or corrected.",
  search: "Search",
  searchExample: "e.g. RoCE",
  found: "{found} of {count} rows, {covered} of them covered",
  nothing: "No row contains all of these words.",
  item: "What the documents say",
  places: "Where to find it",
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
