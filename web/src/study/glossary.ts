/** Terms of the field, and which of them a text finds. */
import type { SourceEntry } from "./pack.ts";
import { finder } from "./text_search.ts";

export interface GlossaryTerm {
  term: string;
  /** What an abbreviation stands for. */
  expands?: string;
  meaning: string;
  /** Other terms of the glossary. */
  see?: string[];
  /** Id of the lesson that teaches it. */
  lesson?: string;
  objective?: string;
  sources: string[];
}

export interface GlossaryPack {
  /** By the alphabet. */
  terms: GlossaryTerm[];
  /** Titles of the lessons that terms name. */
  lessons: Record<string, string>;
  sources: Record<string, SourceEntry>;
}

/** Terms first whose name begins with the text, then those that hold every word of it somewhere. */
export function foundTerms(terms: readonly GlossaryTerm[], text: string): GlossaryTerm[] {
  const wanted = text.trim().toLowerCase();
  const holds = finder(text);
  const found = terms.filter(({ term, expands = "", meaning }) => holds(term, expands, meaning));
  const begins = ({ term }: GlossaryTerm) => wanted !== "" && term.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((one) => !begins(one))];
}

/** The letter under which a term stands; "#" for what begins with none. */
export function letterOfTerm({ term }: GlossaryTerm): string {
  const first = term.charAt(0).toUpperCase();
  return /[A-Z]/.test(first) ? first : "#";
}
