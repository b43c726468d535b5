/** Rows of a file of comma-separated values (RFC 4180), each as an object by the names in its first line. */
import { readFileSync } from "node:fs";

function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // Quoted with doubled quotes inside, or bare; then what ends the cell.
  for (const [whole, quoted, bare = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (whole === "" && row.length === 0) break;
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Throws where a row has more or fewer cells than the first line has names. */
export function readCsv<Name extends string>(file: string, names: readonly Name[]): Record<Name, string>[] {
  const [head = [], ...rows] = rowsOf(readFileSync(file, "utf8"));
  if (head.join() !== names.join()) throw new Error(`${file} has the columns ${head.join()}, not ${names.join()}.`);
  return rows.map((row) => {
    if (row.length !== names.length) throw new Error(`${file}: the row of ${row[0]} has ${row.length} cells.`);
    return Object.fromEntries(names.map((name, i) => [name, row[i] ?? ""])) as Record<Name, string>;
  });
}
