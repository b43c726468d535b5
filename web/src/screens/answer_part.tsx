/**
 * Any part of any answer as it reads best: numbers with their intervals, tables of things alike, sentences, files. What a kind of
 * answer shows in a way of its own (a chart, a bar) stands in `kSpecial`, by its key.
 */
import type { ComponentType } from "preact";
import { keyOf } from "../format.ts";
import { isObject, type Json, type JsonObject, pointerToken, valueAt } from "../json.ts";
import { fill, labelOf } from "../messages.ts";
import { usePage } from "../page.ts";
import { isMessage, translated } from "../translation.ts";
import { Disclosure, Texts } from "../views/fold.tsx";
import { MemoryBar } from "../views/memory_bar.tsx";
import { RejectedList } from "../views/rejected.tsx";
import { Said } from "../views/sentence.tsx";
import { BreakEven } from "./charts/break_even.tsx";
import { Distribution } from "./charts/distribution.tsx";
import { Front } from "./charts/front.tsx";
import { Roofline } from "./charts/roofline.tsx";
import { isPartOfStep, StepSplit } from "./charts/step_split.tsx";
import { Tornado } from "./charts/tornado.tsx";
import { CostDecision, kSaidByDecision } from "./decision.tsx";
import { FileView, isFile, LaunchCommands } from "./files.tsx";
import { AlikeHeading, AlikeTable, RowTable } from "./tables.tsx";
import { texts } from "./texts.ts";
import { GroupedNumber, type PlaceProps, Scalar } from "./value.tsx";
import {
  columnsOfList,
  isEmpty,
  isLong,
  isSaidByAnother,
  kWithUnit,
  type NumberGroup,
  numberGroups,
  restOf,
  runsAlike,
  titleOfPart,
  wordText,
} from "./words.ts";

/** Parts of answers with a view of their own. */
const kSpecial: Record<string, ComponentType<PlaceProps>> = {
  memory_per_gpu: Memory,
  step: Step,
  tornado: Tornado,
  distribution: Distribution,
  pareto: Front,
  break_even: BreakEvenPoint,
  launch: LaunchCommands,
  rejected: Rejections,
  roofline: Roofline,
};

/** The marks of a training search have no users. */
function titleAt(place: string, answer: unknown): string {
  const key = keyOf(place);
  if (place === "/designs" && valueAt(answer, "/designs/1") === undefined) return texts.oneDesign;
  // The search counts no failures, which a plan does: its run has a name of its own.
  if (/^\/layouts\/\d+\/run$/.test(place)) return titleOfPart("layouts/run");
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
  if (isMessage(value))
    return (
      <p>
        <Said text={translated(value)} />
      </p>
    );
  if (isObject(value) && "cheapest" in value) {
    return (
      <>
        <CostDecision place={place} />
        <ObjectView place={place} object={value} skip={kSaidByDecision} />
      </>
    );
  }
  if (isObject(value)) return <ObjectView place={place} object={value} />;
  return (
    <p>
      <Scalar place={place} value={value} />
    </p>
  );
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
    ([key, value]) => !skip.includes(key) && !isEmpty(value) && !isSaidByAnother(key, all),
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

function List({ place, items }: PlaceProps & { items: readonly Json[] }) {
  const { state } = usePage();
  if (items.every((item) => typeof item === "string" || isMessage(item)))
    return <Texts items={items.map((item) => (typeof item === "string" ? wordText(state, item) : item))} />;
  if (items.every(isObject)) return <Rows place={place} rows={items as JsonObject[]} />;
  return (
    <p class="row run-of">
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

/** The note of a row with what it is about, where it stands far from it. */
type NoteOf = (row: JsonObject, note: string) => string;

export function Rows({ place, rows, noteOf }: PlaceProps & { rows: readonly JsonObject[]; noteOf?: NoteOf }) {
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
    <RowTable
      place={place}
      from={from}
      rows={some}
      columns={columns}
      rest={hasRest ? (at, row) => <RestOf place={at} row={row} columns={columns} noteOf={noteOf} /> : undefined}
    />
  );
  return (
    <>
      {table(0, shown)}
      {rows.length <= kRowsAtOnce ? null : (
        <Disclosure summary={fill(texts.moreRows, { count: rows.length - kRowsAtOnce })}>
          {() => table(kRowsAtOnce, rows.slice(kRowsAtOnce))}
        </Disclosure>
      )}
    </>
  );
}

interface RestOfProps extends PlaceProps {
  row: JsonObject;
  columns: readonly string[];
  noteOf?: NoteOf | undefined;
}

/** Sentences of a row stand at once, the rest of it when asked for. */
function RestOf({ place, row, columns, noteOf = (_, note) => note }: RestOfProps) {
  const { state } = usePage();
  const rest = restOf(row, columns);
  const isMessage = (key: string, value: unknown) => (isLong(value) || key === "note") && !isFile(value);
  const said = Object.entries(rest).filter(([key, value]) => isMessage(key, value));
  const more = Object.fromEntries(Object.entries(rest).filter(([key, value]) => !isMessage(key, value)));
  return (
    <>
      {said.map(([key, value]) => (
        <p key={key} class="note">
          {columns.length > 0 && said.length > 1 ? <b>{labelOf(key)}: </b> : null}
          <Said
            text={
              key === "message"
                ? translated({ ...row, message: String(value) })
                : key === "note"
                  ? noteOf(row, wordText(state, String(value)))
                  : wordText(state, String(value))
            }
          />
        </p>
      ))}
      {Object.keys(more).length === 0 ? null : (
        <Disclosure summary={texts.rowDetails}>{() => <ObjectView place={place} object={more} />}</Disclosure>
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

function Step({ place }: PlaceProps) {
  const step = valueAt(usePage().state.answer.value, place);
  if (!isObject(step)) return null;
  return (
    <StepSplit place={place} step={step}>
      <ObjectView place={place} object={step} skip={Object.keys(step).filter(isPartOfStep)} />
    </StepSplit>
  );
}

function BreakEvenPoint({ place }: PlaceProps) {
  const point = valueAt(usePage().state.answer.value, place);
  if (!isObject(point)) return null;
  return (
    <>
      <ObjectView place={place} object={point} />
      <BreakEven point={point} />
    </>
  );
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
