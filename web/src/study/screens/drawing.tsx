/** A drawing of a lesson or a question: boxes and links, bars, or one of the core, with its title, what it shows, and all of it in words. */
import type { ComponentChildren } from "preact";
import { useId, useMemo, useState } from "preact/hooks";
import { fill } from "../../messages.ts";
import { type BlocksDrawing, type Drawing, drawingWords, stepAt, stepMoved, withHidden } from "../drawing.ts";
import { BarsView } from "./drawing_bars.tsx";
import { BlocksView, ToneLegend } from "./drawing_blocks.tsx";
import { CoreView } from "./drawing_core.tsx";
import { drawingTexts } from "./drawing_texts.ts";
import "./drawing.css";

interface DrawingViewProps {
  drawing: Drawing;
  /** A box that is asked for: its name is nowhere. */
  hidden?: string;
}

export function DrawingView({ drawing: whole, hidden }: DrawingViewProps) {
  const id = useId();
  const [step, setStep] = useState(0);
  // The same object each time, so that it is laid out once.
  const drawing = useMemo(() => withHidden(whole, hidden), [whole, hidden]);
  const frame = { drawing, id };
  switch (drawing.kind) {
    case "blocks":
      return (
        <Framed {...frame}>
          <BlocksView drawing={drawing} id={id} lit={stepAt(drawing, step)} />
          <ToneLegend drawing={drawing} id={id} />
          <Steps drawing={drawing} step={step} choose={setStep} />
        </Framed>
      );
    case "bars":
      return (
        <Framed {...frame}>
          <BarsView drawing={drawing} id={id} />
        </Framed>
      );
    case "core":
      return (
        <Framed {...frame}>
          <CoreView drawing={drawing} id={id} />
        </Framed>
      );
  }
}

function Framed({ drawing, id, children }: { drawing: Drawing; id: string; children: ComponentChildren }) {
  const words = drawingWords(drawing, drawingTexts.phrases);
  return (
    <figure class="study-drawing" aria-labelledby={`${id}-name`}>
      <figcaption id={`${id}-name`}>{drawing.title}</figcaption>
      <p class="note" id={`${id}-shows`}>
        {drawing.shows}
      </p>
      {children}
      {words.length === 0 ? null : (
        <details class="drawing-words">
          <summary>{drawingTexts.words}</summary>
          <ul>
            {words.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </figure>
  );
}

interface StepsProps {
  drawing: BlocksDrawing;
  /** From 1; 0 shows the drawing as a whole. */
  step: number;
  choose: (step: number) => void;
}

/** One step after the other, each in words and lit in the drawing. */
function Steps({ drawing, step, choose }: StepsProps) {
  const { steps = [] } = drawing;
  if (steps.length === 0) return null;
  const count = steps.length;
  const text = stepAt(drawing, step)?.text;
  return (
    <div class="row drawing-steps">
      <button type="button" aria-disabled={step === 0} onClick={() => choose(stepMoved(step, -1, count))}>
        {drawingTexts.back}
      </button>
      <button type="button" aria-disabled={step === count} onClick={() => choose(stepMoved(step, 1, count))}>
        {drawingTexts.next}
      </button>
      <p role="status">
        {text === undefined
          ? fill(drawingTexts.stepsIn, { count })
          : fill(drawingTexts.stepOf, { number: step, count, text })}
      </p>
    </div>
  );
}
