/** Every exam that was handed in: shares of right answers as a curve, and the table with the way to each result. */
import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { fill } from "../../../messages.ts";
import { NumbersTable } from "../../../screens/charts/chart_table.tsx";
import { useWidth } from "../../../screens/narrow.ts";
import { UprightTicks } from "../../../views/chart.tsx";
import { ChartFiles } from "../../../views/chart_files.tsx";
import type { Blueprint } from "../../blueprint.ts";
import type { PastExam } from "../../exam_marks.ts";
import { studyAddress } from "../addresses.ts";
import { dateText } from "../span_text.ts";
import { frameOf } from "./frame.ts";
import { shareText } from "./percent.ts";
import { resultTexts } from "./result_texts.ts";

interface HistoryProps {
  past: readonly PastExam[];
  blueprint: Blueprint;
  /** The one on show. */
  current?: string;
}

export function History({ past, blueprint, current }: HistoryProps) {
  const last = past.at(-1);
  if (last === undefined) return null;
  return (
    <section class="exam-part">
      <h2>{resultTexts.historyTitle}</h2>
      <figure class="chart-figure">
        <figcaption>
          <h3>{fill(resultTexts.historyConclusion, { count: past.length, share: shareText(last.share) })}</h3>
        </figcaption>
        {past.length < 2 ? null : <HistoryCurve past={past} mark={blueprint.exam.pass_mark.share} />}
        <NumbersTable
          columns={[
            resultTexts.date,
            resultTexts.form,
            resultTexts.right,
            resultTexts.share,
            ...blueprint.domains.map(({ name }) => name),
            resultTexts.interval,
          ]}
          rows={past.map(({ id, at, form, number, right, asked, share, byDomain, low, high }, i) => ({
            key: id,
            cells: [
              <a key={id} href={studyAddress("exam", id)} aria-current={id === current ? "page" : undefined}>
                {`${i + 1}. ${dateText(at)}`}
              </a>,
              number === undefined ? resultTexts.forms[form] : fill(resultTexts.numbered, { number }),
              fill(resultTexts.rightOf, { right, asked }),
              shareText(share),
              ...blueprint.domains.map((domain) => {
                const own = byDomain.get(domain.id);
                return own === undefined ? "–" : fill(resultTexts.rightOf, own);
              }),
              fill(resultTexts.from, { low: shareText(low), high: shareText(high) }),
            ],
          }))}
        />
        {past.length < 2 ? null : <ChartFiles />}
      </figure>
    </section>
  );
}

function HistoryCurve({ past, mark }: { past: readonly PastExam[]; mark: number }) {
  const frame = frameOf(useWidth(), 240);
  const places = past.map((one, i) => ({ ...one, number: i + 1 }));
  const [first = 1, last = 1] = extent(places, ({ number }) => number);
  const x = scaleLinear([first, last], [frame.left, frame.right]).nice();
  const y = scaleLinear([0, 1], [frame.bottom, frame.top]);
  const path = line<(typeof places)[number]>(
    ({ number }) => x(number),
    ({ share }) => y(share),
  )(places);
  return (
    <>
      <p class="note">{resultTexts.historyNote}</p>
      <svg
        class="chart curve exam-curve"
        viewBox={`0 0 ${frame.width} ${frame.height}`}
        role="img"
        aria-label={fill(resultTexts.historyDescription, {
          first: shareText(past[0]?.share ?? 0),
          last: shareText(past.at(-1)?.share ?? 0),
        })}
      >
        <UprightTicks ticks={y.ticks(5)} y={y} from={frame.left} to={frame.right} text={shareText} />
        <g class="exam-line mark">
          <line x1={frame.left} x2={frame.right} y1={y(mark)} y2={y(mark)} />
        </g>
        <g class="part-0">
          <path d={path ?? ""} />
        </g>
        {places.map(({ id, number, share, low, high }) => (
          <g key={id} class="exam-point part-0">
            <line x1={x(number)} x2={x(number)} y1={y(low)} y2={y(high)} />
            <circle class="fill" cx={x(number)} cy={y(share)} r="5" />
            <text class="axis-name" x={x(number)} y={y(0) + 22} text-anchor="middle">
              {number}
            </text>
          </g>
        ))}
      </svg>
    </>
  );
}
