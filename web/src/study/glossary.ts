/** Terms of the field, and which of them a text finds. */
import type { SourceEntry } from "./pack.ts";
import { finder, singular, spelledAlike } from "./text_search.ts";

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

/** How near a term is to what is looked for: its name, the beginning of it, a part of it, or its meaning alone. */
function distance({ term, expands = "" }: GlossaryTerm, wanted: string): number {
  const name = spelledAlike(term);
  if (name === wanted || singular(name) === singular(wanted)) return 0;
  if (name.startsWith(wanted)) return 1;
  return `${name} ${spelledAlike(expands)}`.includes(singular(wanted)) ? 2 : 3;
}

/** Terms that hold every word of the text somewhere, the nearest by name first. */
export function foundTerms(terms: readonly GlossaryTerm[], text: string): GlossaryTerm[] {
  const wanted = spelledAlike(text.trim());
  const holds = finder(text);
  const found = terms.filter(({ term, expands = "", meaning }) => holds(term, expands, meaning));
  if (wanted === "") return found;
  return [0, 1, 2, 3].flatMap((far) => found.filter((one) => distance(one, wanted) === far));
}

/** The letter under which a term stands; "#" for what begins with none. */
export function letterOfTerm({ term }: GlossaryTerm): string {
  const first = term.charAt(0).toUpperCase();
  return /[A-Z]/.test(first) ? first : "#";
}
