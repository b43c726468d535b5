/** Right of asked for every objective, under its domain. */
import { fill } from "../../../messages.ts";
import { type Blueprint, domainOf } from "../../blueprint.ts";
import { type ObjectiveResult, wrongOf } from "../../objective_result.ts";
import { Scrolling } from "../scrolling.tsx";
import { resultTexts } from "./result_texts.ts";
import "./objectives.css";

interface ObjectivesProps {
  results: readonly ObjectiveResult[];
  blueprint: Blueprint;
}

/** Each question that was asked as a sign: right ones first. The words beside it say the same. */
function Signs({ result: { right, asked } }: { result: ObjectiveResult }) {
  return (
    <span class="objective-signs" aria-hidden="true">
      {Array.from({ length: asked }, (_, i) => (
        <span key={`${i}`} class={i < right ? "is-right" : "is-wrong"}>
          {i < right ? "✓" : "✗"}
        </span>
      ))}
    </span>
  );
}

export function Objectives({ results, blueprint }: ObjectivesProps) {
  const domains = blueprint.domains.filter(({ id }) => results.some(({ objective }) => domainOf(objective) === id));
  return (
    <section class="exam-part">
      <h2 id="exam-objectives">{resultTexts.byObjective}</h2>
      <Scrolling class="wide-table" label={resultTexts.byObjective}>
        <table class="plain rows exam-objectives" aria-labelledby="exam-objectives">
          <thead>
            <tr>
              <th scope="col">{resultTexts.objective}</th>
              <th scope="col" class="numeric">
                {resultTexts.right}
              </th>
              <td />
            </tr>
          </thead>
          {domains.map(({ id, name }) => (
            <tbody key={id}>
              <tr>
                <th scope="rowgroup" colSpan={3} class="objective-domain">
                  {name}
                </th>
              </tr>
              {results
                .filter(({ objective }) => domainOf(objective) === id)
                .map((result) => (
                  <Line key={result.objective} result={result} />
                ))}
            </tbody>
          ))}
        </table>
      </Scrolling>
    </section>
  );
}

function Line({ result }: { result: ObjectiveResult }) {
  const { objective, text, right, asked } = result;
  return (
    <tr class={wrongOf(result) > 0 ? "has-wrong" : undefined}>
      <th scope="row" lang="en">
        {objective} {text}
      </th>
      <td class="numeric">{asked === 0 ? resultTexts.notAsked : fill(resultTexts.rightOf, { right, asked })}</td>
      <td>
        <Signs result={result} />
      </td>
    </tr>
  );
}
