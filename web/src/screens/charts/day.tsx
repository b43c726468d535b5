/** Figures of the 24 hours: bars of one of them, or lines of several. */
import { greatest, least, max } from "d3-array";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { figureText, phrase } from "../../format.ts";
import { type JsonObject, numberAt } from "../../json.ts";
import { fill, labelOf } from "../../messages.ts";
import { Mark, SeriesLegend, UprightTicks } from "../../views/chart.tsx";
import { useWidth } from "../narrow.ts";
import { trafficTexts } from "../traffic_texts.ts";
import { Amount } from "../value.tsx";
import { ChartTable } from "./chart_table.tsx";
import { AcrossNames } from "./curve.tsx";

const kHeight = 190;
const kLeft = 72;
const kRight = 8;
/** Every third hour, or every sixth in a narrow drawing. */
const kHours = [0, 3, 6, 9, 12, 15, 18, 21];
const kFewHours = [0, 6, 12, 18];
const kWideFrom = 600;

const hourText = (hour: number) => fill(trafficTexts.hourOfDay, { hour });
export const valueText = (key: string, value: number) => phrase(figureText(key, value));

type Scale = ReturnType<typeof scaleLinear<number>>;

const hourOf = (hour: JsonObject) => numberAt(hour, "/hour") ?? 0;

interface DayChartProps {
  title: string;
  note?: string;
  /** Of the list of hours. */
  place: string;
  hours: readonly JsonObject[];
  /** Keys of an hour: one is drawn as bars, several as lines. */
  keys: readonly string[];
  /** A line across. */
  limit?: number;
}

/** "Time to first token, p95 by hour of the day: least 108 ms at 3:00, most 1.57 s at 12:00." */
function described(hours: readonly JsonObject[], key: string): string {
  const of = (hour: JsonObject) => numberAt(hour, `/${key}`);
  const lowest = least(hours, of);
  const highest = greatest(hours, of);
  return fill(trafficTexts.chartDescription, {
    name: labelOf(key),
    least: valueText(key, numberAt(lowest, `/${key}`) ?? 0),
    leastHour: hourText(numberAt(lowest, "/hour") ?? 0),
    most: valueText(key, numberAt(highest, `/${key}`) ?? 0),
    mostHour: hourText(numberAt(highest, "/hour") ?? 0),
  });
}

export function DayChart({ title, note, place, hours, keys, limit }: DayChartProps) {
  const width = useWidth();
  const right = width - kRight;
  const values = hours.flatMap((hour) => keys.map((key) => numberAt(hour, `/${key}`) ?? 0));
  const x = scaleLinear([0, 24], [kLeft, right]);
  const y = scaleLinear([0, max([...values, limit ?? 0]) || 1], [kHeight - 32, 14]).nice(3);
  const [first = ""] = keys;
  const isBars = keys.length === 1;
  return (
    <figure class="chart-figure">
      <figcaption>
        <h3>{title}</h3>
        {note === undefined ? null : <p class="note">{note}</p>}
      </figcaption>
      <svg
        class="chart curve day-chart"
        viewBox={`0 0 ${width} ${kHeight}`}
        role="img"
        aria-label={keys.map((key) => described(hours, key)).join(" ")}
      >
        <UprightTicks
          ticks={y.ticks(3)}
          y={y}
          from={kLeft}
          to={right}
          text={(value) => (isBars ? figureText(first, value).value : valueText(first, value))}
        />
        <AcrossNames ticks={width < kWideFrom ? kFewHours : kHours} x={x} y={kHeight - 8} text={hourText} />
        {keys.map((key, i) => (
          <Series key={key} series={i} name={key} hours={hours} x={x} y={y} isBars={isBars} />
        ))}
        {limit === undefined ? null : (
          <g class="target">
            <line x1={kLeft} x2={right} y1={y(limit)} y2={y(limit)} />
          </g>
        )}
      </svg>
      {isBars ? null : <SeriesLegend names={keys.map(labelOf)} />}
      <ChartTable
        columns={[trafficTexts.hourColumn, ...keys.map(labelOf)]}
        rows={hours.map((hour, i) => ({
          key: String(i),
          cells: [hourText(hourOf(hour)), ...keys.map((key) => <Amount key={key} place={`${place}/${i}/${key}`} />)],
        }))}
      />
    </figure>
  );
}

interface SeriesProps {
  series: number;
  name: string;
  hours: readonly JsonObject[];
  x: Scale;
  y: Scale;
  isBars: boolean;
}

function Series({ series, name, hours, x, y, isBars }: SeriesProps) {
  const value = (hour: JsonObject) => numberAt(hour, `/${name}`) ?? 0;
  const middle = (hour: JsonObject) => x(hourOf(hour)) + (x(1) - x(0)) / 2;
  const said = (hour: JsonObject) => `${hourText(hourOf(hour))} ${valueText(name, value(hour))}`;
  return (
    <g class={`part-${series}`}>
      {isBars ? null : <path d={line<JsonObject>(middle, (hour) => y(value(hour)))([...hours]) ?? ""} />}
      {hours.map((hour) =>
        isBars ? (
          <rect
            key={hourOf(hour)}
            class="fill"
            x={x(hourOf(hour)) + 1.5}
            width={x(1) - x(0) - 3}
            y={y(value(hour))}
            height={y(0) - y(value(hour))}
          >
            <title>{said(hour)}</title>
          </rect>
        ) : (
          <g key={hourOf(hour)} transform={`translate(${middle(hour)} ${y(value(hour))})`}>
            <Mark series={series} area={50} title={said(hour)} />
          </g>
        ),
      )}
    </g>
  );
}
