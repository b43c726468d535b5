/** The catalog: a table of every list, and every item whole with the source of each fact. Addresses stay: `#/data/gpus/a100`. */

import { useEffect, useState } from "preact/hooks";
import { csv } from "../csv.ts";
import { figureText } from "../format.ts";
import { isObject, type JsonObject } from "../json.ts";
import { language } from "../language.ts";
import { fill, inSentence, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { askEngine } from "../pages.ts";
import { readSources } from "../replies.ts";
import { route } from "../route.ts";
import { nameOf } from "../state.ts";
import { keepFile } from "../tools/keep_file.ts";
import { Frame } from "../views/frame.tsx";
import { kOldDays } from "../views/price_age.ts";
import { SourceList } from "../views/sources.tsx";
import { catalogRows, publishedParameters } from "./catalog_lists.ts";
import { catalogLabel, catalogText, choicesOf, inOrder, isOldBasis, modelKind, valueText } from "./catalog_words.ts";
import { FilterField } from "./filter_field.tsx";
import { GpuPrices, withAges } from "./gpu_prices.tsx";
import { kPhone, useIsNarrow } from "./narrow.ts";
import { loadPlaces } from "./places.ts";
import { catalogNames, texts } from "./texts.ts";
import { columnsOf } from "./words.ts";
import "./screens.css";

const kLists = [
  "gpus",
  "prices",
  "systems",
  "models",
  "engines",
  "weight-formats",
  "switches",
  "architectures",
  "regions",
  "sources",
];

export function Data() {
  const [list = "gpus", id] = route.value.rest;
  const known = kLists.includes(list) ? list : "gpus";
  const { initial } = usePage().state;
  // The lists of the page know some names at once; an entry that has come tells its own.
  const [names, setNames] = useState<Record<string, string>>({});
  const named = [...initial.gpus, ...initial.models];
  return (
    <Frame single command={commandOf(known, id)}>
      <section class="card data" aria-labelledby="headline">
        <h1 id="headline" tabIndex={-1}>
          {id === undefined || known === "prices"
            ? catalogNames[known]
            : (names[id] ?? nameOf(named, decodeURIComponent(id)))}
        </h1>
        <Lists now={known} />
        {id === undefined || known === "prices" ? (
          <CatalogTable key={`${known} ${id}`} list={known} gpu={id === undefined ? "" : decodeURIComponent(id)} />
        ) : (
          <CatalogEntry
            key={`${known}/${id}`}
            list={known}
            id={decodeURIComponent(id)}
            tellName={(name) => setNames({ [id]: name })}
          />
        )}
      </section>
    </Frame>
  );
}

/** The lists of the catalog: links, or on a phone, where they would push the list away, one menu. */
function Lists({ now }: { now: string }) {
  const isPhone = useIsNarrow(kPhone);
  const name = (list: string) => catalogNames[list] ?? list;
  if (isPhone)
    return (
      <label class="row lists">
        <span>{texts.catalogList}</span>
        <select
          value={now}
          onChange={({ currentTarget }) => {
            location.hash = `#/data/${currentTarget.value}`;
          }}
        >
          {kLists.map((list) => (
            <option key={list} value={list}>
              {name(list)}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <ul class="row lists">
      {kLists.map((list) => (
        <li key={list}>
          <a href={`#/data/${list}`} aria-current={list === now ? "true" : undefined}>
            {name(list)}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Of these the program shows no item by itself. */
const kWithoutEntries = ["prices", "regions", "sources"];

function commandOf(list: string, id: string | undefined): string | undefined {
  if (id === undefined || list === "prices") return `catalog list ${list}`;
  return kWithoutEntries.includes(list) ? undefined : `catalog show ${list} ${decodeURIComponent(id)}`;
}

/** Columns that a list can be narrowed by. */
const kChosen: Record<string, readonly string[]> = { prices: ["gpu", "country", "segment"] };
/** More rows than this are drawn when they are asked for. */
const kMostRows = 150;
const kMostOnPhone = 12;

/** The columns of a list. The title of a source is longer than what other tables show. */
function columnsIn(list: string, rows: readonly JsonObject[]): string[] {
  const columns = list === "sources" ? ["title", ...columnsOf(rows)] : columnsOf(rows);
  return inOrder(
    list,
    columns.filter((key) => key !== "id" && key !== "url"),
  );
}

interface CatalogTableProps {
  list: string;
  /** Prices of this GPU alone, until another is chosen. */
  gpu: string;
}

function CatalogTable({ list, gpu }: CatalogTableProps) {
  const { state } = usePage();
  const [chosen, setChosen] = useState<Record<string, string>>(gpu === "" ? {} : { gpu });
  const [showsAll, setShowsAll] = useState(false);
  const isPhone = useIsNarrow(kPhone);
  const [rows, setRows] = useState<readonly JsonObject[]>();
  const [failed, setFailed] = useState(false);
  const [filter, setFilter] = useState("");
  const [sort, setSort] = useState<{ key: string; down: boolean }>();
  const load = () => {
    setFailed(false);
    // Countries by their names; without them by their codes.
    const places = list === "prices" ? loadPlaces().catch(() => undefined) : undefined;
    Promise.all([catalogRows(list), places]).then(
      ([all]) => setRows(list === "prices" ? withAges(state, all) : all),
      () => setFailed(true),
    );
  };
  useEffect(load, [list]);
  if (failed)
    return (
      <p class="notice">
        {texts.dataFailed}{" "}
        <button type="button" onClick={load}>
          {messages.tryAgain}
        </button>
      </p>
    );
  if (rows === undefined) return <p class="note opening">{messages.loadingScreen}</p>;
  const columns = columnsIn(list, rows);
  const narrowed = (except?: string) =>
    rows.filter((row) =>
      Object.entries(chosen).every(([key, value]) => key === except || value === "" || row[key] === value),
    );
  const found = filtered(narrowed(), filter, (key, value) => catalogText(state, key, value));
  const sorted = sort === undefined ? found : sortedBy(found, sort.key, sort.down);
  const drawn = showsAll ? sorted : sorted.slice(0, isPhone ? kMostOnPhone : kMostRows);
  return (
    <>
      <div class="row table-tools">
        <FilterField
          label={texts.filter}
          example={list === "prices" ? texts.priceFilterExample : texts.filterExample}
          text={filter}
          take={setFilter}
        />
        {(kChosen[list] ?? []).map((key) => (
          <label key={key}>
            <span>{catalogLabel(key)}</span>
            <select
              value={chosen[key] ?? ""}
              onChange={({ currentTarget }) => setChosen({ ...chosen, [key]: currentTarget.value })}
            >
              <option value="">{texts.anyChoice}</option>
              {choicesOf(state, narrowed(key), key).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ))}
        {isPhone ? (
          <label>
            <span>{texts.sortBy}</span>
            <select
              value={sort?.key ?? ""}
              onChange={({ currentTarget: { value } }) =>
                setSort(value === "" ? undefined : { key: value, down: false })
              }
            >
              <option value="">{texts.usualOrder}</option>
              {columns.map((key) => (
                <option key={key} value={key}>
                  {catalogLabel(key)}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        <span class="note" role="status">
          {fill(texts.rowsShown, { count: found.length, all: rows.length })}
        </span>
        <button type="button" class="small" onClick={() => keepFile(`${list}.csv`, csv(sorted, columns), "text/csv")}>
          {texts.csv}
        </button>
      </div>
      {found.length === 0 ? (
        <p>
          {texts.nothingFound}{" "}
          <button
            type="button"
            onClick={() => {
              setFilter("");
              setChosen({});
            }}
          >
            {texts.clearFilter}
          </button>
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus
        <section class="wide-table" tabIndex={0}>
          {/* The roles stay when a narrow screen turns rows into cards. */}
          {/* biome-ignore-start lint/a11y/noRedundantRoles: a table that is not displayed as one would lose them */}
          <table class="plain rows catalog stacking" role="table">
            <thead role="rowgroup">
              <tr role="row">
                {columns.map((key) => (
                  <th
                    key={key}
                    role="columnheader"
                    scope="col"
                    class={isNumeric(rows, key) ? "numeric" : undefined}
                    aria-sort={sort?.key === key ? (sort.down ? "descending" : "ascending") : undefined}
                  >
                    <button
                      type="button"
                      class="sorter"
                      onClick={() => setSort({ key, down: sort?.key === key ? !sort.down : isNumeric(rows, key) })}
                    >
                      {catalogLabel(key)}
                      <span aria-hidden="true">{sort?.key === key ? (sort.down ? " ▾" : " ▴") : ""}</span>
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {drawn.map((row) => (
                <tr key={String(row.id)} role="row">
                  {columns.map((key, i) => {
                    const text = catalogText(state, key, row[key], list === "prices");
                    if (i > 0)
                      return (
                        <td
                          key={key}
                          role="cell"
                          class={isNumeric(rows, key) ? "numeric" : key === "as_of" ? "day" : undefined}
                          data-label={catalogLabel(key)}
                          data-empty={row[key] === undefined || row[key] === null ? true : undefined}
                        >
                          {key === "age_days" && Number(row[key]) > kOldDays ? (
                            <span class="badge old">{text}</span>
                          ) : (
                            text
                          )}
                        </td>
                      );
                    return (
                      <th key={key} role="rowheader" scope="row">
                        <EntryLink list={list} row={row} text={text} />
                      </th>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
          {/* biome-ignore-end lint/a11y/noRedundantRoles: a table that is not displayed as one would lose them */}
        </section>
      )}
      {drawn.length === sorted.length ? null : (
        <button type="button" onClick={() => setShowsAll(true)}>
          {fill(texts.showAllRows, { count: sorted.length })}
        </button>
      )}
    </>
  );
}

/** Sources and regions have no page of their own; a source leads to its document. */
function EntryLink({ list, row, text }: { list: string; row: JsonObject; text: string }) {
  if (list === "prices" || list === "regions") return text;
  if (list !== "sources") return <a href={`#/data/${list}/${encodeURIComponent(String(row.id))}`}>{text}</a>;
  const url = typeof row.url === "string" && /^https?:\/\//.test(row.url) ? row.url : undefined;
  if (url === undefined) return text;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

/** Rows in which every typed word occurs somewhere. */
export function filtered(
  rows: readonly JsonObject[],
  filter: string,
  textOf = (_key: string, value: unknown): string => String(value),
): readonly JsonObject[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    // By what is shown, and by the code that stands for it.
    const text = Object.entries(row)
      .filter(([, value]) => typeof value !== "object")
      .map(([key, value]) => `${value} ${textOf(key, value)}`)
      .join(" ")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Numbers by size, words by the alphabet; rows without a value come last either way. */
export function sortedBy(rows: readonly JsonObject[], key: string, down: boolean): readonly JsonObject[] {
  const compare = (a: unknown, b: unknown) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), language.value);
  return [...rows].sort((first, second) => {
    const [a, b] = [first[key], second[key]];
    if (a === undefined || a === null || b === undefined || b === null)
      return Number(a === undefined || a === null) - Number(b === undefined || b === null);
    return down ? compare(b, a) : compare(a, b);
  });
}

function isNumeric(rows: readonly JsonObject[], key: string): boolean {
  return rows.some((row) => typeof row[key] === "number") && rows.every((row) => typeof row[key] !== "string");
}

/** Parameters in the words of the publisher; the numbers say the same. */
const kParameterLabels = new Set(["total_parameters_label", "active_parameters_label"]);

interface CatalogEntryProps {
  list: string;
  id: string;
  tellName: (name: string) => void;
}

function CatalogEntry({ list, id, tellName }: CatalogEntryProps) {
  const { state } = usePage();
  const [item, setItem] = useState<JsonObject>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (state.sources.value.size === 0)
      void askEngine({ kind: "catalog", list: "sources" }).then((reply) => {
        state.sources.value = readSources(reply);
      });
    askEngine({ kind: "catalog", show: list, id }).then(
      (text) => {
        const answer: unknown = JSON.parse(text);
        if (isObject(answer) && isObject(answer.item)) {
          setItem(answer.item);
          if (typeof answer.item.name === "string") tellName(answer.item.name);
        } else setProblem(isObject(answer) && isObject(answer.error) ? String(answer.error.message) : texts.dataFailed);
      },
      () => setProblem(texts.dataFailed),
    );
  }, [list, id, state]);
  if (problem !== "")
    return (
      <p class="notice">
        {problem} <a href={`#/data/${list}`}>{texts.backToList}</a>
      </p>
    );
  if (item === undefined) return <p class="note opening">{messages.loadingScreen}</p>;
  const sources = isObject(item.sources) ? item.sources : {};
  const published = list === "models" ? publishedParameters(item) : {};
  const facts = [
    ...factsOf(published).map((fact) => ({ ...fact, text: fill(texts.asPublished, { value: fact.text }) })),
    ...factsOf(item).filter(({ path }) => !kParameterLabels.has(path)),
  ].map((fact) => ({ ...fact, from: sourcesOf(sources, fact.path) }));
  const numbered = [...new Set(facts.flatMap(({ from }) => from))];
  return (
    <>
      <p class="entry-name">
        <code>{id}</code>
      </p>
      <table class="plain facts">
        <thead>
          <tr>
            <th scope="col">{texts.fact}</th>
            <th scope="col">{messages.assumptionValue}</th>
            <th scope="col">{messages.assumptionSource}</th>
          </tr>
        </thead>
        <tbody>
          {facts.map(({ path, label, text, from }) => (
            <tr key={path}>
              <th scope="row">{label}</th>
              <td>
                {text}
                {path === "price_basis" && isOldBasis(state, text) ? (
                  <>
                    {" "}
                    <span class="badge old">{fill(texts.olderThan, { days: kOldDays })}</span>
                  </>
                ) : null}
              </td>
              <td class="note">{from.map((source) => `[${numbered.indexOf(source) + 1}]`).join(" ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {list === "gpus" ? <GpuPrices gpu={id} /> : null}
      {numbered.length === 0 ? null : <h2>{catalogNames.sources}</h2>}
      <ol class="numbered">
        {numbered.map((source) => (
          <li key={source}>
            <SourceList sources={[source]} />
          </li>
        ))}
      </ol>
      <p class="row downloads">
        <a href={`#/data/${list}`}>{texts.backToList}</a>{" "}
        <button
          type="button"
          class="small"
          onClick={() => keepFile(`${id}.json`, JSON.stringify(item, null, 2), "application/json")}
        >
          {texts.download}
        </button>
      </p>
    </>
  );
}

interface Fact {
  path: string;
  label: string;
  text: string;
}

/** Every value of an item with the words that lead to it. */
export function factsOf(item: JsonObject, above: readonly string[] = []): Fact[] {
  return Object.entries(item).flatMap(([key, value]): Fact[] => {
    if (above.length === 0 && (key === "id" || key === "name" || key === "sources")) return [];
    const path = [...above, key];
    if (isObject(value)) return factsOf(value, path);
    const text = Array.isArray(value)
      ? value.map((one) => valueText(key, one)).join(", ")
      : key === "arch"
        ? modelKind(String(value))
        : valueText(unitKey(key, above.at(-1), value), value);
    return [
      {
        path: path.join("."),
        label: path.map((word, i) => (i === 0 ? catalogLabel(word) : inSentence(catalogLabel(word)))).join(", "),
        text,
      },
    ];
  });
}

/** The name that tells a number's unit: its own, or that of the part that it belongs to. */
function unitKey(key: string, above: string | undefined, value: unknown): string {
  if (typeof value !== "number" || above === undefined || figureText(key, value).unit !== "") return key;
  return `${key}_${above}`;
}

/** Sources of a fact: its own, or those of the part that it belongs to. */
export function sourcesOf(sources: JsonObject, path: string): string[] {
  const words = path.split(".");
  for (let length = words.length; length > 0; length -= 1) {
    const found = sources[words.slice(0, length).join(".")];
    if (Array.isArray(found)) return found.map(String);
    if (typeof found === "string") return [found];
  }
  return [];
}
