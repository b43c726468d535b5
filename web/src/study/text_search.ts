/** Searching texts: every word of what is looked for stands somewhere in them, in British or American spelling. */

/** Pairs of spellings become one. What else they change, they change in both texts that are compared. */
const kSpellings: readonly (readonly [RegExp, string])[] = [
  [/z/g, "s"],
  [/our/g, "or"],
  [/([bt])re\b/g, "$1er"],
  [/ence\b/g, "ense"],
  [/ogue\b/g, "og"],
  [/ll/g, "l"],
];

/** A text in small letters and in one spelling: "Utilization" and "utilisation" are the same. */
export const spelledAlike = (text: string): string =>
  kSpellings.reduce((folded, [from, to]) => folded.replaceAll(from, to), text.toLowerCase());

/** A word without the s of its plural. */
export const singular = (word: string): string => word.replace(/(?<=..[^s])s$/, "");

const wordsOf = (text: string) => spelledAlike(text).split(/\s+/).filter(Boolean).map(singular);

/** Says of the texts of one thing whether they hold every word; an empty text finds everything. */
export function finder(text: string): (...texts: readonly string[]) => boolean {
  const words = wordsOf(text);
  return (...texts) => {
    const all = spelledAlike(texts.join(" "));
    return words.every((word) => all.includes(word));
  };
}
