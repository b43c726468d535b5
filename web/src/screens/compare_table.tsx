/** Scenarios side by side: what was asked differently, then what comes of it with the differences from the first column. */
import type { ComponentChildren } from "preact";
import { figureText, phrase } from "../format.ts";
import { isObject, type Json, numberAt, pointerToken } from "../json.ts";
import { fill, labelOf, messages } from "../messages.ts";
import { PageContext, usePage } from "../page.ts";
import { type State, shownPlan } from "../state.ts";
import { Kept, kWays, latencyOf, Offer, Span } from "../views/answer.tsx";
import { Figure, keyOf } from "../views/figure.tsx";
import { planName, wayText } from "../views/names.ts";
import { placesOfPlan } from "../views/place_names.ts";
import { layoutText } from "../views/plans.tsx";
import { type Column, changedInputs } from "./compare_columns.ts";
import { differenceText } from "./difference.ts";
import { texts } from "./texts.ts";

interface Row {
  key: string;
  label: string;
  /** What stands in a column; nothing where it has none. */
  cell: (state: State) => ComponentChildren;
  /** The number that differences are of. */
  number?: (state: State) => string | undefined;
  /** What belongs to the number, below the difference. */
  more?: (state: State) => ComponentChildren;
}

/** Numbers whose label says their unit. */
const kBare = /(?:^|_)usd(?:_|$)/;

/** The number of a row with its difference from the first column, and what belongs to it. */
function numberRow(key: string, label: string, number: (state: State) => string | undefined, more?: Row["cell"]): Row {
  const cell = (state: State) => {
    const place = number(state);
    if (place === undefined || numberAt(state.answer.value, place) === undefined) return undefined;
    return <Figure place={place} bare={kBare.test(keyOf(place))} />;
  };
  return { key, label, cell, number, more };
}

const inPlan = (path: string) => (state: State) => {
  const place = shownPlan(state)?.place;
  return place === undefined ? undefined : `${place}/${path}`;
};

/** Where a number of the recommended way stands. */
const inWay = (paths: Readonly<Record<string, string>>) => (state: State) => {
  const shown = shownPlan(state);
  const path = paths[shown?.plan.way ?? ""];
  return path === undefined ? undefined : `${shown?.place}/cost/${path}`;
};

const kPurchase = { own: "on_premises/capex_usd", hybrid: "hybrid/capex_usd" };
/** What the draws say of a way's cost per year. */
const kDraws: Readonly<Record<string, string>> = { own: "own_usd_per_year", "rent-on-demand": "rent_usd_per_year" };

function drawsOf(state: State): ComponentChildren {
  const shown = shownPlan(state);
  const draws = `${shown?.place}/cost/distribution/${kDraws[shown?.plan.way ?? ""]}`;
  const [low, high] = ["p10", "p90"].map((name) => numberAt(state.answer.value, `${draws}/${name}`));
  if (low === undefined || high === undefined) return null;
  const text = (usd: number) => figureText("usd", usd).value;
  return <span class="note">{fill(texts.drawsSpan, { low: text(low), high: text(high) })}</span>;
}

/** The 90 % interval of a latency, and how sure its target is. */
function latencyRow(name: "ttft_s" | "tpot_s", label: string): Row {
  const place = (state: State) => {
    const shown = shownPlan(state);
    return shown === undefined ? undefined : latencyOf(state, shown.place, name).shown;
  };
  return numberRow(name, label, place, (state) => {
    const { statistic, limit, target, said } = latencyOf(state, shownPlan(state)?.place ?? "", name);
    return (
      <>
        <span class="note">{statistic}</span>
        {limit === undefined ? null : (
          <span class="note">
            <Span place={`${limit}/reached_s`} />
          </span>
        )}
        <span class="note">
          <Kept target={target} odds={`${limit}/probability`} said={said} />
        </span>
      </>
    );
  });
}

const kRun = inPlan("estimates/0/run/time_days");

/** What people ask first of plans. */
function planRows(): Row[] {
  const ofPlan =
    (draw: (state: State, shown: NonNullable<ReturnType<typeof shownPlan>>) => ComponentChildren) => (state: State) => {
      const shown = shownPlan(state);
      return shown === undefined ? undefined : draw(state, shown);
    };
  return [
    {
      key: "way",
      label: texts.recommended,
      cell: (state) => {
        const shown = shownPlan(state);
        if (shown !== undefined) return wayText(shown.plan.way);
        return state.errors.value[0]?.message ?? messages.noPlanHeadline;
      },
    },
    {
      key: "plan",
      label: messages.columnPlan,
      cell: ofPlan((state, { plan }) => (
        <>
          {planName(state, plan)}
          <span class="note">{layoutText(plan.layouts)}</span>
        </>
      )),
    },
    numberRow("gpus", messages.columnGpus, inPlan("gpu_count")),
    {
      key: "where",
      label: texts.where,
      cell: ofPlan((state, { plan }) => placesOfPlan(state, plan).join(messages.comma) || undefined),
    },
    numberRow("cost", messages.costPerYear, inPlan("ranked_by_usd_per_year"), drawsOf),
    numberRow("purchase", labelOf("capex_usd"), inWay(kPurchase)),
    numberRow(
      "token",
      labelOf("usd_per_million_output_tokens"),
      inWay(
        Object.fromEntries(
          Object.entries(kWays).map(([way, [, perToken]]) => [way, `${perToken}/usd_per_million_output_tokens`]),
        ),
      ),
    ),
    {
      key: "offer",
      label: texts.rentFrom,
      cell: ofPlan((_, { plan, place }) => {
        const offer = kWays[plan.way ?? ""]?.[2];
        return offer === undefined ? undefined : <Offer place={`${place}/cost/${offer}`} template={texts.offerOf} />;
      }),
    },
    latencyRow("ttft_s", messages.firstToken),
    latencyRow("tpot_s", messages.nextToken),
    numberRow("run", messages.runTime, kRun, (state) => {
      const deadline = numberAt(state.answered.value, "/workloads/0/deadline_days");
      const place = kRun(state);
      return (
        <>
          <span class="note">
            <Span place={place ?? ""} />
          </span>
          <span class="note">
            <Kept
              target={deadline === undefined ? undefined : phrase(figureText("time_days", deadline))}
              odds={`${place?.replace(/time_days$/, "deadline_probability")}`}
            />
          </span>
        </>
      );
    }),
    numberRow("nodes", texts.nodesOfPlan, inPlan("architecture/nodes")),
    numberRow("power", labelOf("facility_kw"), inPlan("power/facility_kw")),
  ];
}

const kFirstOthers = 12;

/** Places of numbers that are not the same in every column. */
function differingPlaces(columns: readonly Column[]): string[] {
  const answers = columns.map(({ page }) => page.state.answer.value);
  const places = new Set(answers.flatMap((answer) => numberPlaces(answer as unknown as Json)));
  return [...places].filter((place) => new Set(answers.map((answer) => numberAt(answer, place))).size > 1);
}

/** Every number of an answer by its place; of lists only the first item, and no bounds. */
export function numberPlaces(value: Json, place = ""): string[] {
  if (typeof value === "number") return /_(low|high|p\d+)$/.test(place) ? [] : [place];
  if (Array.isArray(value)) {
    const first = value[0];
    return isObject(first) ? numberPlaces(first, `${place}/0`) : [];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    place === "" && (key === "trace" || key === "assumptions" || key === "pareto")
      ? []
      : numberPlaces(item, `${place}/${pointerToken(key)}`),
  );
}

function placeLabel(place: string): string {
  const words = place
    .split("/")
    .filter((word) => word !== "" && !/^\d+$/.test(word) && word !== "plans" && word !== "estimates");
  return words.map(labelOf).join(messages.comma);
}

/** Rows of every number that differs. */
export function differingRows(columns: readonly Column[]): Row[] {
  return differingPlaces(columns).map((place) => numberRow(place, placeLabel(place), () => place));
}

/** Of plans what people ask first, of other answers the first numbers that differ; rows that no column fills are left out. */
export function mainRows(columns: readonly Column[]): Row[] {
  const arePlans = columns.every(({ page }) => page.state.asking.screen === "plan");
  const rows = arePlans ? planRows() : differingRows(columns).slice(0, kFirstOthers);
  return rows.filter((row) => columns.some(({ page }) => isFilled(row.cell(page.state))));
}

const isFilled = (cell: ComponentChildren) => cell !== undefined && cell !== null && cell !== "";

/** What was asked, as rows of words. */
export function inputRows(columns: readonly Column[]): Row[] {
  const states = columns.map(({ page }) => page.state);
  return changedInputs(states).map(({ place, workload, label, texts: said }) => ({
    key: place,
    label: workload === undefined ? label : fill(texts.workloadInput, { number: workload + 1, label }),
    cell: (state) => said[states.indexOf(state)] ?? <span class="note">{texts.notGiven}</span>,
  }));
}

/** By how much a number differs from that of the first column. */
function Difference({ row, first }: { row: Row; first: State }) {
  const { state } = usePage();
  const [place, before] = [state, first].map((one) => row.number?.(one));
  if (state === first || place === undefined || before === undefined) return null;
  const [value, base] = [numberAt(state.answer.value, place), numberAt(first.answer.value, before)];
  if (value === undefined || base === undefined) return null;
  return (
    <span class="difference">
      {differenceText(keyOf(place), value, base, {
        memory: state.memoryUnit.value,
        bare: kBare.test(keyOf(place)),
      })}
    </span>
  );
}

interface TableProps {
  columns: readonly Column[];
  rows: readonly Row[];
  caption: string;
  /** What the rows are. */
  head: string;
}

export function CompareTable({ columns, rows, caption, head }: TableProps) {
  const first = columns[0]?.page.state;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus
    <section class="wide-table" tabIndex={0}>
      {/* The roles stay when a narrow screen turns rows into cards. */}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: a table that is not displayed as one would lose them */}
      <table class="plain rows stacking scenarios-table" role="table">
        <caption class="hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              {head}
            </th>
            {columns.map(({ name, hash }) => (
              <th key={hash + name} role="columnheader" scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={row.key} role="row">
              <th role="rowheader" scope="row">
                {row.label}
              </th>
              {columns.map(({ name, hash, page }) => {
                const cell = row.cell(page.state);
                return (
                  <td key={hash + name} role="cell" data-label={name}>
                    <PageContext.Provider value={page}>
                      {isFilled(cell) && first !== undefined ? (
                        <div class="compared">
                          {cell}
                          <Difference row={row} first={first} />
                          {row.more?.(page.state)}
                        </div>
                      ) : (
                        <span class="none">–</span>
                      )}
                    </PageContext.Provider>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: a table that is not displayed as one would lose them */}
    </section>
  );
}
