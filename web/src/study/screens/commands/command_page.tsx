/** One command lab: its setting, the step, the terminal, and at the end what was solved. */
import { useEffect, useRef, useState } from "preact/hooks";
import { fill, messages } from "../../../messages.ts";
import { Failed } from "../../../views/lazy.tsx";
import { type CommandLabFile, type CommandLabPack, commandReview, runsOf } from "../../commands/lab.ts";
import { choose, enter, hint, isOver, kNewRun, type Run, show } from "../../commands/run.ts";
import { secondsBetween } from "../../labs.ts";
import { studyFile } from "../../pack.ts";
import { studyAddress } from "../addresses.ts";
import { KeepingNotice } from "../keeping_notice.tsx";
import { labTexts } from "../labs/texts.ts";
import { StudyCard } from "../opening.tsx";
import { dateText } from "../span_text.ts";
import type { StudyTools } from "../study_data.ts";
import { CodeText } from "./code_text.tsx";
import { LabEnd } from "./lab_end.tsx";
import { StepPanel } from "./step_panel.tsx";
import { Terminal } from "./terminal.tsx";
import { commandTexts } from "./texts.ts";

interface CommandPageProps {
  id: string;
  pack: CommandLabPack;
  study: StudyTools;
}

export function CommandPage({ id, pack, study }: CommandPageProps) {
  const [file, setFile] = useState<CommandLabFile>();
  const [failed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    studyFile<CommandLabFile>(`commands/${id}.json`).then(setFile, () => setFailed(true));
  };
  useEffect(load, []);
  if (file !== undefined) return <Session file={file} pack={pack} study={study} />;
  const title = pack.labs.find((one) => one.id === id)?.title ?? "";
  return (
    <StudyCard kind="card labs" title={title}>
      {failed ? <Failed again={load} /> : <p class="note opening">{messages.loadingScreen}</p>}
    </StudyCard>
  );
}

interface SessionProps {
  file: CommandLabFile;
  pack: CommandLabPack;
  study: StudyTools;
}

function Session({ file, pack, study: { store, pack: questions } }: SessionProps) {
  const { lab } = file;
  const [run, setRun] = useState<Run>(kNewRun);
  const [begun, setBegun] = useState(() => Date.now());
  const [earlier] = useState(() => runsOf(store.data().reviews, lab.id));
  const line = useRef<HTMLInputElement>(null);
  const objective = questions.blueprint.objectives.find((one) => one.id === lab.objective)?.text ?? "";
  const follow = (next: Run) => {
    setRun(next);
    if (!isOver(lab, run) && isOver(lab, next)) {
      const now = Date.now();
      void store.addReview(commandReview(lab, next.marks, secondsBetween(begun, now), now));
    }
  };
  const again = () => {
    setRun(kNewRun);
    setBegun(Date.now());
    line.current?.focus();
  };
  return (
    <section class="card labs command-lab" aria-labelledby="headline">
      <p class="note">
        <a href={studyAddress("commands")}>{commandTexts.all}</a> ·{" "}
        <span lang="en">{`${lab.objective} ${objective}`}</span> · {fill(labTexts.minutes, { count: lab.minutes })}
        {lab.lesson === undefined ? null : (
          <>
            {" · "}
            <a href={studyAddress("lessons", lab.lesson)}>{commandTexts.lesson}</a>
          </>
        )}
      </p>
      <h1 id="headline" tabIndex={-1} lang="en">
        {lab.title}
      </h1>
      <KeepingNotice store={store} />
      <p lang="en" class="lab-text">
        <CodeText text={lab.setting} />
      </p>
      {isOver(lab, run) ? null : (
        <StepPanel
          lab={lab}
          run={run}
          onChoose={(place) => {
            follow(choose(lab, run, place));
            line.current?.focus();
          }}
          onHint={() => {
            follow(hint(lab, run));
            line.current?.focus();
          }}
          onShow={() => {
            follow(show(lab, run));
            line.current?.focus();
          }}
        />
      )}
      <Terminal
        lab={lab}
        tools={pack.tools}
        run={run}
        line={line}
        describedBy={isOver(lab, run) ? "command-usage" : "command-task command-usage"}
        onLine={(text) => follow(enter(pack.tools, lab, run, text))}
        onClear={() => setRun({ ...run, entries: [] })}
      />
      {isOver(lab, run) ? <LabEnd file={file} pack={pack} run={run} onAgain={again} /> : null}
      {earlier.length === 0 ? null : (
        <details class="lab-earlier">
          <summary>{commandTexts.earlier}</summary>
          <ul>
            {earlier.map(({ id, time, answer, right }) => (
              <li key={id}>
                {dateText(time)}: {right ? "✓" : "✗"}{" "}
                {fill(commandTexts.solved, { solved: typeof answer === "number" ? answer : 0, all: lab.steps.length })}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
