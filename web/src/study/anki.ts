/**
 * Cards as a text file that Anki imports: tab-separated, with the header lines that its manual names (docs.ankiweb.net/importing/text-files.html,
 * "File Headers", Anki 2.1.54 and later). The deck is a column, because a deck that does not exist yet is made only then. Notes carry identifiers
 * of ours, so that a second import updates them instead of adding them.
 */
import { answerText, letterOf, rightAnswer } from "./answering.ts";
import { cardOf, type Question } from "./question.ts";
import { kNoObjective, type RecallText } from "./recall.ts";

export interface AnkiNote {
  /** Of the card; the same in every export. */
  id: string;
  front: string;
  back: string;
  tags: readonly string[];
}

/** Fields are HTML: what is text stays text, and lines stay lines. */
function html(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.replaceAll(/\r?\n|\r/g, "<br>");
}

/** Quoted where a separator, a quote or the sign of comments could be misread. */
function field(text: string): string {
  return /["\t]|^#/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Tags are separated by spaces, so they have none. */
const tag = (text: string) => text.trim().replaceAll(/\s+/g, "_");

/** `noteType` has the fields Front and Back in this order, as Anki's own "Basic" does. */
export function ankiText(notes: readonly AnkiNote[], deck: string, noteType = "Basic"): string {
  const header = [
    "#separator:tab",
    "#html:true",
    `#notetype:${noteType}`,
    "#guid column:1",
    "#deck column:2",
    "#tags column:5",
  ];
  const lines = notes.map(({ id, front, back, tags }) =>
    [`podwright/${id}`, deck, html(front), html(back), tags.map(tag).join(" ")].map(field).join("\t"),
  );
  return `${[...header, ...lines].join("\n")}\n`;
}

/** Questions as notes of two sides: what is asked with its options, and what is right with the reasons. */
export const noteOf = (question: Question, exam: string): AnkiNote => ({
  id: cardOf(question),
  front: front(question),
  back: back(question),
  tags: [exam, `objective-${question.objective}`],
});

/** A recall card: its sides as they are. */
export const recallNote = ({ card, front, back, expands, objective, asks }: RecallText, exam: string): AnkiNote => ({
  id: card,
  front,
  back: expands === undefined ? back : `${expands}\n${back}`,
  tags: [exam, asks === "own" ? "own" : "terms", ...(objective === kNoObjective ? [] : [`objective-${objective}`])],
});

/** With what the learner noted below its back. */
export const withOwnNote = (note: AnkiNote, own: string | undefined): AnkiNote =>
  own === undefined ? note : { ...note, back: `${note.back}\n\n${own}` };

function front({ kind, prompt, drawing, options, lefts, answer }: Question): string {
  const listed = options.map(({ text }, place) => `${letterOf(place)}) ${text}`);
  const lines = kind === "match" ? [...(lefts ?? []), "", ...listed] : listed;
  const unit = kind === "numeric" && answer.unit !== undefined && answer.unit !== "1" ? [`(in ${answer.unit})`] : [];
  return [prompt, ...(drawing === undefined ? [] : ["", drawing]), "", ...lines, ...unit].join("\n").trimEnd();
}

function back(question: Question): string {
  const { options, kind, solution, source } = question;
  const whys =
    kind === "numeric"
      ? []
      : options.flatMap(({ text, why }) => (why === undefined || why === "" ? [] : [`${text}: ${why}`]));
  return [
    answerText(question, rightAnswer(question)),
    "",
    ...solution.map(({ text }) => text),
    "",
    ...whys,
    ...(source === undefined || source === "" ? [] : ["", `Sources: ${source}`]),
  ].join("\n");
}
