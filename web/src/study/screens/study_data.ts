/** What every screen of the study tool works with: the one store of this page and the questions, opened once. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { withExam } from "../exam_dates.ts";
import { learning, replaying } from "../learner.ts";
import { loadQuestions, type QuestionPack } from "../pack.ts";
import { isRecallCard } from "../recall.ts";
import { inSlices, type Work } from "../slices.ts";
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
  const store = await studyStore();
  return { store, pack: await loadQuestions(store.data().settings.exam) };
}

/** Exams of the kind that is chosen, taken or open. */
export const examsOf = ({ store, pack }: StudyTools) =>
  store.data().exams.filter(({ exam }) => exam === pack.blueprint.exam.id);

/** Every screen goes over to another exam, each of which keeps its date. */
export async function chooseExam({ store, pack }: StudyTools, exam: string): Promise<void> {
  await store.saveSettings(withExam(store.data().settings, pack.blueprint.exam.id, exam));
  open();
}

/** Replays the log of all cards, those to recall too. */
function* remembering({ pack, store }: StudyTools, now: number): Work<void> {
  const data = store.data();
  yield* learning(pack, data, now);
  const recalled = data.reviews.map(({ card }) => card).filter(isRecallCard);
  yield* replaying([...new Set(recalled)], data, now);
}

function open(): void {
  failed.value = false;
  openStudy().then(
    (both) => {
      // A long log is replayed before anything is drawn of it: what is drawn finds each card's memory known, and no task is long.
      inSlices(remembering(both, Date.now()), () => {
        tools.value = both;
      });
    },
    () => {
      failed.value = true;
    },
  );
}

/** The exam that is chosen, once that is known. */
export const examNow = () => tools.value?.pack.blueprint.exam.id;

/** Undefined until both are there. A view that reads `study.store.data()` follows the store. */
export function useStudy(): { study: StudyTools | undefined; failed: boolean; again: () => void } {
  useEffect(() => {
    if (tools.peek() === undefined) open();
  }, []);
  return { study: tools.value, failed: failed.value, again: open };
}
