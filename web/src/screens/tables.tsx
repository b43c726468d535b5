/** Tables of an answer: objects of a list one below the other, and objects with the same keys next to each other. */
import type { ComponentChildren } from "preact";
import { figureText, keyOf, phrase, traceText } from "../format.ts";
import { isObject, type Json, type JsonObject, pointerToken, valueAt } from "../json.ts";
import { labelOf } from "../messages.ts";
import { usePage } from "../page.ts";
import { sectionTitles } from "./texts.ts";
import { Amount, GroupedNumber, type PlaceProps, Scalar } from "./value.tsx";
import { kWithUnit, numberGroups, restOf, titleOfPart } from "./words.ts";

/** The title of several parts taken together, where they have one. */
export function AlikeHeading({ names, level }: { names: readonly string[]; level: 2 | 3 }) {
  const title = sectionTitles[names.join(" ")];
  if (title === undefined) return null;
  return level === 2 ? <h2>{title}</h2> : <h3>{title}</h3>;
}

/** The head of a table with a name over each column. */
export function NamedHead({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Objects with the same keys beside each other: the longer of both lists goes down. */
export function AlikeTable({ place, names }: PlaceProps & { names: readonly string[] }) {
  const { state } = usePage();
  const first = valueAt(state.answer.value, `${place}/${pointerToken(names[0] ?? "")}`);
  const keys = isObject(first) ? Object.keys(first) : [];
  const isDown = keys.length > names.length;
  const [down, across] = isDown ? [keys, names] : [names, keys];
  const nameOfRow = isDown ? labelOf : titleOfPart;
  const nameOfColumn = isDown ? titleOfPart : labelOf;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus
    <section class="wide-table" tabIndex={0}>
      <table class="plain rows alike">
        <thead>
          <tr>
            <td />
            {across.map((column) => (
              <th key={column} scope="col" class="numeric">
                {nameOfColumn(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {down.map((row) => (
            <tr key={row}>
              <th scope="row">{nameOfRow(row)}</th>
              {across.map((column) => {
                const [name, key] = isDown ? [column, row] : [row, column];
                const at = `${place}/${pointerToken(name)}/${pointerToken(key)}`;
                return (
                  <td key={column} class="numeric">
                    <Scalar place={at} value={(valueAt(state.answer.value, at) ?? null) as Json} />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function columnTitle(path: string): string {
  return sectionTitles[path] ?? labelOf(keyOf(path));
}

/** From this number of columns on the rows of a table are cards on a phone; with texts below them from fewer. */
const kStacksFrom = 4;
const kStacksWithTextsFrom = 3;

/** Columns whose words say themselves what they are. */
const kSpeaking = new Set(["category", "name", "use"]);

interface RowTableProps extends PlaceProps {
  from: number;
  rows: readonly JsonObject[];
  columns: readonly string[];
  /** Shows what the columns leave out of a row, below it. */
  rest?: ((place: string, row: JsonObject) => ComponentChildren) | undefined;
}

export function RowTable({ place, from, rows, columns, rest }: RowTableProps) {
  const isNumeric = (key: string) =>
    rows.every((row) => ["number", "undefined"].includes(typeof valueAt(row, `/${key}`)));
  const hasTexts = rest !== undefined && rows.some((row) => Object.keys(restOf(row, columns)).length > 0);
  const isStacking = columns.length >= (hasTexts ? kStacksWithTextsFrom : kStacksFrom);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus
    <section class="wide-table" tabIndex={0}>
      {/* The roles stay when a narrow screen turns rows into cards. */}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: a table that is not displayed as one would lose them */}
      <table class={isStacking ? "plain rows stacking" : "plain rows"} role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((key) => (
              <th key={key} role="columnheader" scope="col" class={isNumeric(key) ? "numeric" : undefined}>
                {columnTitle(key)}
              </th>
            ))}
          </tr>
        </thead>
        {rows.map((row, i) => {
          const at = `${place}/${from + i}`;
          return (
            <tbody key={at} role="rowgroup">
              <tr role="row">
                {columns.map((key, column) => {
                  const cell = <Cell place={at} row={row} name={key} />;
                  const kind = isNumeric(key) ? "numeric" : kSpeaking.has(key) ? "speaking" : undefined;
                  return column === 0 && !isNumeric(key) ? (
                    <th key={key} role="rowheader" scope="row" class={kind} data-label={columnTitle(key)}>
                      {cell}
                    </th>
                  ) : (
                    <td key={key} role="cell" class={kind} data-label={columnTitle(key)}>
                      {cell}
                    </td>
                  );
                })}
              </tr>
              {rest !== undefined && Object.keys(restOf(row, columns)).length > 0 ? (
                <tr class="rest-row" role="row">
                  <td colSpan={columns.length} role="cell">
                    {rest(at, row)}
                  </td>
                </tr>
              ) : null}
            </tbody>
          );
        })}
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: a table that is not displayed as one would lose them */}
    </section>
  );
}

/** Units as the engine spells them out. */
const kUnitSigns: Record<string, string> = { bytes: "B", ratio: "1" };

function DeepCell({ place }: PlaceProps) {
  const value = valueAt(usePage().state.answer.value, place);
  // The heading names what the money is for.
  const isPrice = keyOf(place).startsWith("usd_per_");
  return typeof value === "number" ? <Amount place={place} bare={isPrice} /> : <span class="none">–</span>;
}

function Cell({ place, row, name }: PlaceProps & { row: JsonObject; name: string }) {
  if (name.includes("/")) return <DeepCell place={`${place}/${name}`} />;
  const value = row[name];
  if (typeof value === "number" && kWithUnit.includes(name) && typeof row.unit === "string") {
    const unit = kUnitSigns[row.unit] ?? row.unit;
    if (unit === "1" && typeof row.input === "string")
      return <Amount place={`${place}/${name}`} text={phrase(figureText(row.input, value))} />;
    return <Amount place={`${place}/${name}`} text={phrase(traceText(value, unit))} />;
  }
  if (value === undefined || value === null) return <span class="none">–</span>;
  const group = numberGroups(row).find(({ key }) => key === name);
  if (group === undefined) return <Scalar place={`${place}/${pointerToken(name)}`} value={value} />;
  return <GroupedNumber place={place} group={{ ...group, percentiles: [] }} />;
}
