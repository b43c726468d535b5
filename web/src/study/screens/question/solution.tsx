/** The worked solution: each step in words, as an equation with names and with the values, and where it comes from. */
import { phrase, traceText } from "../../../format.ts";
import { humanize, inSentence } from "../../../messages.ts";
import { Equation } from "../../../views/equation.tsx";
import type { SourceEntry } from "../../pack.ts";
import type { Question, Step } from "../../question.ts";
import { QuestionSources } from "./sources.tsx";
import { questionTexts } from "./texts.ts";

interface SolutionProps {
  question: Question;
  sources: Record<string, SourceEntry>;
}

export function Solution({ question, sources }: SolutionProps) {
  return (
    <section class="question-solution" aria-label={questionTexts.solution}>
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
    </section>
  );
}

/** Text before the equation repeats it in one line; what follows an equation says more. */
function SolutionStep({ step }: { step: Step }) {
  const { text, equation, inputs = [], value, unit } = step;
  if (equation === undefined || value === undefined) return <p>{text}</p>;
  const namesOf = (name: string) => [inSentence(humanize(name))];
  const valuesOf = (name: string) => {
    const texts = inputs.filter((one) => one.name === name).map((one) => phrase(traceText(one.value, one.unit)));
    return texts.length === 0 ? namesOf(name) : texts;
  };
  const result = phrase(traceText(value, unit));
  const label = humanize(step.name ?? "");
  return (
    <>
      <p>{text}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus */}
      <section class="scroll" tabIndex={0} aria-label={label}>
        <Equation text={equation} naming={namesOf} left={inSentence(label)} />
        <Equation text={equation} naming={valuesOf} left={result} />
      </section>
    </>
  );
}
