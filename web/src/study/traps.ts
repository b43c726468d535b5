/** Which named mistakes of the engine the learner makes: the wrong numbers among the options each come from one. */
import { inOrder, type Review } from "./log.ts";
import type { Question } from "./question.ts";

export interface Trap {
  /** As the engine names it: "bits-for-bytes". */
  name: string;
  times: number;
  last: number;
  /** The latest question at which it was made: template/seed. */
  question: string;
  /** Cards at which it was made and that were not answered rightly since. */
  open: readonly string[];
}

/** Those still open first, then by how often they were made. */
export function traps(reviews: readonly Review[]): Trap[] {
  const found = new Map<string, { times: number; last: number; question: string; open: Set<string> }>();
  for (const { card, question, time, right, traps: own = [] } of inOrder(reviews)) {
    if (right) for (const { open } of found.values()) open.delete(card);
    for (const name of own) {
      const before = found.get(name);
      const open = before?.open ?? new Set<string>();
      found.set(name, { times: (before?.times ?? 0) + 1, last: time, question, open: open.add(card) });
    }
  }
  return [...found]
    .map(([name, { open, ...rest }]) => ({ name, ...rest, open: [...open] }))
    .sort((a, b) => Math.sign(b.open.length) - Math.sign(a.open.length) || b.times - a.times || b.last - a.last);
}

/** Cards at which a mistake, or any, is still open. */
export function cardsOfTraps(all: readonly Trap[], name?: string): Set<string> {
  return new Set(all.filter((one) => name === undefined || one.name === name).flatMap(({ open }) => open));
}

/** "Bits for bytes" of "bits-for-bytes". */
export const trapTitle = (name: string) => {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The card and the seed of what was shown: "t.kv-cache/7". */
export function cardOfQuestion(question: string): { card: string; seed: number } {
  const at = question.lastIndexOf("/");
  const seed = Number(question.slice(at + 1));
  return at === -1 || !Number.isSafeInteger(seed) ? { card: question, seed: 1 } : { card: question.slice(0, at), seed };
}

/** What a mistake is, as the option says that comes from it. */
export const trapReason = (question: Question | undefined, name: string) =>
  question?.options.find(({ mistake }) => mistake === name)?.why;
