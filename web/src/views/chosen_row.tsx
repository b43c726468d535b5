/** A row of a chart's table that was asked for: it comes into view and takes the focus. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Anew for each time that it is asked for. */
export interface ChosenRow {
  key: string;
}

interface FindableRowProps {
  rowKey: string;
  chosen: ChosenRow | undefined;
  children: ComponentChildren;
}

export function FindableRow({ rowKey, chosen, children }: FindableRowProps) {
  const row = useRef<HTMLTableRowElement>(null);
  const isChosen = chosen?.key === rowKey;
  useEffect(() => {
    if (!isChosen) return;
    const fold = row.current?.closest("details");
    if (fold) fold.open = true;
    row.current?.scrollIntoView({ block: "center" });
    row.current?.focus();
  }, [isChosen, chosen]);
  return (
    <tr ref={row} tabIndex={isChosen ? -1 : undefined} class={isChosen ? "found-row" : undefined}>
      {children}
    </tr>
  );
}
