/** What has been paid by the end of each year over the draws: two bands and the middle for each way, and the five numbers of a year. */

import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { useState } from "preact/hooks";
import { figureText, phrase, roundUsdText } from "../../format.ts";
import { isObject, numberAt, textAt, valueAt } from "../../json.ts";
import { fill, labelOf } from "../../messages.ts";
import { usePage } from "../../page.ts";
import { moneyTicks, UprightTicks } from "../../views/chart.tsx";
import { wayText } from "../../views/names.ts";
import { useWidth } from "../narrow.ts";
import { reportTexts } from "../report_texts.ts";
import { texts } from "../texts.ts";
import { Amount, type PlaceProps } from "../value.tsx";
import { ChartTable } from "./chart_table.tsx";
import { AcrossNames, Stepper } from "./curve.tsx";

const kHeight = 300;
const kQuantiles = ["p5", "p25", "p50", "p75", "p95"] as const;
type Quantile = (typeof kQuantiles)[number];
const kWays = ["own_usd", "rent_usd", "hybrid_usd"] as const;
type Way = (typeof kWays)[number];

interface Year {
  year: number;
  paid: Partial<Record<Way, Record<Quantile, number>>>;
}

function quantilesAt(answer: unknown, place: string): Record<Quantile, number> | undefined {
  const all = kQuantiles.flatMap((name) => {
    const value = numberAt(answer, `${place}/${name}`);
    return value === undefined ? [] : [[name, value] as const];
  });
  return all.length < kQuantiles.length ? undefined : (Object.fromEntries(all) as Record<Quantile, number>);
}

export function yearsOf(answer: unknown, place: string): Year[] {
  const list = valueAt(answer, place);
  return (Array.isArray(list) ? list : []).flatMap((item, i) => {
    const year = isObject(item) ? item.year : undefined;
    const paid = Object.fromEntries(
      kWays.flatMap((way) => {
        const quantiles = quantilesAt(answer, `${place}/${i}/${way}`);
        return quantiles === undefined ? [] : [[way, quantiles]];
      }),
    );
    return typeof year === "number" ? [{ year, paid }] : [];
  });
}

const money = (usd: number) => figureText("usd", usd).value;
const kLeft = 112;
const kNames: Record<Way, string> = { own_usd: "on_premises", rent_usd: "cloud", hybrid_usd: "hybrid" };
const nameOf = (way: Way) => labelOf(kNames[way]);
/** The fan of each way of paying; what is committed to is drawn by none. */
const kFanOf: Record<string, Way> = { own: "own_usd", "rent-on-demand": "rent_usd", hybrid: "hybrid_usd" };

/** "Owning: 5 % $374,000, ...": the five numbers of a way, as they are spoken. */
function spoken(way: Way, paid: Record<Quantile, number>): string {
  return fill(texts.fanSpoken, {
    way: nameOf(way),
    ...Object.fromEntries(kQuantiles.map((name) => [name, money(paid[name])])),
  });
}

export function Fan({ place }: { place: string }) {
  const { state } = usePage();
  const years = yearsOf(state.answer.value, place);
  const [chosen, setChosen] = useState<number>();
  const last = years.length - 1;
  if (last < 1) return null;
  const at = Math.min(chosen ?? last, last);
  const now = years[at];
  const ways = kWays.filter((way) => years.every(({ paid }) => paid[way] !== undefined));
  const sentences = ways.flatMap((way) => {
    const paid = now?.paid[way];
    return paid === undefined ? [] : [spoken(way, paid)];
  });
  const title = ways.map((way) => `${nameOf(way)} ${money(years[last]?.paid[way]?.p50 ?? 0)}`).join(", ");
  return (
    <figure class="chart-figure fan">
      <figcaption>
        <h3>{fill(texts.fanTitle, { year: years[last]?.year ?? 0, ways: title })}</h3>
        <p class="note">
          {texts.fanNote} <Discounted /> <LeftOut place={place} ways={ways} />
        </p>
      </figcaption>
      <Bands years={years} ways={ways} at={at} />
      <Stepper
        label={fill(texts.fanYear, { year: now?.year ?? 0 })}
        last={last}
        at={at}
        spoken={`${fill(texts.fanYear, { year: now?.year ?? 0 })}. ${sentences.join(" ")}`}
        choose={setChosen}
      />
      <ul class="fan-said">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <ChartTable
        columns={[texts.fanYearColumn, texts.fanWay, ...kQuantiles]}
        rows={years.flatMap(({ year, paid }, i) =>
          ways.map((way) => ({
            key: `${year} ${way}`,
            cells: [
              String(year),
              nameOf(way),
              ...kQuantiles.map((name) => (
                <Amount key={name} place={`${place}/${i}/${way}/${name}`} text={money(paid[way]?.[name] ?? 0)} />
              )),
            ],
          })),
        )}
      />
    </figure>
  );
}

/** The rate by which later payments count less: that of the request, else the one that the engine assumed. */
function Discounted() {
  const { answer, answered } = usePage().state;
  const at = "/economics/discount_rate";
  const assumed = answer.value.assumptions?.find(({ path }) => path === at)?.value;
  const rate = numberAt(answered.value, at) ?? assumed;
  if (typeof rate !== "number") return null;
  return <b>{fill(reportTexts.discounted, { rate: phrase(figureText("discount_rate", rate)) })}</b>;
}

/** What the fans do not have: the way that is recommended, where none is its own, and what the servers are sold for. */
function LeftOut({ place, ways }: PlaceProps & { ways: readonly Way[] }) {
  const { state } = usePage();
  const [plan = ""] = /^\/plans\/\d+/.exec(place) ?? [];
  const way = textAt(state.answer.value, `${plan}/way`) ?? "";
  const fan = kFanOf[way];
  const isDrawn = fan !== undefined && ways.includes(fan);
  const resale = `${plan}/cost/on_premises/residual_usd`;
  return (
    <>
      {way === "" || isDrawn ? null : fill(texts.fanWithout, { way: wayText(way) })}{" "}
      {numberAt(state.answer.value, resale) === undefined ? null : (
        <>
          {texts.fanResale} <Amount place={resale} />
        </>
      )}
    </>
  );
}

function Bands({ years, ways, at }: { years: readonly Year[]; ways: readonly Way[]; at: number }) {
  const width = useWidth();
  const ends = ways.flatMap((way) => years.map(({ paid }) => paid[way]?.p95 ?? 0));
  const [, most = 1] = extent(ends);
  const x = scaleLinear(extent(years, ({ year }) => year) as [number, number], [kLeft, width - 16]);
  const y = scaleLinear([0, most], [kHeight - 36, 12]);
  const of = (way: Way, name: Quantile) => (year: Year) => y(year.paid[way]?.[name] ?? 0);
  const band = (way: Way, low: Quantile, high: Quantile) =>
    area<Year>(({ year }) => x(year), of(way, low), of(way, high))([...years]) ?? "";
  const last = years.at(-1);
  /** Owning stands above its fan where it begins, both together below theirs, renting below its own where it ends: no name covers another. */
  const named = (way: Way) => {
    const above = way === "own_usd";
    const isAtStart = way !== "rent_usd";
    const year = isAtStart ? years[0] : last;
    if (year === undefined) return null;
    const height = above ? y(year.paid[way]?.p95 ?? 0) - 10 : y(year.paid[way]?.p5 ?? 0) + 22;
    return (
      <text x={isAtStart ? x(year.year) + 8 : x(year.year) - 8} y={height} text-anchor={isAtStart ? "start" : "end"}>
        {nameOf(way)}
      </text>
    );
  };
  return (
    <svg
      class="chart curve fan-bands"
      viewBox={`0 0 ${width} ${kHeight}`}
      role="img"
      aria-label={fill(texts.fanDescription, { years: last?.year ?? 0, most: money(most) })}
    >
      <UprightTicks
        ticks={moneyTicks(y, (shown) => shown.ticks(4))}
        y={y}
        from={kLeft}
        to={width - 16}
        text={roundUsdText}
      />
      <AcrossNames ticks={years.map(({ year }) => year)} x={x} y={kHeight - 14} text={String} />
      {ways.map((way, i) => (
        <g key={way} class={`part-${i}`}>
          <path class="band outer" d={band(way, "p5", "p95")} />
          <path class="band inner" d={band(way, "p25", "p75")} />
          <path class="middle" d={line<Year>(({ year }) => x(year), of(way, "p50"))([...years]) ?? ""} />
          {named(way)}
        </g>
      ))}
      <g class="now">
        <line x1={x(years[at]?.year ?? 0)} x2={x(years[at]?.year ?? 0)} y1="12" y2={kHeight - 36} />
      </g>
    </svg>
  );
}
