/** Known mistakes that the learner makes, by how often, each with what it is and a way to practise it. */
import { useEffect, useState } from "preact/hooks";
import { fill } from "../../../messages.ts";
import { computedAnswers } from "../../home_numbers.ts";
import { cardOfQuestion, type Trap, trapReason, traps, trapTitle } from "../../traps.ts";
import { studyAddress } from "../addresses.ts";
import { askQuestion } from "../ask_question.ts";
import type { StudyTools } from "../study_data.ts";
import { studyHomeTexts } from "./texts.ts";

const kShown = 8;

export function Traps({ tools }: { tools: StudyTools }) {
  const { reviews } = tools.store.data();
  const all = traps(reviews);
  const looked = computedAnswers(tools.pack.templates, reviews);
  const isOpen = all.some(({ open }) => open.length > 0);
  return (
    <section class="card study-part" aria-labelledby="traps-title">
      <h2 id="traps-title">{studyHomeTexts.trapsTitle}</h2>
      {all.length === 0 ? (
        <p>{looked === 0 ? studyHomeTexts.trapsNone : fill(studyHomeTexts.trapsEmpty, { count: looked })}</p>
      ) : (
        <>
          <p class="note">{studyHomeTexts.trapsNote}</p>
          <ul class="stack trap-list">
            {all.slice(0, kShown).map((one) => (
              <TrapRow key={one.name} tools={tools} trap={one} />
            ))}
          </ul>
          {isOpen ? (
            <p class="row session-actions">
              <a class="button" href={studyAddress("session", "mistakes")}>
                {studyHomeTexts.practiseAll}
              </a>
            </p>
          ) : null}
        </>
      )}
    </section>
  );
}

function TrapRow({ tools, trap }: { tools: StudyTools; trap: Trap }) {
  const { name, times, open, question } = trap;
  const [why, setWhy] = useState("");
  // What a mistake is stands in the question at which it was made last; the engine makes the same one again.
  useEffect(() => {
    const { card, seed } = cardOfQuestion(question);
    void askQuestion(tools.pack, card, seed).then(
      (asked) => setWhy(trapReason(asked, name) ?? ""),
      () => undefined,
    );
  }, [tools, question, name]);
  const count = times === 1 ? studyHomeTexts.trapOnce : fill(studyHomeTexts.trapTimes, { times });
  return (
    <li>
      <p>
        <b lang="en">{trapTitle(name)}</b> <span class="badge">{count}</span>
      </p>
      <p class="note" lang="en">
        {why}
      </p>
      {open.length === 0 ? (
        <p class="note">✓ {studyHomeTexts.trapDone}</p>
      ) : (
        <a href={studyAddress("session", "mistakes", name)} aria-label={`${studyHomeTexts.practiseThese}: ${name}`}>
          {studyHomeTexts.practiseThese}
        </a>
      )}
    </li>
  );
}
