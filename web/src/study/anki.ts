/**
 * Cards as a text file that Anki imports: tab-separated, with the header lines that its manual names (docs.ankiweb.net/importing/text-files.html,
 * "File Headers", Anki 2.1.54 and later). Identifiers are ours, so that a second import updates notes instead of adding them.
 */

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

/** Quoted where the separator, a quote or Anki's comment sign could be misread. */
function field(text: string): string {
  return /["\t]|^#/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Tags are separated by spaces, so they have none. */
const tag = (text: string) => text.trim().replaceAll(/\s+/g, "_");

/** `noteType` has the fields Front and Back in this order; Anki's own "Basic" does. */
export function ankiText(notes: readonly AnkiNote[], deck: string, noteType = "Basic"): string {
  const header = [
    "#separator:tab",
    "#html:true",
    "#guid column:1",
    `#notetype:${noteType}`,
    `#deck:${deck}`,
    "#tags column:4",
  ];
  const lines = notes.map(({ id, front, back, tags }) =>
    [id, html(front), html(back), tags.map(tag).join(" ")].map(field).join("\t"),
  );
  return `${[...header, ...lines].join("\n")}\n`;
}
