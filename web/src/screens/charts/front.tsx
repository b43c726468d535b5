/**
 * What cannot be had better in one of two measures without being worse in the other: marks of a search, one colour and shape a
 * GPU. A search also keeps what is better in a third measure alone; that is in the table.
 */
import { useState } from "preact/hooks";
import { figureText, phrase, roundUsdText } from "../../format.ts";
import { isObject, type JsonObject, numberAt, valueAt } from "../../json.ts";
import { fill, labelOf } from "../../messages.ts";
import { usePage } from "../../page.ts";
import { nameOf } from "../../state.ts";
import { ChartFiles } from "../../views/chart_files.tsx";
import type { ChosenRow } from "../../views/chosen_row.tsx";
import { Disclosure } from "../../views/fold.tsx";
import { type FrontAxis, FrontDrawing, undominated } from "../../views/front_drawing.tsx";
import { paretoTexts } from "../../views/pareto_texts.ts";
import { texts } from "../texts.ts";
import { NumbersTable } from "./chart_table.tsx";

/** Pairs of measures, the first that the answer has both of: across, and upright; and which end of both is better. */
const kAxes: readonly (readonly [across: string, upright: string, better: "less" | "more"])[] = [
  ["tokens_per_s_per_user", "output_tokens_per_s_per_gpu", "more"],
  ["run_time_days", "cost_usd", "less"],
  ["run_time_days", "gpu_count", "less"],
];

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
  const [chosen, setChosen] = useState<ChosenRow>();
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
      {axes === undefined ? null : (
        <Marks rows={rows} axes={axes} name={name} showRow={(row) => setChosen({ key: String(row) })} />
      )}
      <Disclosure summary={fill(texts.frontTable, { count: rows.length })} open={chosen !== undefined}>
        {() => (
          <NumbersTable
            chosen={chosen}
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
  axes: (typeof kAxes)[number];
  name: (row: JsonObject) => string;
  showRow: (row: number) => void;
}

/** The limit of the request that the axis across can show: its place there, and how it is said. */
function limitOf(request: JsonObject, across: string): { at: number; lines: string[] } | undefined {
  const days = numberAt(request, "/deadline_days");
  if (across === "run_time_days" && days !== undefined)
    return { at: days, lines: [fill(paretoTexts.deadline, { value: phrase(figureText("days", days)) })] };
  const each = numberAt(request, "/tpot_s_p95_max");
  if (across !== "tokens_per_s_per_user" || each === undefined || each <= 0) return undefined;
  const value = phrase(figureText("tpot_s", each));
  return { at: 1 / each, lines: [fill(paretoTexts.target, { value }), paretoTexts.percentile] };
}

function Marks({ rows, axes, name, showRow }: MarksProps) {
  const { state } = usePage();
  const [across, upright, better] = axes;
  const text = (key: string, value: number) => phrase(figureText(key, value));
  const all = rows.flatMap((row, at) => {
    const [x, y] = [row[across], row[upright]];
    if (!isNumber(x) || !isNumber(y)) return [];
    const beyond = row.within_limits === false;
    const said = `${name(row)}: ${text(across, x)}, ${text(upright, y)}`;
    return [
      {
        key: String(at),
        gpu: String(row.gpu ?? ""),
        x,
        y,
        beyond,
        text: beyond ? `${said}, ${texts.beyond}` : said,
        choose: () => showRow(at),
      },
    ];
  });
  const marks = undominated(all, better, better);
  if (marks.length < 2) return null;
  const others = all.filter((mark) => !marks.includes(mark)).length;
  return (
    <>
      <p class="note">
        {fill(texts.frontNote, { across: labelOf(across), upright: labelOf(upright) })}
        {others === 0 ? null : ` ${fill(texts.frontOthers, { count: others })}`}
        {marks.some(({ beyond }) => beyond) ? ` ${texts.frontBeyond}` : null}
      </p>
      <FrontDrawing
        front={marks}
        across={axisOf(across)}
        upright={axisOf(upright)}
        limit={limitOf(state.answered.value, across)}
        spoken={([from, to], [low, high]) =>
          fill(texts.frontDescription, {
            count: marks.length,
            across: labelOf(across),
            from: text(across, from),
            to: text(across, to),
            upright: labelOf(upright),
            low: text(upright, low),
            high: text(upright, high),
          })
        }
        hint={texts.frontHint}
      />
    </>
  );
}

/** An axis whose name says the unit of its ticks. */
function axisOf(key: string): FrontAxis {
  const { unit } = figureText(key, 1);
  const isMoney = /(?:^|_)usd(?:_|$)/.test(key);
  return {
    name: unit === "" ? labelOf(key) : `${labelOf(key)}, ${unit}`,
    text: isMoney ? roundUsdText : (tick) => figureText(key, tick).value,
    isMoney,
  };
}
