/** One formula of the sheet, and an example of it with numbers of the engine. */
import { useState } from "preact/hooks";
import { traceText } from "../../format.ts";
import { fill, messages } from "../../messages.ts";
import { askEngine } from "../../pages.ts";
import { Equation } from "../../views/equation.tsx";
import { EquationValues } from "../../views/equation_values.tsx";
import type { FormulaEntry } from "../formula_sheet.ts";
import { type Question, readQuestion, type Step } from "../question.ts";
import { formulaTexts } from "./formula_texts.ts";
import { inputsText, nameText, titleOf } from "./formula_words.ts";
import { Scrolling } from "./scrolling.tsx";

export function FormulaLine({ formula }: { formula: FormulaEntry }) {
  const { equation, note, source } = formula;
  const title = titleOf(formula);
  return (
    <li>
      <span class="label formula-title">{title}</span>
      <Scrolling class="formula" label={formulaTexts.formula}>
        <Equation text={equation} naming={(name) => [nameText(name)]} />
      </Scrolling>
      <details class="formula-more">
        <summary aria-label={fill(formulaTexts.more, { title })}>{formulaTexts.meaning}</summary>
        {note === undefined ? null : <p>{note}</p>}
        <p class="note">{fill(formulaTexts.with, { inputs: inputsText(formula) })}</p>
        <p class="note">{fill(formulaTexts.source, { source })}</p>
        <Example formula={formula} />
      </details>
    </li>
  );
}

const freshSeed = () => Math.floor(Math.random() * 1e9);

/** The step of a fresh question that uses the formula. */
async function exampleOf({ template, step }: FormulaEntry): Promise<Step | undefined> {
  const text = await askEngine({ kind: "question", template, seed: freshSeed() });
  const question: Question | undefined = readQuestion((JSON.parse(text) as { question?: unknown }).question);
  return question?.solution.find(({ name }) => name === step);
}

function Example({ formula }: { formula: FormulaEntry }) {
  const [step, setStep] = useState<Step>();
  const [failed, setFailed] = useState(false);
  const work = () => {
    setFailed(false);
    exampleOf(formula).then(
      (made) => (made === undefined ? setFailed(true) : setStep(made)),
      () => setFailed(true),
    );
  };
  return (
    <div class="formula-example">
      <div role="status">
        {failed ? <p class="notice">{formulaTexts.exampleFailed}</p> : null}
        {step === undefined ? null : <Worked step={step} />}
      </div>
      <button type="button" class="small" onClick={work}>
        {failed ? messages.tryAgain : step === undefined ? formulaTexts.example : formulaTexts.another}
      </button>
    </div>
  );
}

/** The equation with the values in their places. */
function Worked({ step: { equation = "", inputs = [], value, unit = "1" } }: { step: Step }) {
  if (value === undefined) return null;
  return (
    <Scrolling class="formula" label={formulaTexts.formula}>
      <EquationValues
        equation={equation}
        result={{ value, unit }}
        shown={traceText(value, unit)}
        inputs={inputs}
        memory="GB"
      />
    </Scrolling>
  );
}
