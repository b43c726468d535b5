/** The end of a command lab: what was solved, the commands once more, and where they come from. */
import { useEffect, useRef } from "preact/hooks";
import { fill } from "../../../messages.ts";
import {
  type CommandLabFile,
  type CommandLabPack,
  commandLabAfter,
  commandOf,
  isDone,
  isQuestion,
  type Mark,
  solvedOf,
} from "../../commands/lab.ts";
import { type Run, repeated } from "../../commands/run.ts";
import { studyAddress } from "../addresses.ts";
import { labTexts } from "../labs/texts.ts";
import { StudySources } from "../study_sources.tsx";
import { commandTexts } from "./texts.ts";

interface LabEndProps {
  file: CommandLabFile;
  pack: CommandLabPack;
  run: Run;
  onAgain: () => void;
}

function sentence(marks: readonly Mark[]): string {
  const list = repeated(marks).join(", ");
  if (!isDone(marks)) return fill(commandTexts.doneNot, { list });
  return list === "" ? commandTexts.doneWell : fill(commandTexts.doneGood, { list });
}

export function LabEnd({ file: { lab, sources }, pack, run: { marks }, onAgain }: LabEndProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const next = commandLabAfter(pack, lab.id);
  const commands = lab.steps.flatMap((step) => (isQuestion(step) ? [] : step.accept.slice(0, 1).map(commandOf)));
  const different = [...new Set(commands)];
  return (
    <>
      <div class={isDone(marks) ? "lab-result good" : "lab-result"}>
        <h2 ref={heading} tabIndex={-1}>
          {fill(commandTexts.doneTitle, { solved: solvedOf(marks), all: marks.length })}
        </h2>
        <p>
          <b aria-hidden="true">{isDone(marks) ? "✓" : "✗"}</b> {sentence(marks)}
        </p>
      </div>
      <p class="row lab-actions">
        <button type="button" onClick={onAgain}>
          {commandTexts.again}
        </button>
        {next === undefined ? null : (
          <a class="button primary" href={studyAddress("commands", next.id)}>
            {fill(commandTexts.next, { title: next.title })}
          </a>
        )}
      </p>
      <h2>{commandTexts.summary}</h2>
      <ul class="command-summary" lang="en">
        {different.map((command) => (
          <li key={command}>
            <code>{command}</code>
          </li>
        ))}
      </ul>
      <h2>{labTexts.sources}</h2>
      <StudySources sources={sources} />
    </>
  );
}
