/** The table twin of a chart: the same numbers in the same order, for reading, copying and screen readers. */
import type { ComponentChildren } from "preact";
import { ChartFiles } from "../../views/chart_files.tsx";
import { type ChosenRow, FindableRow } from "../../views/chosen_row.tsx";
import { Disclosure } from "../../views/fold.tsx";
import { texts } from "../texts.ts";

interface ChartTableProps {
  columns: readonly string[];
  rows: readonly { key: string; cells: readonly ComponentChildren[] }[];
  /** Each row is a card where the window is narrow. */
  stacks?: boolean;
  /** The row that was asked for. */
  chosen?: ChosenRow | undefined;
}

export function ChartTable(props: ChartTableProps) {
  return (
    <>
      <Disclosure summary={texts.chartTable}>{() => <NumbersTable {...props} />}</Disclosure>
      <ChartFiles />
    </>
  );
}

export function NumbersTable({ columns, rows, stacks = false, chosen }: ChartTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus
    <section class="wide-table" tabIndex={0}>
      <table class={stacks ? "plain rows stacking" : "plain rows"}>
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th key={column} scope="col" class={i === 0 ? undefined : "numeric"}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [first, ...others] }) => (
            <FindableRow key={key} rowKey={key} chosen={chosen}>
              <th scope="row">{first}</th>
              {others.map((cell, i) => (
                <td key={i} class="numeric" data-label={stacks ? columns[i + 1] : undefined}>
                  {cell}
                </td>
              ))}
            </FindableRow>
          ))}
        </tbody>
      </table>
    </section>
  );
}
