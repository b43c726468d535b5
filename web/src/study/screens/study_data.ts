/** What every screen of the study tool works with: the one store of this page and the questions, opened once. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { loadQuestions, type QuestionPack } from "../pack.ts";
import { openStore, type StudyStore } from "../store.ts";

export interface StudyTools {
  store: StudyStore;
  pack: QuestionPack;
}

/** The one store: two would not see each other's changes. */
let opened: Promise<StudyStore> | undefined;
export function studyStore(): Promise<StudyStore> {
  opened ??= openStore();
  return opened;
}

const tools = signal<StudyTools | undefined>(undefined);
const failed = signal(false);

export async function openStudy(): Promise<StudyTools> {
  const [store, pack] = await Promise.all([studyStore(), loadQuestions()]);
  return { store, pack };
}

function open(): void {
  failed.value = false;
  openStudy().then(
    (both) => {
      tools.value = both;
    },
    () => {
      failed.value = true;
    },
  );
}

/** Undefined until both are there; views that call this are drawn anew after each change of the store. */
export function useStudy(): { study: StudyTools | undefined; failed: boolean; again: () => void } {
  useEffect(() => {
    if (tools.peek() === undefined) open();
  }, []);
  // Reading the count is what makes a view follow the store.
  void tools.value?.store.changes.value;
  return { study: tools.value, failed: failed.value, again: open };
}
