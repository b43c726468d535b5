/** Claims of study material with what some notes say and what holds; which of them a filter finds. */
import type { SourceEntry } from "./pack.ts";
import { finder } from "./text_search.ts";

export const kClaimFields = [
  "id",
  "objective",
  "topic",
  "statement",
  "notes_say",
  "answer",
  "verdict",
  "engine",
  "source",
  "explanation",
] as const;

/** From what holds to what does not. */
export const kVerdicts = [
  "correct",
  "approximate",
  "outdated",
  "misleading",
  "contradicts",
  "wrong",
  "unverified",
] as const;
export type Verdict = (typeof kVerdicts)[number];

export interface Claim extends Record<(typeof kClaimFields)[number], string> {
  verdict: Verdict;
}

/** A place where study material and physics differ. What notes say is not NVIDIA's word, so nothing is graded on it. */
export interface ExamCard {
  id: string;
  topic: string;
  objective: string;
  notes_say: string;
  truth: string;
  why: string;
  /** Ids of the claims behind it. */
  claims: string[];
  /** Ids of what the truth rests on. */
  sources: string[];
}

export interface LedgerPack {
  claims: Claim[];
  cards: ExamCard[];
  /** Those that claims and cards name. */
  sources: Record<string, SourceEntry>;
}

/** An empty text filters nothing. */
export interface LedgerFilter {
  text: string;
  verdict: string;
  objective: string;
  topic: string;
}
export const kFilterNames = ["text", "verdict", "objective", "topic"] as const;

/** Claims that hold every word of the text somewhere and are what the other filters name. */
export function foundClaims(claims: readonly Claim[], { text, ...exact }: LedgerFilter): Claim[] {
  const holds = finder(text);
  const isNamed = (claim: Claim) =>
    Object.entries(exact).every(([name, value]) => value === "" || claim[name as "verdict"] === value);
  return claims.filter((claim) => isNamed(claim) && holds(...kClaimFields.map((name) => claim[name])));
}

/** Every value of a field with the number of its claims, objectives by their numbers and topics by the alphabet. */
export function valuesOf(claims: readonly Claim[], field: "objective" | "topic"): [string, number][] {
  const counts = new Map<string, number>();
  for (const claim of claims) counts.set(claim[field], (counts.get(claim[field]) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
}

/** Verdicts that occur, in their order, with the number of their claims. */
export function verdictsOf(claims: readonly Claim[]): [Verdict, number][] {
  return kVerdicts.flatMap((verdict): [Verdict, number][] => {
    const { length } = claims.filter((claim) => claim.verdict === verdict);
    return length === 0 ? [] : [[verdict, length]];
  });
}
