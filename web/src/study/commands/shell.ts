/** A line as a shell reads it: words with quotes and backslashes, and pipes between commands. */

export type ShellLine =
  | { stages: string[][] }
  /** A quote that is not closed, a pipe with nothing on one side, or an operator that the labs' terminal does not have. */
  | { unread: "quote" | "pipe" | "operator"; what: string };

/** Standard error joins standard output: nothing in these terminals tells them apart. */
const kJoined = /(^|\s)2>&1(?=\s|\||$)/g;
const kOperators = [";", "&", "<", ">", "`"];

interface Reader {
  stages: string[][];
  /** The word that is being read; undefined between words. */
  word: string | undefined;
}

function endWord(reader: Reader): void {
  if (reader.word !== undefined) reader.stages.at(-1)?.push(reader.word);
  reader.word = undefined;
}

/** Where a quote that opens at a place ends, and what it holds; undefined where it is not closed. */
function quoted(text: string, at: number): { end: number; held: string } | undefined {
  const quote = text[at];
  let held = "";
  for (let i = at + 1; i < text.length; i += 1) {
    const next = text[i + 1] ?? "";
    if (text[i] === quote) return { end: i, held };
    if (quote === '"' && text[i] === "\\" && ['"', "\\", "$", "`"].includes(next)) i += 1;
    held += text[i];
  }
  return undefined;
}

export function readLine(line: string): ShellLine {
  const text = line.replace(kJoined, " ");
  const reader: Reader = { stages: [[]], word: undefined };
  for (let i = 0; i < text.length; i += 1) {
    const sign = text[i] ?? "";
    if (sign === "'" || sign === '"') {
      const part = quoted(text, i);
      if (part === undefined) return { unread: "quote", what: sign };
      reader.word = (reader.word ?? "") + part.held;
      i = part.end;
    } else if (sign === "\\" && i + 1 < text.length) {
      i += 1;
      reader.word = (reader.word ?? "") + text[i];
    } else if (/\s/.test(sign)) endWord(reader);
    else if (sign === "#" && reader.word === undefined) break;
    else if (sign === "|") {
      if (text[i + 1] === "|") return { unread: "operator", what: "||" };
      endWord(reader);
      reader.stages.push([]);
    } else if (kOperators.includes(sign) || (sign === "$" && text[i + 1] === "("))
      return { unread: "operator", what: sign };
    else reader.word = (reader.word ?? "") + sign;
  }
  endWord(reader);
  const { stages } = reader;
  if (stages.length > 1 && stages.some((words) => words.length === 0)) return { unread: "pipe", what: "|" };
  return { stages };
}

/** Words as they can be typed. */
export const typed = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./<>-]+$/.test(word) ? word : `'${word}'`)).join(" ");
