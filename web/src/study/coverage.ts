/** Rows of the study documents and where each is covered. */
import { finder } from "./text_search.ts";

export interface CoverageReference {
  /** lesson, claim, calculator, catalog, template, written, lab, glossary, rule, probe, command or source. */
  kind: string;
  name: string;
  url?: string;
}

export interface CoverageRow {
  id: string;
  item: string;
  references: CoverageReference[];
  note?: string;
}

export interface CoverageGroup {
  id: string;
  name: string;
  rows: CoverageRow[];
}

export interface CoveragePack {
  groups: CoverageGroup[];
}

/** Screens of the site that ask a kind of request. */
const kScreenOf: Readonly<Record<string, string>> = {
  plan: "#/",
  serving: "#/serving",
  training: "#/training",
  search: "#/deployments",
  architecture: "#/architecture",
  fabric: "#/fabric",
  mig: "#/mig",
  cost: "#/cost",
  explain: "#/claims",
  architecture_claims: "#/statements",
  rule_of_thumb: "#/rules",
};

/** Where on the site, or outside of it, a reference leads; undefined for what stands in the program alone. */
export function addressOf({ kind, name, url }: CoverageReference): string | undefined {
  switch (kind) {
    case "lesson":
      return `#/study/lessons/${name}`;
    case "claim":
      return `#/study/ledger?text=${name}`;
    case "glossary":
      return `#/study/glossary?text=${encodeURIComponent(name)}`;
    case "lab":
      return `#/study/labs/${name}`;
    case "catalog":
      return `#/data/${name}`;
    case "calculator":
      return kScreenOf[name];
    default:
      return url;
  }
}

/** Groups with the rows that hold every word of the text. */
export function foundCoverage(groups: readonly CoverageGroup[], text: string): CoverageGroup[] {
  const holds = finder(text);
  const has = ({ id, item, note = "", references }: CoverageRow) =>
    holds(id, item, note, ...references.map(({ kind, name }) => `${kind}:${name}`));
  return groups.map((group) => ({ ...group, rows: group.rows.filter(has) })).filter(({ rows }) => rows.length > 0);
}

export const rowsOf = (groups: readonly CoverageGroup[]) => groups.flatMap(({ rows }) => rows);
