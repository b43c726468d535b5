/** A long form stands open beside the answer; on a phone it would push the answer away, so there it waits folded. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useIsNarrow } from "./narrow.ts";

/** As in style.css, where the bar of screens moves to the foot. */
const kPhone = "(max-width: 48rem)";

interface OnPhoneFoldedProps {
  summary: string;
  /** Stands open, as where the engine complains about what is in it. */
  open: boolean;
  children: ComponentChildren;
}

export function OnPhoneFolded({ summary, open, children }: OnPhoneFoldedProps) {
  const isPhone = useIsNarrow(kPhone);
  const [wanted, setWanted] = useState(false);
  return (
    <details
      class="phone-fold"
      open={!isPhone || wanted || open}
      onToggle={({ currentTarget }) => {
        if (isPhone) setWanted(currentTarget.open);
      }}
    >
      <summary>{summary}</summary>
      <div class="phone-fold-body">{children}</div>
    </details>
  );
}
