/** How far each input moves the result: a bar from its low to its high value, the widest first, around the result itself. */
import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { figureText } from "../../format.ts";
import { isObject, numberAt, valueAt } from "../../json.ts";
import { fill, humanize } from "../../messages.ts";
import { usePage } from "../../page.ts";
import { AcrossTicks, moneyTicks, percentOf } from "../../views/chart.tsx";
import { fieldLabel } from "../field_names.ts";
import { texts } from "../texts.ts";
import { Amount } from "../value.tsx";
import { ChartTable } from "./chart_table.tsx";

const kLow = "usd_per_gpu_hour_used_at_low";
const kHigh = "usd_per_gpu_hour_used_at_high";
const kSwing = "swing_usd_per_gpu_hour";
/** A name over its bar: a long one beside it would lie under the bar on a phone. */
const kRow = 40;

export function Tornado({ place }: { place: string }) {
  const { state } = usePage();
  const answer = state.answer.value;
  const list = valueAt(answer, place);
  const rows = (Array.isArray(list) ? list.filter(isObject) : []).flatMap((row, i) => {
    const low = row[kLow];
    const high = row[kHigh];
    if (typeof low !== "number" || typeof high !== "number") return [];
    const input = String(row.input ?? "");
    return [{ input, label: fieldLabel(input), low, high, at: `${place}/${i}` }];
  });
  if (rows.length === 0) return null;
  const base = numberAt(answer, place.replace(/\/tornado$/, "/on_premises/usd_per_gpu_hour_used"));
  const cloud = place.replace(/\/tornado$/, "/cloud/usd_per_gpu_hour");
  const rent = numberAt(answer, `${cloud}_used`) ?? numberAt(answer, cloud);
  const ends = rows.flatMap(({ low, high }) => [low, high]);
  const [least = 0, most = 1] = extent([...ends, base, rent].filter((end) => end !== undefined));
  // The name of the last tick needs room beside it.
  const x = scaleLinear([least, most], [2, 92]);
  const money = (usd: number) => figureText("usd", usd).value;
  const first = rows[0];
  return (
    <figure class="chart-figure">
      <p class="note">
        {texts.tornadoNote} {rent === undefined ? null : fill(texts.tornadoRentNote, { rent: money(rent) })}
      </p>
      <svg
        class="chart"
        width="100%"
        height={rows.length * kRow + 30}
        role="img"
        aria-label={fill(texts.tornadoDescription, {
          count: rows.length,
          widest: first?.label ?? "",
          low: money(least),
          high: money(most),
        })}
      >
        <AcrossTicks
          ticks={moneyTicks(x, (shown) => shown.ticks(3))}
          x={percentOf(x)}
          top={0}
          bottom={rows.length * kRow + 6}
          text={money}
        />
        {rows.map(({ input, label, low, high }, i) => {
          const [from, to] = low < high ? [low, high] : [high, low];
          return (
            <g key={input} class="tornado-row">
              <rect
                class="fill"
                x={`${x(from)}%`}
                width={`${x(to) - x(from)}%`}
                y={i * kRow + 22}
                height={kRow - 26}
                rx="2"
              >
                <title>{`${label}: ${money(low)} – ${money(high)}`}</title>
              </rect>
            </g>
          );
        })}
        {base === undefined ? null : (
          <line class="base-line" x1={`${x(base)}%`} x2={`${x(base)}%`} y1="0" y2={rows.length * kRow + 6} />
        )}
        {rent === undefined ? null : (
          <line class="rent-line" x1={`${x(rent)}%`} x2={`${x(rent)}%`} y1="0" y2={rows.length * kRow + 6} />
        )}
        {rows.map(({ input, label }, i) => (
          <text key={input} x="2%" y={i * kRow + 16}>
            {label}
          </text>
        ))}
      </svg>
      <ChartTable
        columns={[texts.tornadoInput, texts.atLow, texts.atHigh, texts.swing]}
        rows={rows.map(({ input, label, at }) => ({
          key: input,
          cells: [
            label || humanize(input),
            <Amount place={`${at}/${kLow}`} bare />,
            <Amount place={`${at}/${kHigh}`} bare />,
            <Amount place={`${at}/${kSwing}`} bare />,
          ],
        }))}
      />
    </figure>
  );
}
