/** What the parts of the plan's form are made of. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { messages } from "../messages.ts";
import { Failed } from "../views/lazy.tsx";
import { loadRequests, type ScreenRequests } from "./requests.ts";

/** Draws something of the requests of a plan, once they are there. */
export function WithPlanRequests({ children }: { children: (requests: ScreenRequests) => ComponentChildren }) {
  const [requests, setRequests] = useState<ScreenRequests>();
  const [failed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    loadRequests("plan").then(setRequests, () => setFailed(true));
  };
  useEffect(load, []);
  if (failed) return <Failed again={load} />;
  if (requests === undefined) return <p class="note">{messages.loadingScreen}</p>;
  return <>{children(requests)}</>;
}
