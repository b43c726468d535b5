/** An exam while it is taken: one question, the map of all, the clock, and the check before it is handed in. */
import { useEffect, useRef, useState } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { letterOf } from "../../answering.ts";
import { hasLimit } from "../../exam_clock.ts";
import { type ExamRun, placeStates } from "../../exam_run.ts";
import { readAnswer } from "../../question.ts";
import { QuestionView } from "../question_view.tsx";
import { singleKeys } from "../single_keys.ts";
import { ExamKeys } from "./key_list.tsx";
import { examKey, focusAt } from "./keys.ts";
import { announcementText, clockText } from "./left.ts";
import { QuestionMap } from "./map.tsx";
import { SubmitCheck } from "./submit_check.tsx";
import { examTexts } from "./texts.ts";

interface RunningProps {
  run: ExamRun;
  /** It was handed in, by hand or because its time was over. */
  onEnd: () => void;
}

const kTickMs = 1000;
/** How often the time at a question is written, for a page that is lost without a word. */
const kKeepMs = 15_000;

export function Running({ run, onEnd }: RunningProps) {
  const [said, say] = useSaid();
  const [checking, setChecking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { clock } = run.exam.value;
  const isPaused = clock.pausedAt !== undefined;
  const states = placeStates(run.questions, run.answers.value);
  const place = run.place.value;

  const end = () => void run.handIn().then(onEnd);
  const tellTime = () =>
    say(hasLimit(clock) ? announcementText(run.ask(), clock.pausedAt !== undefined) : examTexts.noLimit);
  const go = (to: number) => {
    setChecking(false);
    run.go(to);
  };
  const flag = () => {
    const flagged = run.flag();
    say(fill(flagged ? examTexts.flaggedNow : examTexts.unflaggedNow, { place: states[place]?.name ?? "" }));
  };
  const strike = (option: number) => {
    const struck = run.strike(option);
    if (struck !== undefined)
      say(fill(struck ? examTexts.struckNow : examTexts.unstruckNow, { letter: letterOf(option) }));
  };

  // The heading says where one is; the question follows it.
  useEffect(() => heading.current?.focus(), [place, isPaused, checking]);
  // The button that began it stood at the end of a long page.
  useEffect(() => scrollTo(0, 0), [run]);
  useClock(run, say, end);
  useKeys((key) => {
    if (key === "time") tellTime();
    else if (isPaused || checking) return;
    else if (key === "flag") flag();
    else if (key === "next") go(run.nextPlace(1));
    else if (key === "previous") go(run.nextPlace(-1));
    else strike(key.strike);
  });

  return (
    <>
      <div class="row exam-head">
        {hasLimit(clock) ? <TimeLeft run={run} /> : <p class="exam-time">{examTexts.noLimit}</p>}
        <span class="row exam-actions">
          {hasLimit(clock) ? (
            <button type="button" onClick={tellTime}>
              {examTexts.sayTime}
            </button>
          ) : null}
          {clock.strict ? null : (
            <button type="button" onClick={() => (isPaused ? run.resume() : run.pause())}>
              {isPaused ? examTexts.resume : examTexts.pause}
            </button>
          )}
          <button type="button" disabled={checking} onClick={() => setChecking(true)}>
            {examTexts.toCheck}
          </button>
        </span>
      </div>
      {checking ? (
        <SubmitCheck states={states} onPlace={go} onBack={() => go(place)} onHandIn={end} />
      ) : isPaused ? (
        <div class="exam-paused" role="status">
          <h2>{examTexts.paused}</h2>
          <p>{examTexts.pausedNote}</p>
        </div>
      ) : (
        <div class="stack exam-columns">
          <div class="exam-question">
            <div class="row exam-question-head">
              <h2 ref={heading} tabIndex={-1}>
                {fill(examTexts.questionOf, { place: states[place]?.name ?? "", count: states.length })}
              </h2>
              {states[place]?.flagged ? <span class="badge">⚑ {examTexts.flagged}</span> : null}
            </div>
            <QuestionHere run={run} onStrike={strike} />
            <p class="row exam-actions">
              <button type="button" disabled={run.nextPlace(-1) === place} onClick={() => go(run.nextPlace(-1))}>
                ← {examTexts.previous}
              </button>
              <button type="button" aria-pressed={states[place]?.flagged} onClick={flag}>
                ⚑ {states[place]?.flagged ? examTexts.unflag : examTexts.flag}
              </button>
              <button type="button" disabled={run.nextPlace(1) === place} onClick={() => go(run.nextPlace(1))}>
                {examTexts.next} →
              </button>
            </p>
            <ExamKeys />
          </div>
          <QuestionMap states={states} current={place} onPlace={go} />
        </div>
      )}
      <p class="hidden" role="status">
        {said}
      </p>
    </>
  );
}

function QuestionHere({ run, onStrike }: { run: ExamRun; onStrike: (option: number) => void }) {
  const place = run.place.value;
  const question = run.questions[place];
  const { answer, struck } = run.at(place);
  if (question === undefined) return <p class="notice">{examTexts.unreadable}</p>;
  return (
    <QuestionView
      question={question}
      answer={readAnswer(answer)}
      onAnswer={(next) => run.answer(next)}
      struck={struck}
      onStrike={onStrike}
      shown={false}
    />
  );
}

/** What is read out next. The same words twice are said twice. */
function useSaid(): [string, (text: string) => void] {
  const [said, setSaid] = useState("");
  return [said, (text) => setSaid((before) => (before === text ? `${text}\u00a0` : text))];
}

/** The time as it stands, without a live region: it is announced at its marks and when asked for. */
function TimeLeft({ run }: { run: ExamRun }) {
  const now = () => fill(examTexts.clockLeft, { time: clockText(run.ask().remainingSeconds) });
  const [text, setText] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setText(now()), kTickMs);
    return () => clearInterval(timer);
  }, [run]);
  return <p class="exam-time">{text}</p>;
}

/** Announces the marks of the clock, ends the exam with its time, and writes the time spent. */
function useClock(run: ExamRun, say: (text: string) => void, end: () => void): void {
  const now = useRef({ say, end });
  now.current = { say, end };
  useEffect(() => {
    let isEnded = false;
    const tick = () => {
      const announcement = run.look();
      if (announcement !== undefined) now.current.say(announcementText(announcement, false));
      if (!run.isOver() || isEnded) return;
      isEnded = true;
      now.current.end();
    };
    const keep = () => run.keepTime();
    const onHide = () => {
      if (document.visibilityState === "hidden") keep();
    };
    tick();
    const timer = setInterval(tick, kTickMs);
    const keeper = setInterval(() => run.count(), kKeepMs);
    document.addEventListener("visibilitychange", onHide);
    addEventListener("pagehide", keep);
    return () => {
      clearInterval(timer);
      clearInterval(keeper);
      document.removeEventListener("visibilitychange", onHide);
      removeEventListener("pagehide", keep);
      keep();
    };
  }, [run]);
}

type OnKey = (key: NonNullable<ReturnType<typeof examKey>>) => void;

/** Keys come here before the question sees them, so that Shift and a letter strikes and does not choose. */
function useKeys(onKey: OnKey): void {
  const now = useRef(onKey);
  now.current = onKey;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // What is opened over the page has keys of its own.
      if (event.target instanceof Element && event.target.closest("dialog, [role=dialog]") !== null) return;
      const isOff = event.key.length === 1 && !singleKeys.peek();
      const key = isOff ? undefined : examKey(event, focusAt(event.target));
      if (key === undefined) return;
      event.stopPropagation();
      if (event.repeat) return;
      event.preventDefault();
      now.current(key);
    };
    document.addEventListener("keydown", listen, true);
    return () => document.removeEventListener("keydown", listen, true);
  }, []);
}
