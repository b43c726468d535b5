/** What cannot be had better in one measure without being worse in another: the marks of a search, one colour and shape a GPU. */
import { extent } from "d3-array";
import { scaleLog } from "d3-scale";
import { figureText, phrase } from "../../format.ts";
import { isObject, type JsonObject, valueAt } from "../../json.ts";
import { fill, labelOf } from "../../messages.ts";
import { usePage } from "../../page.ts";
import { nameOf } from "../../state.ts";
import { AcrossTicks, Mark, percentOf, SeriesLegend, seriesClass, ticksOf, UprightTicks } from "../../views/chart.tsx";
import { ChartFiles } from "../../views/chart_files.tsx";
import { Disclosure } from "../../views/fold.tsx";
import { texts } from "../texts.ts";
import { NumbersTable } from "./chart_table.tsx";

/** Pairs of measures, the first that the answer has both of: across, and upright. */
const kAxes: readonly (readonly [string, string])[] = [
  ["tokens_per_s_per_user", "output_tokens_per_s_per_gpu"],
  ["run_time_days", "cost_usd"],
  ["run_time_days", "gpu_count"],
];
/** More GPUs than this are drawn without a name of their own; the table has them all. */
const kNamed = 5;
const kHeight = 340;

/** Columns as rows: each row has the numbers and words of one mark. */
export function rowsOfColumns(columns: JsonObject): JsonObject[] {
  const lists = Object.entries(columns).filter((entry): entry is [string, (string | number | null)[]] =>
    Array.isArray(entry[1]),
  );
  const length = Math.max(0, ...lists.map(([, list]) => list.length));
  return Array.from({ length }, (_, i) => Object.fromEntries(lists.map(([key, list]) => [key, list[i] ?? null])));
}

export function Front({ place }: { place: string }) {
  const { state } = usePage();
  const columns = valueAt(state.answer.value, place);
  if (!isObject(columns)) return null;
  const rows = rowsOfColumns(columns);
  const axes = kAxes.find(([across, upright]) => rows.some((row) => isNumber(row[across]) && isNumber(row[upright])));
  const keys = Object.keys(columns).filter((key) => !/_(low|high)$/.test(key) && rows.some((row) => row[key] !== null));
  const name = (row: JsonObject) => nameOf(state.initial.gpus, String(row.gpu ?? ""));
  const cell = (row: JsonObject, key: string) => {
    const value = row[key];
    if (typeof value === "number") return phrase(figureText(key, value));
    if (typeof value === "boolean") return value ? texts.within : texts.beyond;
    return value === null || value === undefined ? "–" : String(value);
  };
  const others = keys.filter((key) => key !== "gpu");
  return (
    <figure class="chart-figure">
      {axes === undefined ? null : <Marks rows={rows} across={axes[0]} upright={axes[1]} name={name} />}
      <Disclosure summary={fill(texts.frontTable, { count: rows.length })}>
        {() => (
          <NumbersTable
            columns={[labelOf("gpu"), ...others.map(labelOf)]}
            rows={rows.map((row, i) => ({
              key: String(i),
              cells: [name(row), ...others.map((key) => cell(row, key))],
            }))}
          />
        )}
      </Disclosure>
      {axes === undefined ? null : <ChartFiles />}
    </figure>
  );
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}

interface MarksProps {
  rows: readonly JsonObject[];
  across: string;
  upright: string;
  name: (row: JsonObject) => string;
}

function Marks({ rows, across, upright, name }: MarksProps) {
  const marks = rows.flatMap((row) => {
    const [x, y] = [row[across], row[upright]];
    return isNumber(x) && isNumber(y) ? [{ row, gpu: String(row.gpu ?? ""), x, y }] : [];
  });
  if (marks.length < 2) return null;
  const [left = 1, right = 1] = extent(marks, ({ x }) => x);
  const [low = 1, high = 1] = extent(marks, ({ y }) => y);
  const x = scaleLog([left / 1.15, right * 1.15], [10, 98]);
  const y = scaleLog([low / 1.3, high * 1.5], [kHeight - 44, 12]);
  const counts = new Map<string, number>();
  for (const { gpu } of marks) counts.set(gpu, (counts.get(gpu) ?? 0) + 1);
  const named = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, kNamed)
    .map(([gpu]) => gpu);
  const text = (key: string, value: number) => phrase(figureText(key, value));
  return (
    <>
      <p class="note">{fill(texts.frontNote, { across: labelOf(across), upright: labelOf(upright) })}</p>
      <svg
        class="chart"
        width="100%"
        height={kHeight}
        role="img"
        aria-label={fill(texts.frontDescription, {
          count: marks.length,
          across: labelOf(across),
          from: text(across, left),
          to: text(across, right),
          upright: labelOf(upright),
          low: text(upright, low),
          high: text(upright, high),
        })}
      >
        <AcrossTicks
          ticks={ticksOf(x)}
          x={percentOf(x)}
          top={12}
          bottom={kHeight - 44}
          text={(tick) => figureText(across, tick).value}
        />
        <UprightTicks ticks={ticksOf(y)} y={y} from="8%" to="98%" text={(tick) => figureText(upright, tick).value} />
        <text class="axis-name" x="98%" y={kHeight - 8} text-anchor="end">
          {axisName(across)}
        </text>
        {marks.map(({ row, gpu, x: at, y: up }, i) => {
          const place = named.indexOf(gpu);
          return (
            <g key={i} class={seriesClass(place)}>
              <svg x={`${x(at)}%`} y={y(up)} class="mark" aria-hidden="true">
                <Mark series={place} area={44} title={`${name(row)}: ${text(across, at)}, ${text(upright, up)}`} />
              </svg>
            </g>
          );
        })}
      </svg>
      <SeriesLegend names={named.map((gpu) => name({ gpu }))} />
    </>
  );
}

function axisName(key: string): string {
  const { unit } = figureText(key, 1);
  return unit === "" ? labelOf(key) : `${labelOf(key)}, ${unit}`;
}
