/** A session: one card after the other for as long as the day's time lasts. `#/study/session/placement` and `…/mistakes` ask others. */

import { useEffect, useRef, useState } from "preact/hooks";
import { fill, messages } from "../../messages.ts";
import { Failed } from "../../views/lazy.tsx";
import { kPlacementQuestions } from "../ability.ts";
import { isRecallCard } from "../recall.ts";
import { isTimed, kSessionKinds, type SessionKind, type Session as SessionState } from "../session.ts";
import { cardCount, isNewCard, minutesLeft } from "../session_result.ts";
import { trapTitle } from "../traps.ts";
import type { StudyScreenProps } from "./addresses.ts";
import { cardTexts } from "./cards/texts.ts";
import { KeepingNotice } from "./keeping_notice.tsx";
import { Opening } from "./opening.tsx";
import { RunningExam } from "./running_exam.tsx";
import { Card } from "./session/card.tsx";
import { SessionEnd } from "./session/end.tsx";
import { SessionKeys } from "./session/keys.tsx";
import { RecallCard } from "./session/recall.tsx";
import { end, openSession, question, recall, session, skip } from "./session/running.ts";
import { meetsTerms, useTerms } from "./session/terms.ts";
import { sessionTexts } from "./session/texts.ts";
import { type StudyTools, useStudy } from "./study_data.ts";
import "./session/session.css";

/** Words of the address: the kind, and what it is about. */
function askedFor([first, about]: readonly string[]): { kind: SessionKind; about?: string } {
  const kind = kSessionKinds.find((one) => one === first) ?? "plan";
  const isAbout = kind === "mistakes" || kind === "objective";
  return isAbout && about !== undefined ? { kind, about } : { kind };
}

export function Session({ rest }: StudyScreenProps) {
  const { study, failed, again } = useStudy();
  const { kind, about } = askedFor(rest);
  const isTerms = kind === "terms";
  const terms = useTerms(isTerms || (study !== undefined && kind === "plan" && meetsTerms(study)));
  // A daily session begins with questions, so that it need not wait for the terms.
  const isReady = study !== undefined && (!isTerms || terms.isThere);
  useEffect(() => {
    if (study !== undefined && isReady) openSession(study, kind, about);
  }, [study, isReady, kind, about]);
  const running = session.value;
  if (failed) return <Failed again={again} />;
  if (isTerms && terms.failed) return <Failed again={terms.again} />;
  if (study === undefined || running === undefined || running.kind !== kind)
    return <Opening kind="stack card session" />;
  if (running.current === undefined) return <SessionEnd key={running.id} tools={study} session={running} />;
  return <Running tools={study} running={running} />;
}

const titleOf = ({ kind, about = "" }: SessionState) =>
  kind === "mistakes" && about !== ""
    ? fill(sessionTexts.titles.objective, { about: trapTitle(about) })
    : fill(sessionTexts.titles[kind], { about });

const ofAll = (running: SessionState, all: number) =>
  fill(sessionTexts.ofPlacement, { count: cardCount(running), all });

function Running({ tools, running }: { tools: StudyTools; running: SessionState }) {
  const [said, setSaid] = useState("");
  const title = useRef<HTMLHeadingElement>(null);
  const { pack, store } = tools;
  const asked = question.value;
  const turned = recall.value;
  const { current, id } = running;
  const isFirst = useRef(true);
  // The next card is read from its top; on opening the focus stays where the reader was, but for the menu, whose link would take Enter.
  useEffect(() => {
    const isInMenu = document.activeElement?.closest(".study-screens") != null;
    if (!isFirst.current || isInMenu) title.current?.focus();
    isFirst.current = false;
  }, [current?.card, current?.seed, id]);
  const known = asked === undefined || asked === "failed" ? undefined : asked;
  const objective = pack.blueprint.objectives.find((one) => one.id === (known ?? turned)?.objective);
  const reviews = store.data().reviews;
  const isRecall = current !== undefined && isRecallCard(current.card);
  return (
    <section class="stack card session" aria-labelledby="headline">
      <div class="session-top">
        <h1 id="headline" tabIndex={-1} ref={title}>
          {fill(isRecall ? cardTexts.cardTitle : sessionTexts.card, {
            title: titleOf(running),
            count: cardCount(running),
          })}
        </h1>
        <p class="row kicker">
          {objective === undefined ? null : (
            <span>
              {objective.id} {objective.text}
            </span>
          )}
          {current === undefined || running.kind === "placement" ? null : (
            <span class="badge">
              {isNewCard(reviews, current.card, current.review) ? sessionTexts.isNew : sessionTexts.isAgain}
            </span>
          )}
          <span>
            {running.kind === "placement" ? ofAll(running, kPlacementQuestions) : null}
            {running.kind === "quiz" ? ofAll(running, running.cards?.length ?? 0) : null}
          </span>
          <span>{isTimed(running) ? fill(sessionTexts.left, { minutes: minutesLeft(running, reviews) }) : null}</span>
        </p>
      </div>
      <KeepingNotice store={store} />
      <RunningExam store={store} />
      {asked === "failed" ? (
        <p class="notice" role="alert">
          {sessionTexts.noQuestion}{" "}
          <button type="button" onClick={() => skip(tools)}>
            {sessionTexts.skip}
          </button>
        </p>
      ) : turned !== undefined ? (
        <RecallCard
          key={`${current?.card}/${current?.seed}`}
          tools={tools}
          session={running}
          shown={turned}
          say={setSaid}
        />
      ) : known === undefined ? (
        <p class="note opening">{messages.loadingScreen}</p>
      ) : (
        <Card tools={tools} session={running} question={known} say={setSaid} />
      )}
      <div class="session-foot">
        <SessionKeys />
        <button type="button" class="small" onClick={() => end(tools)}>
          {running.kind === "placement" ? sessionTexts.endPlacement : sessionTexts.endNow}
        </button>
      </div>
      <p class="hidden" role="status">
        {said}
      </p>
    </section>
  );
}
