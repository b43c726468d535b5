/** Everything that a plan may be asked, as the engine's schema has it, and examples of other workloads. */
import { useEffect, useState } from "preact/hooks";
import { messages } from "../messages.ts";
import { Failed } from "../views/lazy.tsx";
import { Examples } from "./ask_screen.tsx";
import { SchemaForm } from "./form.tsx";
import { loadRequests, type ScreenRequests } from "./requests.ts";
import "./screens.css";

export function PlanInputs() {
  const [requests, setRequests] = useState<ScreenRequests>();
  const [failed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    loadRequests("plan").then(setRequests, () => setFailed(true));
  };
  useEffect(load, []);
  if (failed) return <Failed again={load} />;
  if (requests === undefined) return <p class="note">{messages.loadingScreen}</p>;
  return (
    <>
      <Examples examples={requests.examples} />
      <SchemaForm schema={requests.schema} />
    </>
  );
}
