/** Right answers by domain of the blueprint, each share with its 90 % interval, drawn and in words. */
import { scaleLinear } from "d3-scale";
import { fill } from "../../../messages.ts";
import type { Blueprint } from "../../blueprint.ts";
import { type DomainResult, shareOf } from "../../exam_result.ts";
import { shareText } from "./percent.ts";
import { resultTexts } from "./result_texts.ts";

interface DomainsProps {
  results: readonly DomainResult[];
  blueprint: Blueprint;
}

export function Domains({ results, blueprint }: DomainsProps) {
  const domainOf = (id: string) => blueprint.domains.find((one) => one.id === id);
  return (
    <section class="exam-part">
      <h2 id="exam-domains">{resultTexts.byDomain}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus */}
      <section class="wide-table" tabIndex={0} aria-labelledby="exam-domains">
        <table class="plain rows">
          <thead>
            <tr>
              <th scope="col">{resultTexts.domain}</th>
              {[resultTexts.weight, resultTexts.right, resultTexts.share, resultTexts.interval].map((title) => (
                <th key={title} scope="col" class="numeric">
                  {title}
                </th>
              ))}
              <td class="exam-span" />
            </tr>
          </thead>
          <tbody>
            {results.map((result) => (
              <tr key={result.domain}>
                <th scope="row">{domainOf(result.domain)?.name ?? result.domain}</th>
                <td class="numeric">{shareText(domainOf(result.domain)?.weight ?? 0)}</td>
                <td class="numeric">{fill(resultTexts.rightOf, { right: result.right, asked: result.asked })}</td>
                <td class="numeric">{result.asked === 0 ? "–" : shareText(shareOf(result))}</td>
                <td class="numeric">
                  {fill(resultTexts.from, { low: shareText(result.low), high: shareText(result.high) })}
                </td>
                <td class="exam-span">
                  <Interval result={result} mark={blueprint.exam.pass_mark.share} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="note">{resultTexts.domainNote}</p>
    </section>
  );
}

/** The interval as a line with the share as its mark, beside the assumed mark of the exam. */
function Interval({ result, mark }: { result: DomainResult; mark: number }) {
  const x = scaleLinear([0, 1], [4, 196]);
  return (
    <svg viewBox="0 0 200 24" width="200" height="24" aria-hidden="true">
      <line class="span-track" x1={x(0)} x2={x(1)} y1="12" y2="12" />
      <line class="exam-span-mark" x1={x(mark)} x2={x(mark)} y1="2" y2="22" />
      <line class="exam-span-line" x1={x(result.low)} x2={x(result.high)} y1="12" y2="12" />
      {result.asked === 0 ? null : <circle class="exam-span-dot" cx={x(shareOf(result))} cy="12" r="5" />}
    </svg>
  );
}
