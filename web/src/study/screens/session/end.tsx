/** What was done in a session, how well the learner knew what they know, and what comes back when. */
import { useEffect, useRef } from "preact/hooks";
import { figureText, numberText, phrase } from "../../../format.ts";
import { fill } from "../../../messages.ts";
import { NumbersTable } from "../../../screens/charts/chart_table.tsx";
import { learnerOf, minutesOf, weakestDomain } from "../../learner.ts";
import type { Session } from "../../session.ts";
import { type SessionResult, sessionResult } from "../../session_result.ts";
import { studyAddress } from "../addresses.ts";
import { followHeadline } from "../headline_focus.ts";
import { AbilityTable } from "../home/ability.tsx";
import { dayText, fromNowText } from "../span_text.ts";
import type { StudyTools } from "../study_data.ts";
import { QuizEnd, QuizLink } from "./quiz_end.tsx";
import { beginSession } from "./running.ts";
import { sessionTexts } from "./texts.ts";

/** What is said where nothing was asked, by kind. */
const nothingText = ({ kind }: Session) =>
  kind === "mistakes"
    ? sessionTexts.nothingMistakes
    : kind === "quiz"
      ? sessionTexts.nothingQuiz
      : sessionTexts.nothing;

function titleOf({ kind }: Session, { asked, right }: SessionResult): string {
  if (kind === "quiz")
    return asked === 0 ? sessionTexts.nothingQuizTitle : fill(sessionTexts.endQuizTitle, { asked, right });
  if (asked === 0) return sessionTexts.nothingTitle;
  return kind === "placement" ? sessionTexts.endPlacementTitle : sessionTexts.endTitle;
}

export function SessionEnd({ tools, session }: { tools: StudyTools; session: Session }) {
  const title = useRef<HTMLHeadingElement>(null);
  const now = Date.now();
  const data = tools.store.data();
  const learner = learnerOf(tools.pack, data, now);
  const result = sessionResult(session, data, learner, now);
  const minutes = minutesOf(data.settings);
  const isPlacement = session.kind === "placement";
  useEffect(() => title.current?.focus(), []);
  const headline = titleOf(session, result);
  const startPlan = () => {
    beginSession(tools, "plan");
    followHeadline();
    location.hash = studyAddress("session");
  };
  const weakest = tools.pack.blueprint.domains.find(({ id }) => id === weakestDomain(learner, now));
  return (
    <section class="stack card session" aria-labelledby="headline">
      <h1 id="headline" tabIndex={-1} ref={title}>
        {headline}
      </h1>
      {result.asked === 0 ? <p>{nothingText(session)}</p> : <Done result={result} />}
      {isPlacement && result.asked > 0 ? (
        <>
          <AbilityTable tools={tools} learner={learner} />
          <p class="note">{sessionTexts.placementNote}</p>
        </>
      ) : null}
      {weakest === undefined || result.asked === 0 ? null : (
        <p>{fill(sessionTexts.weakest, { domain: weakest.name })}</p>
      )}
      {session.kind === "quiz" ? <QuizEnd tools={tools} session={session} /> : null}
      <p class="row session-actions">
        {session.kind === "quiz" ? <QuizLink session={session} asked={result.asked} /> : null}
        <button type="button" class={session.kind === "quiz" ? undefined : "primary"} onClick={startPlan}>
          {fill(isPlacement || session.kind === "quiz" ? sessionTexts.startFirst : sessionTexts.another, { minutes })}
        </button>
        <a class="button" href={studyAddress("")}>
          {sessionTexts.home}
        </a>
        <a class="button" href={studyAddress("backup")}>
          {sessionTexts.backup}
        </a>
      </p>
      {result.nextDays === undefined ? null : <Forecast result={result} nextDays={result.nextDays} />}
    </section>
  );
}

function Done({ result }: { result: SessionResult }) {
  const { asked, right, seconds, calibration } = result;
  return (
    <>
      <dl class="quantities numbers-list">
        <div>
          <dt>{sessionTexts.done}</dt>
          <dd>{asked}</dd>
        </div>
        <div>
          <dt>{sessionTexts.right}</dt>
          <dd>{right}</dd>
        </div>
        <div>
          <dt>{sessionTexts.time}</dt>
          <dd>{phrase(figureText("s", seconds))}</dd>
        </div>
        {calibration === undefined ? null : (
          <div>
            <dt>{sessionTexts.brier}</dt>
            <dd>{numberText(calibration.brier)}</dd>
          </div>
        )}
      </dl>
      <p class="note">
        {calibration === undefined
          ? sessionTexts.brierNone
          : fill(sessionTexts.brierNote, { count: calibration.answers })}
      </p>
    </>
  );
}

function Forecast({ result, nextDays }: { result: SessionResult; nextDays: number }) {
  return (
    <>
      <h2>{sessionTexts.dueTitle}</h2>
      <p>{fill(sessionTexts.nextDue, { when: fromNowText(nextDays, "day") })}</p>
      <NumbersTable
        columns={[sessionTexts.day, sessionTexts.dueCards]}
        rows={result.due.map(({ time, cards }, day) => ({
          key: String(time),
          cells: [day === 0 ? sessionTexts.today : dayText(time), String(cards)],
        }))}
      />
    </>
  );
}
