/** What was done in a session, how well the learner knew what they know, and what comes back when. */
import { useEffect, useRef } from "preact/hooks";
import { figureText, numberText, phrase } from "../../../format.ts";
import { fill } from "../../../messages.ts";
import { NumbersTable } from "../../../screens/charts/chart_table.tsx";
import { kStatisticAnswers, missingAnswers } from "../../home_numbers.ts";
import { learnerOf, weakestDomain } from "../../learner.ts";
import { kDecks } from "../../recall.ts";
import type { Session } from "../../session.ts";
import { type SessionResult, sessionResult } from "../../session_result.ts";
import { studyAddress } from "../addresses.ts";
import { cardTexts } from "../cards/texts.ts";
import { followHeadline } from "../headline_focus.ts";
import { studyHomeTexts } from "../home/texts.ts";
import { dayText, fromNowText } from "../span_text.ts";
import type { StudyTools } from "../study_data.ts";
import { studyTexts } from "../texts.ts";
import { nextMinutes } from "./plan_minutes.ts";
import { QuizEnd, QuizLink } from "./quiz_end.tsx";
import { beginSession, leaveFinished } from "./running.ts";
import { deckNow } from "./terms.ts";
import { sessionTexts } from "./texts.ts";

/** What is said where nothing was asked, by kind. */
function nothingText({ kind }: Session): string {
  if (isDeck(kind)) return cardTexts.nothingNow;
  if (kind === "mistakes") return sessionTexts.nothingMistakes;
  return kind === "quiz" ? sessionTexts.nothingQuiz : sessionTexts.nothing;
}

const isDeck = (kind: Session["kind"]) => kDecks.some((deck) => deck === kind);

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
  const states = new Map([...learner.states, ...deckNow(tools, now).states]);
  const result = sessionResult(session, data, { ...learner, states }, now, tools.pack.blueprint);
  const minutes = nextMinutes(tools, learner, now);
  const isPlacement = session.kind === "placement";
  const isRecall = isDeck(session.kind);
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
      {result.asked === 0 ? <p>{nothingText(session)}</p> : <Done result={result} isRecall={isRecall} />}
      {isPlacement && result.asked > 0 ? (
        <>
          <NumbersTable
            columns={[studyHomeTexts.domain, sessionTexts.right, sessionTexts.done]}
            rows={result.domains.map(({ domain, right, asked }) => ({
              key: domain,
              cells: [
                tools.pack.blueprint.domains.find(({ id }) => id === domain)?.name ?? domain,
                String(right),
                String(asked),
              ],
            }))}
          />
          <p class="note">{sessionTexts.placementNote}</p>
        </>
      ) : null}
      {weakest === undefined || result.asked === 0 || isRecall ? null : (
        <p>{fill(sessionTexts.weakest, { domain: weakest.name })}</p>
      )}
      {session.kind === "quiz" ? <QuizEnd tools={tools} session={session} /> : null}
      <p class="row session-actions">
        {session.kind === "quiz" ? <QuizLink session={session} asked={result.asked} /> : null}
        <button type="button" class={session.kind === "quiz" ? undefined : "primary"} onClick={startPlan}>
          {fill(isPlacement || session.kind === "quiz" ? sessionTexts.startFirst : sessionTexts.another, { minutes })}
        </button>
        {isRecall ? (
          <a class="button" href={studyAddress("cards")} onClick={leaveFinished}>
            {studyTexts.screens.cards}
          </a>
        ) : null}
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

function Done({ result, isRecall }: { result: SessionResult; isRecall: boolean }) {
  const { asked, right, seconds, calibration } = result;
  const missing = missingAnswers(kStatisticAnswers, calibration?.answers ?? 0);
  return (
    <>
      <dl class="quantities numbers-list">
        <div>
          <dt>{isRecall ? cardTexts.done : sessionTexts.done}</dt>
          <dd>{asked}</dd>
        </div>
        <div>
          <dt>{isRecall ? cardTexts.remembered : sessionTexts.right}</dt>
          <dd>{right}</dd>
        </div>
        <div>
          <dt>{sessionTexts.time}</dt>
          <dd>{phrase(figureText("s", seconds))}</dd>
        </div>
        {calibration === undefined || missing > 0 ? null : (
          <div>
            <dt>{sessionTexts.brier}</dt>
            <dd>{numberText(calibration.brier)}</dd>
          </div>
        )}
      </dl>
      {isRecall ? null : (
        <p class="note">
          {calibration === undefined
            ? sessionTexts.brierNone
            : missing > 0
              ? fill(sessionTexts.brierFew, { count: missing })
              : fill(sessionTexts.brierNote, { count: calibration.answers })}
        </p>
      )}
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
