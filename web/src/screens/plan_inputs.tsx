/** Everything that a plan may be asked, as the engine's schema has it, and examples of other workloads. */
import { Examples } from "./ask_screen.tsx";
import { SchemaForm } from "./form.tsx";
import { WithPlanRequests } from "./plan_requests.tsx";
import "./screens.css";

export function PlanInputs() {
  return (
    <WithPlanRequests>
      {({ examples, schema }) => (
        <>
          <Examples examples={examples} />
          <SchemaForm schema={schema} hidden={["quotes"]} elsewhere="/quotes" folded />
        </>
      )}
    </WithPlanRequests>
  );
}
