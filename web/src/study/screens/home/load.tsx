/** What each day takes: of a plan towards an exam, or of what is known to come back. */
import { fill } from "../../../messages.ts";
import { ChartTable, NumbersTable } from "../../../screens/charts/chart_table.tsx";
import { useWidth } from "../../../screens/narrow.ts";
import { UprightTicks } from "../../../views/chart.tsx";
import type { DayLoad } from "../../exam_plan.ts";
import { loadSummary, minutesOfDay } from "../../home_numbers.ts";
import type { Learner } from "../../learner.ts";
import { dueForecast } from "../../session_result.ts";
import { timeOfDay } from "../../spans.ts";
import type { StudyPlan } from "../../study_plan.ts";
import { percentText } from "../session/confidence.tsx";
import { dayText } from "../span_text.ts";
import type { StudyTools } from "../study_data.ts";
import { useForecast } from "./forecast.ts";
import { kLoadHeight, loadBars } from "./plots.ts";
import { studyHomeTexts } from "./texts.ts";

interface PlanLoadProps {
  tools: StudyTools;
  learner: Learner;
  examAt: number;
  minutes: number;
  plan: StudyPlan | undefined;
}

export function PlanLoad({ tools, learner, examAt, minutes, plan }: PlanLoadProps) {
  const days = useForecast(tools, learner, examAt, minutes, plan);
  const summary = days === undefined ? undefined : loadSummary(days);
  const now = Date.now();
  const nameOf = (day: number) => (day === 0 ? studyHomeTexts.today : dayText(timeOfDay(now, day)));
  return (
    <figure class="chart-figure load">
      <figcaption>
        <h3>{studyHomeTexts.forecastTitle}</h3>
        <p aria-live="polite">
          {summary === undefined
            ? studyHomeTexts.forecastSoon
            : fill(studyHomeTexts.forecastPlan, {
                ...summary,
                recall: percentText(summary.recallAtExam),
              })}
        </p>
      </figcaption>
      {days === undefined || summary === undefined ? null : (
        <>
          <LoadChart days={days} nameOf={nameOf} />
          <p class="note">{studyHomeTexts.forecastNote}</p>
          <ChartTable
            columns={[
              studyHomeTexts.day,
              studyHomeTexts.reviews,
              studyHomeTexts.newCards,
              studyHomeTexts.minutesColumn,
            ]}
            rows={days.map((day) => ({
              key: String(day.day),
              cells: [nameOf(day.day), String(day.reviews), String(day.newCards), String(minutesOfDay(day))],
            }))}
          />
        </>
      )}
    </figure>
  );
}

function LoadChart({ days, nameOf }: { days: readonly DayLoad[]; nameOf: (day: number) => string }) {
  const width = useWidth();
  const { ticks, y, bars, left, right, foot } = loadBars(days, width);
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${width} ${kLoadHeight}`}
      role="img"
      aria-label={fill(studyHomeTexts.forecastChart, { days: days.length })}
    >
      <UprightTicks ticks={ticks} y={y} from={left} to={right} text={String} />
      {bars.map(({ day, x, top, width: wide, height }) => (
        <rect key={day} class="load-bar" x={x} y={top} width={wide} height={height} />
      ))}
      {bars
        .filter(({ isNamed }) => isNamed)
        .map(({ day, x }) => (
          <text key={day} class="axis-name" x={x} y={foot}>
            {nameOf(day)}
          </text>
        ))}
    </svg>
  );
}

/** Without a date: what comes back by itself. */
export function DueLoad({ learner, now }: { learner: Learner; now: number }) {
  if (learner.states.size === 0) return null;
  return (
    <>
      <h3>{studyHomeTexts.forecastTitle}</h3>
      <p class="note">{studyHomeTexts.forecastDue}</p>
      <NumbersTable
        columns={[studyHomeTexts.day, studyHomeTexts.dueCards]}
        rows={dueForecast(learner, now).map(({ time, cards }, day) => ({
          key: String(time),
          cells: [day === 0 ? studyHomeTexts.today : dayText(time), String(cards)],
        }))}
      />
    </>
  );
}
