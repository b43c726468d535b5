/** The chance of passing over mastery: why the mark itself is no safe aim. */

import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { fill } from "../../../messages.ts";
import { ChartTable } from "../../../screens/charts/chart_table.tsx";
import { AcrossNames } from "../../../screens/charts/curve.tsx";
import { useWidth } from "../../../screens/narrow.ts";
import { UprightTicks } from "../../../views/chart.tsx";
import type { Blueprint } from "../../blueprint.ts";
import type { PastExam } from "../../exam_marks.ts";
import { curveFrom, kSafe, masteryFor, passChance, passCount, passCurve } from "../../exam_result.ts";
import { anchorAt, frameOf } from "./frame.ts";
import { chanceText, shareText } from "./percent.ts";
import { resultTexts } from "./result_texts.ts";

interface CurveProps {
  blueprint: Blueprint;
  /** Share of this exam, with its interval. */
  now: Pick<PastExam, "share" | "low" | "high">;
}

export function PassCurve({ blueprint, now }: CurveProps) {
  const frame = frameOf(useWidth(), 300);
  const { share: mark } = blueprint.exam.pass_mark;
  const points = curveFrom(passCurve(blueprint), now.low);
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  const x = scaleLinear([first.mastery, last.mastery], [frame.left, frame.right]);
  const y = scaleLinear([0, 1], [frame.bottom, frame.top]);
  const path = line<(typeof points)[number]>(
    ({ mastery }) => x(mastery),
    ({ chance }) => y(chance),
  )(points);
  const band = area<number>(x, y(0), y(1))([now.low, now.high]);
  const lines = [
    { key: "mark", at: mark, text: fill(resultTexts.markLine, { share: shareText(mark) }) },
    { key: "yours", at: now.share, text: fill(resultTexts.yourShare, { share: shareText(now.share) }) },
  ];
  const rows = curveFrom(passCurve(blueprint, 21), now.low);
  return (
    <section class="exam-part">
      <h2>{resultTexts.curveTitle}</h2>
      <figure class="chart-figure">
        <figcaption>
          <h3>
            {fill(resultTexts.curveConclusion, {
              safe: shareText(masteryFor(blueprint, kSafe)),
              mark: shareText(mark),
              atMark: chanceText(passChance(blueprint, mark)),
            })}
          </h3>
        </figcaption>
        <p class="note">
          {fill(resultTexts.curveNote, { questions: blueprint.exam.questions, needed: passCount(blueprint) })}
        </p>
        <svg
          class="chart curve exam-curve"
          viewBox={`0 0 ${frame.width} ${frame.height}`}
          role="img"
          aria-label={fill(resultTexts.curveDescription, {
            from: shareText(first.mastery),
            low: chanceText(first.chance),
            to: shareText(last.mastery),
            high: chanceText(last.chance),
          })}
        >
          <path class="exam-band" d={band ?? ""} />
          <UprightTicks ticks={y.ticks(5)} y={y} from={frame.left} to={frame.right} text={shareText} />
          <AcrossNames ticks={x.ticks(6)} x={x} y={y(0) + 22} text={shareText} />
          {lines.map(({ key, at, text }, i) => {
            const { dx, anchor } = anchorAt(frame, x(at));
            return (
              <g key={key} class={`exam-line ${key}`}>
                <line x1={x(at)} x2={x(at)} y1={y(1)} y2={y(0)} />
                <text x={x(at)} dx={dx} y={y(1) + i * 22 - 8} text-anchor={anchor}>
                  {text}
                </text>
              </g>
            );
          })}
          <g class="part-0">
            <path d={path ?? ""} />
          </g>
        </svg>
        <ChartTable
          columns={[resultTexts.mastery, resultTexts.chance]}
          rows={rows.map(({ mastery, chance }) => ({
            key: String(mastery),
            cells: [shareText(mastery), chanceText(chance)],
          }))}
        />
      </figure>
    </section>
  );
}
