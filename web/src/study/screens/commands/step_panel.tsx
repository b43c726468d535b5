/** What a step asks for: a task, or a question about what was printed. Read aloud when it changes. */
import { fill } from "../../../messages.ts";
import { type CommandLab, isQuestion } from "../../commands/lab.ts";
import { kShowAfter, letterOf, placeOf, type Run } from "../../commands/run.ts";
import { CodeText } from "./code_text.tsx";
import { commandTexts } from "./texts.ts";

interface StepPanelProps {
  lab: CommandLab;
  run: Run;
  onChoose: (place: number) => void;
  onHint: () => void;
  onShow: () => void;
}

export function StepPanel({ lab, run, onChoose, onHint, onShow }: StepPanelProps) {
  const step = lab.steps[run.at];
  if (step === undefined) return null;
  return (
    <div class="command-step">
      <div role="status" id="command-task">
        <h2>{fill(commandTexts.stepOf, { place: placeOf(run), all: lab.steps.length })}</h2>
        <p lang="en" class="command-task">
          <CodeText text={isQuestion(step) ? step.question : step.task} />
        </p>
      </div>
      {isQuestion(step) ? (
        <>
          <p class="note">{commandTexts.chooseHow}</p>
          <ol class="command-options" lang="en">
            {step.options.map(({ text }, i) => (
              <li key={text}>
                <button type="button" aria-disabled={run.chosen.includes(i)} onClick={() => onChoose(i)}>
                  <b>{letterOf(i).toUpperCase()}</b>
                  <span>
                    <CodeText text={text} />
                  </span>
                </button>
              </li>
            ))}
          </ol>
        </>
      ) : (
        <p class="row command-helps">
          <button type="button" onClick={onHint}>
            {commandTexts.hint}
          </button>
          {run.wrong < kShowAfter ? null : (
            <button type="button" onClick={onShow}>
              {commandTexts.show}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
