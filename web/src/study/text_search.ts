/** Searching texts: every word of what is looked for stands somewhere in them. */

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Says of the texts of one thing whether they hold every word; an empty text finds everything. */
export function finder(text: string): (...texts: readonly string[]) => boolean {
  const words = wordsOf(text);
  return (...texts) => {
    const all = texts.join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  };
}
