/** Scenarios side by side: what was asked differently, then what comes of it with the differences from the first column. */
import type { ComponentChildren } from "preact";
import type { HeadlineNumber } from "../contract.ts";
import { keyOf } from "../format.ts";
import { isObject, type Json, numberAt, pointerToken } from "../json.ts";
import { fill, labelOf, messages } from "../messages.ts";
import { PageContext, usePage } from "../page.ts";
import { type State, shownPlan } from "../state.ts";
import { HeadlineNotes, kWays, Offer } from "../views/answer.tsx";
import { Figure } from "../views/figure.tsx";
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

const headlineOf = (id: HeadlineNumber["id"], state: State) =>
  shownPlan(state)?.plan.headlines?.find((headline) => headline.id === id);

/** A number that plans are judged by, with what belongs to it. */
function headlineRow(id: HeadlineNumber["id"]): Row {
  const place = (state: State) => {
    const headline = headlineOf(id, state);
    return headline && `${shownPlan(state)?.place}${headline.value.place}`;
  };
  return numberRow(id, messages.headlines[id], place, (state) => {
    const headline = headlineOf(id, state);
    return headline && <HeadlineNotes plan={shownPlan(state)?.place ?? ""} headline={headline} as="span" />;
  });
}

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
      cell: ofPlan(
        (state, { plan }) => placesOfPlan(state, plan, kWays[plan.way ?? ""]?.[1]).join(messages.comma) || undefined,
      ),
    },
    headlineRow("cost_per_year"),
    headlineRow("purchase"),
    numberRow("token", labelOf("usd_per_million_output_tokens"), (state) => {
      const shown = shownPlan(state);
      const [cost] = kWays[shown?.plan.way ?? ""] ?? [];
      return cost && `${shown?.place}/cost/${cost}/usd_per_million_output_tokens`;
    }),
    {
      key: "offer",
      label: texts.rentFrom,
      cell: ofPlan((_, { plan, place }) => {
        const offer = kWays[plan.way ?? ""]?.[1];
        return offer === undefined ? undefined : <Offer place={`${place}/cost/${offer}`} template={texts.offerOf} />;
      }),
    },
    headlineRow("first_token"),
    headlineRow("output_token"),
    headlineRow("run_time"),
    headlineRow("memory"),
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
