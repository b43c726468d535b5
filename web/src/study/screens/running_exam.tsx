/** Says that a practice exam is running, with the time left and the way back to it: its clock goes on while other screens are open. */
import { useEffect, useState } from "preact/hooks";
import { fill } from "../../messages.ts";
import { hasLimit, isOver, remainingSeconds } from "../exam_clock.ts";
import { isQuiz } from "../exam_marks.ts";
import type { StudyStore } from "../store.ts";
import { studyAddress } from "./addresses.ts";
import { leftText } from "./exam/left.ts";
import { studyTexts } from "./texts.ts";

const kTickMs = 5000;

export function RunningExam({ store }: { store: StudyStore }) {
  // Followed: another tab may begin an exam, and hand it in.
  store.data();
  const exam = store.openExam()?.exam;
  const [now, setNow] = useState(Date.now());
  const isOpen = exam !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => setNow(Date.now()), kTickMs);
    return () => clearInterval(timer);
  }, [isOpen]);
  if (exam === undefined) return null;
  const { clock } = exam;
  const texts = studyTexts.running;
  const left = leftText(remainingSeconds(clock, now));
  const state = !hasLimit(clock)
    ? texts.open
    : isOver(clock, now)
      ? texts.over
      : fill(clock.pausedAt === undefined ? texts.left : texts.paused, { left });
  return (
    <p class="notice running-exam">
      <b>{isQuiz(exam) ? studyTexts.screens.quiz : studyTexts.screens.exam}</b> {state}{" "}
      <a href={studyAddress("exam")}>{texts.goOn}</a>
    </p>
  );
}
