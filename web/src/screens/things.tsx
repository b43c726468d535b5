/**
 * Any part of any answer as it reads best: numbers with their intervals, tables of things alike, sentences, files. What a kind of
 * answer shows in a way of its own (a chart, a bar) stands in `kSpecial`, by its key.
 */
import type { ComponentType } from "preact";
import { figureText, phrase, traceText } from "../format.ts";
import { isObject, type Json, type JsonObject, numberAt, pointerToken, valueAt } from "../json.ts";
import { fill, labelOf } from "../messages.ts";
import { usePage } from "../state.ts";
import { Figure, keyOf } from "../views/figure.tsx";
import { Late, Texts } from "../views/fold.tsx";
import { MemoryBar } from "../views/memory_bar.tsx";
import { RejectedList } from "../views/rejected.tsx";
import { SourceList } from "../views/sources.tsx";
import { BreakEven } from "./charts/break_even.tsx";
import { Distribution } from "./charts/distribution.tsx";
import { Front } from "./charts/front.tsx";
import { Roofline } from "./charts/roofline.tsx";
import { StepSplit } from "./charts/step_split.tsx";
import { Tornado } from "./charts/tornado.tsx";
import { CopyableText, Drawing } from "./files.tsx";
import { sectionTitles, texts } from "./texts.ts";
import {
  columnsOfList,
  flagText,
  isEmpty,
  isIdBesideName,
  isLong,
  kWithUnit,
  type NumberGroup,
  numberGroups,
  restOf,
  runsAlike,
  wordText,
} from "./words.ts";

interface PlaceProps {
  place: string;
}

/** Parts of answers with a view of their own. */
const kSpecial: Record<string, ComponentType<PlaceProps>> = {
  memory_per_gpu: Memory,
  step: StepSplit,
  tornado: Tornado,
  distribution: Distribution,
  pareto: Front,
  break_even: BreakEven,
  launch: Launch,
  rejected: Rejections,
  roofline: Roofline,
};

/** Rules are called by numbers in their documents, which have no explanation. */
const kTold = /\/rules_fired\/\d+\/rule$/;

/** A number: a button where the engine explains numbers of this kind, else plain. */
interface AmountProps extends PlaceProps {
  bare?: boolean;
  /** The whole text, unit included. */
  text?: string;
}

export function Amount({ place, bare, text }: AmountProps) {
  const { state } = usePage();
  const isExplained = state.asking.explain !== "never" && !kTold.test(place);
  if (isExplained) return <Figure place={place} bare={bare || text !== undefined} text={text} />;
  const value = valueAt(state.answer.value, place);
  if (typeof value !== "number") return null;
  const figure = figureText(keyOf(place), value, state.memoryUnit.value);
  return <span class="told">{text ?? (bare ? figure.value : phrase(figure))}</span>;
}

export function titleOfPart(key: string): string {
  return sectionTitles[key] ?? labelOf(key);
}

/** The marks of a training search have no users. */
function titleAt(place: string, answer: unknown): string {
  const key = keyOf(place);
  if (place === "/designs" && valueAt(answer, "/designs/1") === undefined) return texts.oneDesign;
  const isTraining = key === "pareto" && valueAt(answer, `${place}/run_time_days`) !== undefined;
  return isTraining ? texts.fasterOrCheaper : titleOfPart(key);
}

/** One part under a title. `level` is the depth of the heading. */
export function Part({ place, level = 2, folded = false }: PlaceProps & { level?: 2 | 3; folded?: boolean }) {
  const { state } = usePage();
  const value = valueAt(state.answer.value, place);
  if (isEmpty(value)) return null;
  const key = keyOf(place);
  const title = titleAt(place, state.answer.value);
  const Special = kSpecial[key];
  const body = Special === undefined ? <Thing place={place} /> : <Special place={place} />;
  if (folded) {
    return (
      <details class="sub-fold">
        <summary>
          <h3>{title}</h3>
        </summary>
        {body}
      </details>
    );
  }
  if (level === 3) {
    return (
      <div class="sub-part">
        <h3>{title}</h3>
        {body}
      </div>
    );
  }
  return (
    <section class="card part">
      {isMemoryBar(place, value) ? null : <h2>{title}</h2>}
      {body}
    </section>
  );
}

function Thing({ place }: PlaceProps) {
  const { state } = usePage();
  const value = valueAt(state.answer.value, place) as Json | undefined;
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return <List place={place} items={value} />;
  if (isObject(value)) return <ObjectView place={place} object={value} />;
  return (
    <p>
      <Scalar place={place} value={value} />
    </p>
  );
}

export function Scalar({ place, value }: { place: string; value: Json }) {
  const { state } = usePage();
  const key = keyOf(place);
  if (typeof value === "number") return <Amount place={place} />;
  if (typeof value === "boolean") return <>{flagText(value)}</>;
  if (typeof value !== "string") return null;
  if (key === "create") return <code>{value}</code>;
  if (key === "source" || key === "url") return <SourceList sources={value.split("; ")} />;
  return <>{wordText(state, value, key)}</>;
}

/** More nested parts than this wait folded. */
const kNestedAtOnce = 5;

/** Numbers and words of an object as a list, then what is nested in it. */
export function ObjectView({
  place,
  object,
  skip = [],
}: PlaceProps & { object: JsonObject; skip?: readonly string[] }) {
  const all = Object.keys(object);
  const entries = Object.entries(object).filter(
    ([key, value]) => !skip.includes(key) && !isEmpty(value) && !isIdBesideName(key, all),
  );
  const groups = new Map(numberGroups(object).map((group) => [group.key, group]));
  const rows = entries.filter(
    ([key, value]) => groups.has(key) || typeof value === "boolean" || (typeof value === "string" && !isFile(value)),
  );
  const files = entries.filter(([, value]) => typeof value === "string" && isFile(value));
  const nested = entries.filter(([, value]) => typeof value === "object").map(([key]) => key);
  const inside = (key: string) => `${place}/${pointerToken(key)}`;
  return (
    <>
      {rows.length === 0 ? null : (
        <dl class="quantities numbers-list">
          {rows.map(([key, value]) => (
            <div key={key} class={isLong(value) ? "long" : undefined}>
              <dt>{labelOf(key)}</dt>
              <dd>
                {groups.has(key) ? (
                  <GroupedNumber place={place} group={groups.get(key) as NumberGroup} />
                ) : (
                  <Scalar place={inside(key)} value={value} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {files.map(([key, value]) => (
        <FileView key={key} name={key} text={String(value)} />
      ))}
      {runsAlike(object, nested).map(([key = "", ...others]) =>
        others.length === 0 ? (
          <Part key={key} place={inside(key)} level={3} folded={nested.length > kNestedAtOnce} />
        ) : (
          <div key={key} class="sub-part">
            <AlikeHeading names={[key, ...others]} level={3} />
            <AlikeTable place={place} names={[key, ...others]} />
          </div>
        ),
      )}
    </>
  );
}

/** The title of several parts taken together, where they have one. */
export function AlikeHeading({ names, level }: { names: readonly string[]; level: 2 | 3 }) {
  const title = sectionTitles[names.join(" ")];
  if (title === undefined) return null;
  return level === 2 ? <h2>{title}</h2> : <h3>{title}</h3>;
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

/** The number, its interval, and its percentiles. */
function GroupedNumber({ place, group }: PlaceProps & { group: NumberGroup }) {
  const { state } = usePage();
  const inside = (key: string) => `${place}/${pointerToken(key)}`;
  const unit = (key: string | undefined) =>
    key === undefined ? "" : figureText(key, numberAt(state.answer.value, inside(key)) ?? 0).unit;
  const isAlike = unit(group.low) === unit(group.key) && unit(group.high) === unit(group.key);
  return (
    <>
      <Amount place={inside(group.key)} />
      {group.low === undefined || group.high === undefined ? null : (
        <span class="interval">
          <Amount place={inside(group.low)} bare={isAlike} /> – <Amount place={inside(group.high)} bare={isAlike} />
        </span>
      )}
      {group.percentiles.length === 0 ? null : (
        <span class="percentiles">
          {group.percentiles.map((key) => (
            <span key={key}>
              <abbr title={fill(texts.percentile, { number: key.split("_p").at(-1) ?? "" })}>
                {key.split("_").at(-1)}
              </abbr>{" "}
              <Amount place={inside(key)} />
            </span>
          ))}
        </span>
      )}
    </>
  );
}

function List({ place, items }: PlaceProps & { items: readonly Json[] }) {
  const { state } = usePage();
  if (items.every((item) => typeof item === "string")) {
    const strings = items as string[];
    return <Texts items={strings.map((text) => wordText(state, text))} />;
  }
  if (items.every(isObject)) return <Rows place={place} rows={items as JsonObject[]} />;
  return (
    <p class="run-of">
      {items.map((item, i) => (
        <span key={i}>
          <Scalar place={`${place}/${i}`} value={item} />
        </span>
      ))}
    </p>
  );
}

/** Rows above this many wait folded. */
const kRowsAtOnce = 12;
/** A table of more columns than this is read better as cards. */
const kMostColumns = 9;
/** With more columns than this the rows of a table are cards on a phone. */
const kStacksFrom = 3;

export function Rows({ place, rows }: PlaceProps & { rows: readonly JsonObject[] }) {
  // A number with its unit beside it is written as one.
  const columns = columnsOfList(keyOf(place), rows)
    .filter((key, _, all) => key !== "unit" || !kWithUnit.some((name) => all.includes(name)))
    .slice(0, kMostColumns);
  const shown = rows.slice(0, kRowsAtOnce);
  const hasRest = rows.some((row) => Object.keys(restOf(row, columns)).length > 0);
  const [only] = rows;
  if (rows.length === 1 && only !== undefined && hasRest) {
    // The headline says the summary of the first design.
    return <ObjectView place={`${place}/0`} object={only} skip={place === "/designs" ? ["summary"] : []} />;
  }
  if (columns.length === 0) return <Cards place={place} rows={rows} />;
  const table = (from: number, some: readonly JsonObject[]) => (
    <RowTable place={place} from={from} rows={some} columns={columns} hasRest={hasRest} />
  );
  return (
    <>
      {table(0, shown)}
      {rows.length <= kRowsAtOnce ? null : (
        <Late summary={fill(texts.moreRows, { count: rows.length - kRowsAtOnce })}>
          {() => table(kRowsAtOnce, rows.slice(kRowsAtOnce))}
        </Late>
      )}
    </>
  );
}

function columnTitle(path: string): string {
  return sectionTitles[path] ?? labelOf(keyOf(path));
}

interface RowTableProps extends PlaceProps {
  from: number;
  rows: readonly JsonObject[];
  columns: readonly string[];
  hasRest: boolean;
}

function RowTable({ place, from, rows, columns, hasRest }: RowTableProps) {
  const isNumeric = (key: string) =>
    rows.every((row) => ["number", "undefined"].includes(typeof valueAt(row, `/${key}`)));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus
    <section class="wide-table" tabIndex={0}>
      {/* The roles stay when a narrow screen turns rows into cards. */}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: a table that is not displayed as one would lose them */}
      <table class={columns.length > kStacksFrom ? "plain rows stacking" : "plain rows"} role="table">
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
                  const kind = isNumeric(key) ? "numeric" : undefined;
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
              {hasRest && Object.keys(restOf(row, columns)).length > 0 ? (
                <tr class="rest-row" role="row">
                  <td colSpan={columns.length} role="cell">
                    <RestOf place={at} row={row} columns={columns} />
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

/** Sentences of a row stand at once, the rest of it when asked for. */
function RestOf({ place, row, columns }: PlaceProps & { row: JsonObject; columns: readonly string[] }) {
  const { state } = usePage();
  const rest = restOf(row, columns);
  const isSaid = (key: string, value: unknown) => (isLong(value) || key === "note") && !isFile(value);
  const said = Object.entries(rest).filter(([key, value]) => isSaid(key, value));
  const more = Object.fromEntries(Object.entries(rest).filter(([key, value]) => !isSaid(key, value)));
  return (
    <>
      {said.map(([key, value]) => (
        <p key={key} class="note">
          {columns.length > 0 && said.length > 1 ? <b>{labelOf(key)}: </b> : null}
          {wordText(state, String(value))}
        </p>
      ))}
      {Object.keys(more).length === 0 ? null : (
        <Late summary={texts.rowDetails}>{() => <ObjectView place={place} object={more} />}</Late>
      )}
    </>
  );
}

function Cards({ place, rows }: PlaceProps & { rows: readonly JsonObject[] }) {
  return (
    <ol class="cards">
      {rows.map((row, i) => (
        <li key={i}>
          <ObjectView place={`${place}/${i}`} object={row} />
        </li>
      ))}
    </ol>
  );
}

/** The memory of the whole answer is drawn, under a title of its own; where it is not known in full, it is a list. */
function isMemoryBar(place: string, memory: unknown): boolean {
  return place === "/memory_per_gpu" && isObject(memory) && typeof memory.total_gib === "number";
}

function Memory({ place }: PlaceProps) {
  const { state } = usePage();
  const memory = valueAt(state.answer.value, place);
  if (!isObject(memory)) return null;
  return isMemoryBar(place, memory) ? <MemoryBar place={place} /> : <ObjectView place={place} object={memory} />;
}

function Rejections({ place }: PlaceProps) {
  const { state } = usePage();
  const items = valueAt(state.answer.value, place);
  if (!Array.isArray(items)) return null;
  return items.every((item) => isObject(item) && item.count === undefined) ? (
    <RejectedList items={items} />
  ) : (
    <Rows place={place} rows={items.filter(isObject)} />
  );
}

/** Start commands, each with a button that copies it. */
function Launch({ place }: PlaceProps) {
  const { state } = usePage();
  const commands = valueAt(state.answer.value, place);
  if (!Array.isArray(commands)) return null;
  return (
    <>
      {commands.filter(isObject).map((command, i) => {
        const list = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
        const text = [...list(command.environment), String(command.program ?? ""), ...list(command.arguments)];
        const notes = list(command.notes);
        const pool = list(command.environment).find((one) => one.startsWith("POOL="));
        const title = [String(command.program ?? ""), ...(pool === undefined ? [] : [pool.slice(5)])].join(", ");
        return (
          <div key={i}>
            <CopyableText title={title} text={text.join(command.form === "file" ? "\n" : " \\\n  ")} />
            {notes.length === 0 ? null : <Texts items={notes} />}
          </div>
        );
      })}
    </>
  );
}

/** A text of several lines is a file. */
export function isFile(value: unknown): boolean {
  return typeof value === "string" && (value.includes("\n") || value.startsWith("<svg"));
}

function FileView({ name, text }: { name: string; text: string }) {
  return text.trimStart().startsWith("<svg") || text.trimStart().startsWith("<?xml") ? (
    <Drawing title={titleOfPart(name)} svg={text} />
  ) : (
    <CopyableText title={titleOfPart(name)} text={text} />
  );
}
