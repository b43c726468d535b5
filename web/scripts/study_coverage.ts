/** What of the study documents is covered where: the rows by their groups, each reference with where it leads. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CoveragePack, CoverageReference } from "../src/study/coverage.ts";
import type { SourceEntry } from "../src/study/pack.ts";
import { readCsv } from "./read_csv.ts";

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

interface Names {
  sources: ReadonlyMap<string, SourceEntry>;
  /** Terms by their slugs: "ada-lovelace" for "Ada Lovelace". */
  terms: ReadonlyMap<string, string>;
}

const slug = (term: string) =>
  term
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

/** A reference in words; a source has its address, a term its name. */
function referenceOf(text: string, { sources, terms }: Names): CoverageReference {
  const at = text.indexOf(":");
  const kind = text.slice(0, at);
  const name = text.slice(at + 1);
  if (kind === "glossary") return { kind, name: terms.get(name) ?? name };
  const url = kind === "source" ? sources.get(name)?.url : undefined;
  return { kind, name, ...(url !== undefined && { url }) };
}

export function coveragePack(data: string, sources: ReadonlyMap<string, SourceEntry>): CoveragePack {
  const names = read(join(data, "coverage_groups.json")) as Record<string, string>;
  const rows = readCsv(join(data, "coverage.csv"), ["inventory", "item", "covered_by", "note"]);
  const { terms } = read(join(data, "glossary.json")) as { terms: { term: string }[] };
  const known = { sources, terms: new Map(terms.map(({ term }) => [slug(term), term])) };
  const groupOf = (inventory: string) => inventory.split("-")[0] ?? "";
  const unknown = rows.filter(({ inventory }) => names[groupOf(inventory)] === undefined);
  if (unknown.length > 0) throw new Error(`coverage_groups.json has no name for ${unknown[0]?.inventory}.`);
  return {
    groups: Object.entries(names).map(([id, name]) => ({
      id,
      name,
      rows: rows
        .filter(({ inventory }) => groupOf(inventory) === id)
        .map(({ inventory, item, covered_by, note }) => ({
          id: inventory,
          item,
          references: covered_by
            .split(" ")
            .filter(Boolean)
            .map((one) => referenceOf(one, known)),
          ...(note !== "" && { note }),
        })),
    })),
  };
}
