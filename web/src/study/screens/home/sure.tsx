/** How well the learner knows what they know: stated confidence against what was right. */

import { figureText, numberText } from "../../../format.ts";
import { fill } from "../../../messages.ts";
import { ChartTable } from "../../../screens/charts/chart_table.tsx";
import { AcrossNames } from "../../../screens/charts/curve.tsx";
import { useWidth } from "../../../screens/narrow.ts";
import { UprightTicks } from "../../../views/chart.tsx";
import { type Calibration, kConfidences } from "../../confidence.ts";
import {
  biasWord,
  calibrationOf,
  kStatisticAnswers,
  missingAnswers,
  statedAndRight,
  wholePercent,
} from "../../home_numbers.ts";
import { percentText } from "../session/confidence.tsx";
import type { StudyTools } from "../study_data.ts";
import { kSureHeight, sureMarks } from "./plots.ts";
import { studyHomeTexts } from "./texts.ts";

export function Sure({ tools }: { tools: StudyTools }) {
  const all = calibrationOf(tools.store.data().reviews);
  const missing = missingAnswers(kStatisticAnswers, all?.answers ?? 0);
  const now = missing > 0 ? undefined : all;
  return (
    <section class="card study-part" aria-labelledby="sure-title">
      <h2 id="sure-title">{now === undefined ? studyHomeTexts.sureTitle : titleOf(now)}</h2>
      {now === undefined ? (
        <p>{fill(studyHomeTexts.sureEmpty, { count: missing })}</p>
      ) : (
        <Reliability calibration={now} />
      )}
    </section>
  );
}

function titleOf(calibration: Calibration): string {
  const { stated, right } = statedAndRight(calibration);
  return fill(studyHomeTexts.sureTitles[biasWord(calibration)], {
    stated: percentText(stated),
    right: percentText(right),
  });
}

const shareText = (share: number) => figureText("fraction", wholePercent(share)).value;

function Reliability({ calibration }: { calibration: Calibration }) {
  const { brier, answers, bins } = calibration;
  return (
    <figure class="chart-figure sure">
      <figcaption>
        <p class="note">{fill(studyHomeTexts.sureNote, { brier: numberText(brier), count: answers })}</p>
      </figcaption>
      <Plot calibration={calibration} />
      <ChartTable
        columns={[studyHomeTexts.stated, studyHomeTexts.answers, studyHomeTexts.shareRight, studyHomeTexts.interval]}
        rows={sureMarks(calibration, 1).points.map(({ key, share }, i) => ({
          key: String(key),
          cells: [
            percentText(key),
            String(bins[i]?.answers ?? 0),
            shareText(share),
            `${shareText(bins[i]?.low ?? 0)} – ${shareText(bins[i]?.high ?? 1)}`,
          ],
        }))}
      />
    </figure>
  );
}

function Plot({ calibration }: { calibration: Calibration }) {
  const width = useWidth();
  const { x, y, left, right, foot, names, line, points } = sureMarks(calibration, width);
  return (
    <svg
      class="chart curve sure-plot"
      viewBox={`0 0 ${width} ${kSureHeight}`}
      role="img"
      aria-label={studyHomeTexts.sureChart}
    >
      <UprightTicks ticks={[0, 0.25, 0.5, 0.75, 1]} y={y} from={left} to={right} text={percentText} />
      <AcrossNames ticks={kConfidences} x={x} y={names} text={percentText} />
      <text class="axis-name" x={right} y={foot} dy="36" text-anchor="end">
        {studyHomeTexts.stated}
      </text>
      <line class="even" {...line} />
      {points.map(({ key, at, up, low, high }) => (
        <g key={key} class="sure-point">
          <line x1={at} x2={at} y1={low} y2={high} />
          <circle cx={at} cy={up} r="6" />
        </g>
      ))}
    </svg>
  );
}
