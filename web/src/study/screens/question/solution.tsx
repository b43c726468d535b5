/** The worked solution: each step as the engine says it, its equation with names and then with the values, and where it comes from. */
import { fill } from "../../../messages.ts";
import { conclusionOf } from "../../answering.ts";
import type { Question } from "../../question.ts";
import { QuestionSources } from "./sources.tsx";
import { questionTexts } from "./texts.ts";

export function Solution({ question }: { question: Question }) {
  const answer = conclusionOf(question);
  return (
    <div class="question-solution">
      <h3>{questionTexts.solution}</h3>
      {question.solution.length === 1 && question.solution[0]?.equation === undefined ? (
        <p>{question.solution[0]?.text}</p>
      ) : (
        <ol class="stack">
          {question.solution.map((step, i) => (
            <li key={step.name ?? i}>
              <p>{step.text}</p>
            </li>
          ))}
        </ol>
      )}
      {answer === undefined ? null : <p>{fill(questionTexts.conclusion, { answer })}</p>}
      {question.source === undefined || question.source === "" ? null : (
        <p class="source">
          <b>{questionTexts.sources}:</b> <QuestionSources text={question.source} />
        </p>
      )}
    </div>
  );
}
