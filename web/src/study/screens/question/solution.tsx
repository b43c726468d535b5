/** The worked solution: each step in words, as an equation with names and with the values, and where it comes from. */
import { humanize, inSentence } from "../../../messages.ts";
import { Equation } from "../../../views/equation.tsx";
import type { SourceEntry } from "../../pack.ts";
import type { Question, Step } from "../../question.ts";
import { stepAmount } from "./amounts.ts";
import { QuestionSources } from "./sources.tsx";
import { questionTexts } from "./texts.ts";

interface SolutionProps {
  question: Question;
  sources: Record<string, SourceEntry>;
}

export function Solution({ question, sources }: SolutionProps) {
  return (
    <div class="question-solution">
      <h3>{questionTexts.solution}</h3>
      {question.solution.length === 1 && question.solution[0]?.equation === undefined ? (
        <p>{question.solution[0]?.text}</p>
      ) : (
        <ol>
          {question.solution.map((step, i) => (
            <li key={step.name ?? i}>
              <SolutionStep step={step} />
            </li>
          ))}
        </ol>
      )}
      {question.source === undefined || question.source === "" ? null : (
        <p class="source">
          <b>{questionTexts.sources}:</b> <QuestionSources text={question.source} sources={sources} />
        </p>
      )}
    </div>
  );
}

/** The text of a computed step is its equation in one line, which is drawn instead; that of a change of units says all there is. */
function SolutionStep({ step }: { step: Step }) {
  const { text, name = "", equation, inputs = [], value, unit } = step;
  const isDrawn = equation !== undefined && value !== undefined && text.startsWith(`${name} = ${equation}`);
  if (!isDrawn) return <p>{text}</p>;
  const namesOf = (input: string) => [inSentence(humanize(input))];
  const valuesOf = (input: string) => {
    const texts = inputs.filter((one) => one.name === input).map((one) => stepAmount(one.value, one.unit));
    return texts.length === 0 ? namesOf(input) : texts;
  };
  const label = humanize(name);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus
    <section class="scroll" tabIndex={0}>
      <Equation text={equation} naming={namesOf} left={inSentence(label)} />
      <Equation text={equation} naming={valuesOf} left={stepAmount(value, unit)} />
    </section>
  );
}
