/** Which exam, when, and how long a day; what that means for every day until then is shown before it is kept. */
import { useEffect, useRef, useState } from "preact/hooks";
import { fieldText } from "../../../format.ts";
import { fill } from "../../../messages.ts";
import { Disclosure } from "../../../views/fold.tsx";
import { kUsualMinutes, type Learner, minutesOf } from "../../learner.ts";
import { kUsualRetention } from "../../scheduler.ts";
import { dateText, timeOfDate } from "../../spans.ts";
import { percentText } from "../session/confidence.tsx";
import type { StudyTools } from "../study_data.ts";
import { ExamChoice } from "./exam_choice.tsx";
import { DueLoad, PlanLoad } from "./load.tsx";
import type { Progress } from "./progress.ts";
import { studyHomeTexts } from "./texts.ts";

const kMinutes = { least: 5, most: 240 };

interface PlanProps {
  tools: StudyTools;
  learner: Learner;
  now: number;
  progress: Progress;
}

export function ExamPlan({ tools, learner, now, progress }: PlanProps) {
  const { store, pack } = tools;
  const { settings } = store.data();
  const [date, setDate] = useState(settings.examAt === undefined ? "" : dateText(settings.examAt));
  const [typed, setTyped] = useState(fieldText(minutesOf(settings)));
  const [said, setSaid] = useState("");
  const dateField = useRef<HTMLInputElement>(null);
  // Another tab may have taken another plan.
  useEffect(() => {
    setDate(settings.examAt === undefined ? "" : dateText(settings.examAt));
    setTyped(fieldText(minutesOf(settings)));
  }, [settings.examAt, settings.minutesPerDay]);
  const { exam } = pack.blueprint;
  const examAt = timeOfDate(date);
  const isPast = examAt !== undefined && examAt <= now;
  const minutes = Number(typed);
  const isWrong = !/^\d+$/.test(typed) || minutes < kMinutes.least || minutes > kMinutes.most;
  const isSame = examAt === settings.examAt && minutes === settings.minutesPerDay;
  const accept = () => {
    if (isSame) return;
    const { examAt: _, planFrom: __, ...others } = settings;
    const dated = examAt === undefined ? {} : { examAt };
    // Mock exams keep their days while the date stands.
    const from = examAt === settings.examAt ? settings.planFrom : undefined;
    const begun = examAt === undefined ? {} : { planFrom: from ?? Date.now() };
    void store.saveSettings({ ...others, ...dated, ...begun, exam: exam.id, minutesPerDay: minutes });
    setSaid(studyHomeTexts.accepted);
  };
  const clearDate = () => {
    setDate("");
    // The button goes with the date.
    dateField.current?.focus();
  };
  const change = (set: (text: string) => void) => (event: { currentTarget: HTMLInputElement }) => {
    set(event.currentTarget.value);
    setSaid("");
  };
  return (
    <section class="card study-part" aria-labelledby="plan-title">
      <h2 id="plan-title">{studyHomeTexts.planTitle}</h2>
      <ExamChoice tools={tools} />
      <p class="note">{fill(studyHomeTexts.examNote, { questions: exam.questions, minutes: exam.minutes })}</p>
      <form
        class="plan-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPast && !isWrong) accept();
        }}
      >
        <div>
          <label class="label" for="exam-date">
            {studyHomeTexts.date}
          </label>
          <span class="field-line">
            <input
              id="exam-date"
              ref={dateField}
              type="date"
              min={dateText(now)}
              value={date}
              aria-invalid={isPast}
              aria-describedby="exam-date-note"
              onInput={change(setDate)}
            />
            {date === "" ? null : (
              <button type="button" onClick={clearDate}>
                {studyHomeTexts.clearDate}
              </button>
            )}
          </span>
          <p id="exam-date-note" class={isPast ? "fault" : "note"}>
            {isPast
              ? studyHomeTexts.datePast
              : fill(studyHomeTexts.dateNote, { share: percentText(settings.retention ?? kUsualRetention) })}
          </p>
        </div>
        <MinutesField typed={typed} isWrong={isWrong} onInput={change(setTyped)} />
      </form>
      <p class="row session-actions">
        {/* Not disabled once the plan is in use: that would take the focus from who has just pressed it. */}
        <button type="button" class="primary" aria-disabled={isSame} disabled={isPast || isWrong} onClick={accept}>
          {studyHomeTexts.accept}
        </button>
        <output aria-live="polite">{said !== "" ? said : isSame ? studyHomeTexts.inUse : ""}</output>
      </p>
      {isWrong || isPast ? null : (
        <Load
          tools={tools}
          learner={learner}
          now={now}
          progress={progress}
          examAt={examAt}
          minutes={minutes}
          isSame={isSame}
        />
      )}
    </section>
  );
}

interface MinutesFieldProps {
  typed: string;
  isWrong: boolean;
  onInput: (event: { currentTarget: HTMLInputElement }) => void;
}

function MinutesField({ typed, isWrong, onInput }: MinutesFieldProps) {
  return (
    <div>
      <label class="label" for="exam-minutes">
        {studyHomeTexts.minutes}
      </label>
      <input
        id="exam-minutes"
        type="text"
        inputMode="numeric"
        autocomplete="off"
        value={typed}
        placeholder={String(kUsualMinutes)}
        aria-invalid={isWrong}
        aria-describedby="exam-minutes-note"
        onInput={onInput}
      />
      <p id="exam-minutes-note" class="fault">
        {isWrong ? studyHomeTexts.minutesFault : ""}
      </p>
    </div>
  );
}

interface LoadProps extends PlanProps {
  examAt: number | undefined;
  minutes: number;
  isSame: boolean;
}

/** What the days bring: of the plan in use behind a fold, of one that is being chosen at once. */
function Load({ tools, learner, now, progress, examAt, minutes, isSame }: LoadProps) {
  if (examAt === undefined) return <DueLoad learner={learner} now={now} />;
  const plan = isSame ? progress.plan : progress.planOf?.(examAt, minutes);
  const load = () => (
    <PlanLoad
      key={`${examAt} ${minutes}`}
      tools={tools}
      learner={learner}
      examAt={examAt}
      minutes={minutes}
      plan={plan}
    />
  );
  return isSame ? <Disclosure summary={studyHomeTexts.forecastTitle}>{load}</Disclosure> : load();
}
