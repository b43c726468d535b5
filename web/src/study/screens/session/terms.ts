/** The terms of the glossary as a session needs them, loaded once something asks for them, and the cards made of them and of the learner's own. */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { GlossaryPack, GlossaryTerm } from "../../glossary.ts";
import { isTermCard, recallCards } from "../../recall.ts";
import { type RecallDeck, recallDeck } from "../../recall_queue.ts";
import { loadGlossary } from "../in_language.ts";
import type { StudyTools } from "../study_data.ts";

const glossary = signal<GlossaryPack | undefined>(undefined);

export async function loadTerms(): Promise<void> {
  if (glossary.peek() === undefined) glossary.value = await loadGlossary();
}

/** Those that are there by now. */
export const termsNow = (): readonly GlossaryTerm[] => glossary.peek()?.terms ?? [];

export const lessonTitle = (lesson: string) => glossary.peek()?.lessons[lesson] ?? lesson;

export function deckNow({ store }: StudyTools, now: number): RecallDeck {
  const data = store.data();
  return recallDeck(recallCards(termsNow(), data.own), data, now);
}

/** Whether a daily session may meet a term: one was learned before. */
export const meetsTerms = ({ store }: StudyTools) => store.data().reviews.some(({ card }) => isTermCard(card));

/** Loads the terms where they are wanted; a view that reads `isThere` follows. */
export function useTerms(isWanted: boolean): { isThere: boolean; failed: boolean; again: () => void } {
  const [failed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    loadTerms().catch(() => setFailed(true));
  };
  useEffect(() => {
    if (isWanted) load();
  }, [isWanted]);
  return { isThere: glossary.value !== undefined, failed, again: load };
}
