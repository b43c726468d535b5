/** Every row of the study documents with the places that cover it. Reached from About, not from the navigation. */

import table from "../../data/coverage_texts.json";
import { followLanguage } from "../../language.ts";
import { fill } from "../../messages.ts";
import { FilterField } from "../../screens/filter_field.tsx";
import {
  addressOf,
  type CoverageGroup,
  type CoveragePack,
  type CoverageReference,
  type CoverageRow,
  foundCoverage,
  rowsOf,
} from "../coverage.ts";
import { useAddressQuery } from "./address_query.ts";
import type { StudyScreenProps } from "./addresses.ts";
import { StudyCard } from "./opening.tsx";
import { StudyFile } from "./study_file.tsx";
import "./coverage.css";

const coverageTexts = followLanguage("coverage_texts", table);

const kSearch = ["text"] as const;

export function Coverage(_: StudyScreenProps) {
  return (
    <StudyCard kind="card coverage" title={coverageTexts.title}>
      <p class="note">{coverageTexts.note}</p>
      <StudyFile<CoveragePack> file="coverage.json">{({ groups }) => <Rows groups={groups} />}</StudyFile>
    </StudyCard>
  );
}

function Rows({ groups }: { groups: readonly CoverageGroup[] }) {
  const [{ text }, change] = useAddressQuery(kSearch);
  const found = foundCoverage(groups, text);
  const rows = rowsOf(found);
  const isWhole = text.trim() === "";
  return (
    <>
      <search class="row table-tools">
        <FilterField
          label={coverageTexts.search}
          example={coverageTexts.searchExample}
          text={text}
          take={(text) => change({ text })}
        />
        <span class="note" role="status">
          {rows.length === 0
            ? coverageTexts.nothing
            : fill(coverageTexts.found, {
                found: rows.length,
                count: rowsOf(groups).length,
                covered: rows.filter(({ references }) => references.length > 0).length,
              })}
        </span>
      </search>
      {found.map((group) => (
        <details key={`${group.id}${isWhole}`} open={!isWhole}>
          <summary lang="en">{fill(coverageTexts.groupRows, { name: group.name, count: group.rows.length })}</summary>
          <table class="plain rows stacking">
            <thead>
              <tr>
                <th scope="col">{coverageTexts.item}</th>
                <th scope="col">{coverageTexts.places}</th>
              </tr>
            </thead>
            <tbody lang="en">
              {group.rows.map((row) => (
                <Row key={row.id} row={row} />
              ))}
            </tbody>
          </table>
        </details>
      ))}
    </>
  );
}

function Row({ row: { id, item, references, note } }: { row: CoverageRow }) {
  return (
    <tr>
      <th scope="row">
        <span class="note">{id}</span> {item}
      </th>
      <td>
        <ul class="row coverage-places">
          {references.map((reference) => (
            <li key={`${reference.kind}:${reference.name}`}>
              <Place reference={reference} />
            </li>
          ))}
        </ul>
        {note === undefined ? null : <span class="note">{note}</span>}
      </td>
    </tr>
  );
}

function Place({ reference }: { reference: CoverageReference }) {
  const { kind, name } = reference;
  const kinds: Record<string, string> = coverageTexts.kinds;
  const address = addressOf(reference);
  const isElsewhere = address?.startsWith("https:") === true;
  return (
    <>
      <span class="note">{kinds[kind] ?? kind}</span>{" "}
      {address === undefined ? (
        name
      ) : (
        <a href={address} {...(isElsewhere && { target: "_blank", rel: "noreferrer" })}>
          {name}
        </a>
      )}
    </>
  );
}
