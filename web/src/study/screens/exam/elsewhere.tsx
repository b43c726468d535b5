/** An exam is answered in one tab at a time; the others say so, and can take it over. */
import { useEffect, useRef, useState } from "preact/hooks";
import { type Holding, OneTab } from "../../one_tab.ts";
import { examTexts } from "./texts.ts";

const kName = "podwright study exam";

/** Whether this tab is the one, while `isWanted`. `onLost` is called when another tab takes over. */
export function useOneTab(isWanted: boolean, onLost: () => void): { holding: Holding; take: () => void } {
  const [tab, setTab] = useState<OneTab>();
  const now = useRef(onLost);
  now.current = onLost;
  useEffect(() => {
    if (!isWanted) return;
    const made = new OneTab(kName, () => now.current());
    // Whoever comes back to this tab after the other was closed goes on.
    const look = () => {
      if (document.visibilityState === "visible") made.ask();
    };
    document.addEventListener("visibilitychange", look);
    setTab(made);
    return () => {
      document.removeEventListener("visibilitychange", look);
      made.release();
      setTab(undefined);
    };
  }, [isWanted]);
  return { holding: tab?.holding.value ?? "asking", take: () => tab?.take() };
}

export function Elsewhere({ take }: { take: () => void }) {
  return (
    <div class="exam-paused" role="status">
      <h2>{examTexts.elsewhereTitle}</h2>
      <p>{examTexts.elsewhere}</p>
      <p class="row exam-actions">
        <button type="button" class="primary" onClick={take}>
          {examTexts.goOnHere}
        </button>
      </p>
    </div>
  );
}
