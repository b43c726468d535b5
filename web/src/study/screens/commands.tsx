/** The command labs: their list, and one of them (`#/study/commands/ID`). */
import { useEffect, useState } from "preact/hooks";
import { fill, messages } from "../../messages.ts";
import { Failed } from "../../views/lazy.tsx";
import { type CommandLabEntry, type CommandLabPack, runsOf } from "../commands/lab.ts";
import { studyFile } from "../pack.ts";
import { type StudyScreenProps, studyAddress } from "./addresses.ts";
import { CommandPage } from "./commands/command_page.tsx";
import { commandTexts } from "./commands/texts.ts";
import { KeepingNotice } from "./keeping_notice.tsx";
import { labTexts } from "./labs/texts.ts";
import { StudyCard } from "./opening.tsx";
import { type StudyTools, useStudy } from "./study_data.ts";
import { studyTexts } from "./texts.ts";
import "./labs/labs.css";
import "./commands/commands.css";

function useList() {
  const [pack, setPack] = useState<CommandLabPack>();
  const [failed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    studyFile<CommandLabPack>("commands.json").then(setPack, () => setFailed(true));
  };
  useEffect(load, []);
  return { pack, failed, load };
}

export function Commands({ rest: [id] }: StudyScreenProps) {
  const { study, failed, again } = useStudy();
  const { pack, failed: listFailed, load } = useList();
  if (study !== undefined && pack?.labs.some((one) => one.id === id))
    return <CommandPage key={id} id={id ?? ""} pack={pack} study={study} />;
  return (
    <StudyCard kind="card labs" title={studyTexts.screens.commands}>
      {failed || listFailed ? (
        <Failed again={listFailed ? load : again} />
      ) : study === undefined || pack === undefined ? (
        <p class="note opening">{messages.loadingScreen}</p>
      ) : (
        <>
          {id === undefined ? null : <p class="notice">{commandTexts.unknown}</p>}
          <CommandList pack={pack} study={study} />
        </>
      )}
    </StudyCard>
  );
}

/** By objective, in the order of the blueprint. */
function CommandList({ pack: { labs }, study: { store, pack } }: { pack: CommandLabPack; study: StudyTools }) {
  const objectives = pack.blueprint.objectives.filter(({ id }) => labs.some(({ objective }) => objective === id));
  return (
    <>
      <p class="labs-lead">{commandTexts.lead}</p>
      <KeepingNotice store={store} />
      {objectives.map(({ id, text }) => (
        <section key={id} aria-labelledby={`commands-${id}`}>
          <h2 id={`commands-${id}`} lang="en">
            {id} {text}
          </h2>
          <ul class="labs-list">
            {labs
              .filter(({ objective }) => objective === id)
              .map((lab) => (
                <Line key={lab.id} lab={lab} study={{ store, pack }} />
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Line({ lab: { id, title, minutes, steps }, study: { store } }: { lab: CommandLabEntry; study: StudyTools }) {
  const last = runsOf(store.data().reviews, id).at(-1);
  const solved = typeof last?.answer === "number" ? last.answer : 0;
  const state = fill(commandTexts.solved, { solved, all: steps });
  return (
    <li>
      <a href={studyAddress("commands", id)} lang="en">
        {title}
      </a>
      <p class="note">{fill(labTexts.minutes, { count: minutes })}</p>
      <span class={last?.right ? "lab-state good" : "lab-state"}>
        {last === undefined ? `○ ${commandTexts.untried}` : `${last.right ? "✓" : "✗"} ${state}`}
      </span>
    </li>
  );
}
