/** Every statement beside what an exam expects and what holds; filters stand in the address. */

import { useState } from "preact/hooks";
import { fill, inSentence } from "../../messages.ts";
import { FilterField } from "../../screens/filter_field.tsx";
import { kPhone, useIsNarrow } from "../../screens/narrow.ts";
import {
  type Claim,
  foundClaims,
  kFilterNames,
  type LedgerFilter,
  type LedgerPack,
  valuesOf,
  verdictsOf,
} from "../ledger.ts";
import { firstPart, firstPartOnPhone, nextPart, withNextPart } from "../parts.ts";
import { useAddressQuery } from "./address_query.ts";
import { formulaName } from "./formula_words.ts";
import { ledgerTexts } from "./ledger_texts.ts";
import { QuestionSources } from "./question/sources.tsx";

/** Message beside the word, so that no verdict rests on colour. */
const kSigns: Record<Claim["verdict"], string> = {
  correct: "✓",
  approximate: "≈",
  outdated: "†",
  misleading: "!",
  contradicts: "↔",
  wrong: "✗",
  unverified: "?",
};

export function VerdictMark({ verdict }: { verdict: Claim["verdict"] }) {
  return (
    <span class={`verdict-mark ${verdict}`}>
      <span aria-hidden="true">{kSigns[verdict]}</span> {ledgerTexts.verdicts[verdict]}
    </span>
  );
}

export function LedgerTable({ pack }: { pack: LedgerPack }) {
  const { claims } = pack;
  const [filter, change] = useAddressQuery(kFilterNames);
  const found = foundClaims(claims, filter);
  const isFiltered = kFilterNames.some((name) => filter[name] !== "");
  const clear = (button: HTMLElement) => {
    // The button goes with the filters.
    button.closest("section")?.querySelector<HTMLElement>("search input")?.focus();
    change({ text: "", verdict: "", objective: "", topic: "" });
  };
  return (
    <>
      <Filters claims={claims} filter={filter} change={change} />
      {isFiltered ? (
        <p>
          <button type="button" class="small" onClick={({ currentTarget }) => clear(currentTarget)}>
            {ledgerTexts.clear}
          </button>
        </p>
      ) : null}
      <Rows key={JSON.stringify(filter)} found={found} pack={pack} />
    </>
  );
}

interface FiltersProps {
  claims: readonly Claim[];
  filter: LedgerFilter;
  change: (some: Partial<LedgerFilter>) => void;
}

function Filters({ claims, filter, change }: FiltersProps) {
  const verdicts = verdictsOf(claims).map(([verdict, count]) => ({
    value: verdict,
    name: ledgerTexts.verdicts[verdict],
    count,
  }));
  const named = (field: "objective" | "topic") =>
    valuesOf(claims, field).map(([value, count]) => ({ value, name: value, count }));
  return (
    <search class="row table-tools">
      <FilterField
        label={ledgerTexts.search}
        example={ledgerTexts.searchExample}
        text={filter.text}
        take={(text) => change({ text })}
      />
      <Menu label={ledgerTexts.verdict} value={filter.verdict} of={verdicts} take={(verdict) => change({ verdict })} />
      <Menu
        label={ledgerTexts.objective}
        value={filter.objective}
        of={named("objective")}
        take={(objective) => change({ objective })}
      />
      <Menu label={ledgerTexts.topic} value={filter.topic} of={named("topic")} take={(topic) => change({ topic })} />
    </search>
  );
}

interface MenuProps {
  label: string;
  value: string;
  of: readonly { value: string; name: string; count: number }[];
  take: (value: string) => void;
}

function Menu({ label, value, of, take }: MenuProps) {
  return (
    <label>
      <span>{label}</span>{" "}
      <select value={value} onChange={({ currentTarget }) => take(currentTarget.value)}>
        <option value="">{ledgerTexts.any}</option>
        {of.map(({ value, name, count }) => (
          <option key={value} value={value}>
            {fill(ledgerTexts.choice, { name, count })}
          </option>
        ))}
      </select>
    </label>
  );
}

function Rows({ found, pack }: { found: readonly Claim[]; pack: LedgerPack }) {
  const { sources } = pack;
  const all = pack.claims.length;
  const isPhone = useIsNarrow(kPhone);
  const [wanted, setShown] = useState<number>();
  const shown = wanted ?? (isPhone ? firstPartOnPhone : firstPart);
  const rows = found.slice(0, shown);
  return (
    <>
      <p class="note" role="status">
        {found.length === 0
          ? ledgerTexts.nothing
          : fill(ledgerTexts.shown, { shown: rows.length, found: found.length, all })}
      </p>
      {rows.length === 0 ? null : (
        <table class="plain rows stacking claims">
          <thead>
            <tr>
              <th scope="col">{ledgerTexts.statement}</th>
              <th scope="col">{ledgerTexts.notesSay}</th>
              <th scope="col">{ledgerTexts.answer}</th>
              <th scope="col">{ledgerTexts.verdict}</th>
            </tr>
          </thead>
          <tbody lang="en">
            {rows.map((claim) => (
              <Row key={claim.id} claim={claim} sources={sources} />
            ))}
          </tbody>
        </table>
      )}
      {rows.length === found.length ? null : (
        <p class="row ledger-more">
          <button type="button" onClick={() => setShown(withNextPart(shown))}>
            {fill(ledgerTexts.more, { count: nextPart(found.length, shown) })}
          </button>{" "}
          <button type="button" onClick={() => setShown(found.length)}>
            {fill(ledgerTexts.rest, { count: found.length })}
          </button>
        </p>
      )}
    </>
  );
}

/** A formula is told by its title, other parts of the engine as they are. */
const checkName = (engine: string) => (engine.includes(".") ? inSentence(formulaName(engine)) : engine);

function Row({ claim, sources }: { claim: Claim; sources: LedgerPack["sources"] }) {
  const { id, objective, topic, statement, notes_say, answer, verdict, engine, source, explanation } = claim;
  return (
    <tr>
      <th scope="row">
        {statement}
        <span class="note claim-about">
          {id} · {objective} · {topic}
        </span>
      </th>
      <td data-label={ledgerTexts.notesSay}>{notes_say}</td>
      <td data-label={ledgerTexts.answer}>
        <div>
          {answer}
          {explanation === "" ? null : <span class="claim-why">{explanation}</span>}
        </div>
      </td>
      <td data-label={ledgerTexts.verdict}>
        <div>
          <VerdictMark verdict={verdict} />
          <span class="note claim-about">
            {ledgerTexts.source} <QuestionSources text={source} sources={sources} />
          </span>
          {engine === "" ? null : (
            <span class="note claim-about">{fill(ledgerTexts.checkedBy, { engine: checkName(engine) })}</span>
          )}
        </div>
      </td>
    </tr>
  );
}
