/** The quotes of a request next to list prices, and which price each way of a plan takes. */
import type { ComponentChildren } from "preact";
import { usdText } from "../format.ts";
import { isObject, type JsonObject, numberAt, textAt, valueAt } from "../json.ts";
import { fill, inSentence } from "../messages.ts";
import { usePage } from "../page.ts";
import { nameOf, type State } from "../state.ts";
import { AgeBadge } from "../views/age_badge.tsx";
import { fieldLabels, texts } from "./texts.ts";
import { Amount, type PlaceProps } from "./value.tsx";
import { wordText } from "./words.ts";
import "./screens.css";

function objectsAt(document: unknown, pointer: string): JsonObject[] {
  const list = valueAt(document, pointer);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** `place` is that of a plan. */
export function QuoteTable({ place }: PlaceProps) {
  const { state } = usePage();
  const shown = objectsAt(state.answer.value, `${place}/cost/quotes`);
  const columns = [texts.quote, texts.quotePrice, texts.listPrice, texts.quoteState];
  return (
    <div class="sub-part">
      <h3>{texts.quotesAndPrices}</h3>
      {/* The roles stay when a narrow screen turns rows into cards. */}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: a table that is not displayed as one would lose them */}
      <table class="plain rows stacking" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column} role="columnheader" scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {objectsAt(state.answered.value, "/quotes").map((quote, i) => {
            const at = shown.findIndex(({ name }) => name === quote.name);
            const cells = cellsOf(state, quote, at < 0 ? undefined : `${place}/cost/quotes/${at}`);
            return (
              <tr key={i} role="row">
                {cells.map((cell, column) =>
                  column === 0 ? (
                    <th key={column} role="rowheader" scope="row" data-label={columns[column]}>
                      {cell}
                    </th>
                  ) : (
                    <td key={column} role="cell" data-label={columns[column]}>
                      {cell}
                    </td>
                  ),
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: a table that is not displayed as one would lose them */}
      <PricesTaken place={place} shown={shown} />
    </div>
  );
}

/** A quote in the order of the columns. `place` is that of it in the plan, which has those of its own GPU. */
function cellsOf(state: State, quote: JsonObject, place: string | undefined): ComponentChildren[] {
  const isServer = quote.type === "server";
  const key = isServer ? "usd_per_system" : "usd_per_gpu_hour";
  const term = typeof quote.term === "string" ? quote.term : "on-demand";
  const states: Record<string, string> = texts.quoteStates;
  const has = (name: string) => numberAt(state.answer.value, `${place}/${name}`) !== undefined;
  return [
    <span key="quote">
      {String(quote.name)} <span class="note">{String(quote.provider)}</span>{" "}
      <AgeBadge asOf={String(quote.as_of ?? "")} />
    </span>,
    <span key="price">
      {has(key) ? <Amount place={`${place}/${key}`} bare /> : usdText(Number(quote[key]))}{" "}
      <span class="note">
        {isServer ? texts.perServer : fill(texts.perGpuHour, { term: inSentence(wordText(state, term)) })}
      </span>
    </span>,
    has(`list_${key}`) ? (
      <span key="list">
        <Amount place={`${place}/list_${key}`} bare />{" "}
        <span class="note">{isServer ? texts.typicalPrice : texts.medianPrice}</span>
      </span>
    ) : (
      <span key="list" class="none">
        –
      </span>
    ),
    place === undefined
      ? fill(texts.quoteOfOther, { gpu: nameOf(state.initial.gpus, String(quote.gpu)) })
      : (states[textAt(state.answer.value, `${place}/state`) ?? ""] ?? ""),
  ];
}

/** What each way of the plan pays, and whose price that is. */
function PricesTaken({ place, shown }: PlaceProps & { shown: readonly JsonObject[] }) {
  const { state } = usePage();
  const answer = state.answer.value;
  const quoted = (quote: unknown, provider: unknown) =>
    fill(texts.fromQuote, { quote: String(quote), provider: String(provider) });
  const rows: { label: string; at: string; whose: ComponentChildren }[] = [];
  for (const way of ["cloud", "committed"]) {
    const at = (key: string) => `${place}/cost/${way}/${key}`;
    const provider = textAt(answer, at("provider_name"));
    if (provider === undefined) continue;
    const isQuote = textAt(answer, at("segment")) === "quote";
    rows.push({
      label: fill(texts.gpuHourOf, { term: inSentence(wordText(state, textAt(answer, at("term")) ?? "")) }),
      at: at("usd_per_gpu_hour"),
      whose: (
        <>
          {isQuote ? quoted(textAt(answer, at("instance")), provider) : fill(texts.fromList, { provider })}{" "}
          <AgeBadge asOf={textAt(answer, at("as_of")) ?? ""} />
        </>
      ),
    });
  }
  const server = shown.find((quote) => quote.state === "used" && "usd_per_system" in quote);
  const servers = `${place}/cost/on_premises/servers_usd`;
  if (numberAt(answer, servers) !== undefined)
    rows.push({
      label: fieldLabels.servers_usd ?? "",
      at: servers,
      whose: server === undefined ? texts.fromCatalogPrice : quoted(server.name, server.provider),
    });
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{texts.pricesTaken}</h3>
      <dl class="quantities numbers-list">
        {rows.map(({ label, at, whose }) => (
          <div key={at}>
            <dt>{label}</dt>
            <dd>
              <Amount place={at} bare /> <span class="note">{whose}</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
