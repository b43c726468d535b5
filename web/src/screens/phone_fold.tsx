/** What stands open in wide windows, as a long form beside the answer or a long list, waits folded where it would push all else away. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useIsNarrow } from "./narrow.ts";

/** As in style.css, where a form stands below the answer. */
const kPhone = "(max-width: 61.99rem)";

interface OnPhoneFoldedProps {
  summary: string;
  /** Stands open, as where the engine complains about what is in it. */
  open?: boolean;
  children: ComponentChildren;
}

export function OnPhoneFolded({ summary, open = false, children }: OnPhoneFoldedProps) {
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
