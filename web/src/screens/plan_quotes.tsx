/** Prices that the planner has been offered: a form for each quote, and tables of them read by the engine. */
import { useState } from "preact/hooks";
import type { RequestError } from "../contract.ts";
import { isObject, type JsonObject, valueAt } from "../json.ts";
import { fill } from "../messages.ts";
import { usePage } from "../page.ts";
import { askEngine } from "../pages.ts";
import { readReply } from "../replies.ts";
import { shownPlan } from "../state.ts";
import { textOf } from "../tools/read_file.ts";
import { Faults, isWithin } from "../views/field.tsx";
import { FaultsElsewhere } from "./faults_elsewhere.tsx";
import { fieldLabel } from "./field_names.ts";
import { About, ItemForms } from "./form.tsx";
import { WithPlanRequests } from "./plan_requests.tsx";
import { texts } from "./texts.ts";
import "./screens.css";

const kQuotes = "/quotes";

export function PlanQuotes() {
  const { state } = usePage();
  return (
    <WithPlanRequests>
      {({ schema }) => {
        const field = schema.properties?.quotes;
        if (field === undefined) return null;
        const quotes = { name: "quotes", field, pointer: kQuotes };
        return (
          <div class="schema-fields">
            <div>
              <About {...quotes} />
            </div>
            <QuoteImport />
            <FaultsElsewhere schema={schema} among={(error) => isWithin(error, kQuotes)} />
            <div>
              <ItemForms {...quotes} first={{ type: "rent", gpu: shownPlan(state)?.plan.gpu ?? "" }} />
            </div>
          </div>
        );
      }}
    </WithPlanRequests>
  );
}

/** What a table adds to a request: its quotes behind those that are there, and its other prices. */
export function patchOf(request: JsonObject, { quotes, economics }: JsonObject): JsonObject {
  const list = (value: unknown) => (Array.isArray(value) ? value : []);
  return {
    quotes: [...list(valueAt(request, kQuotes)), ...list(quotes)],
    ...(isObject(economics) ? { economics } : undefined),
  };
}

function addedText(file: string, { quotes, economics }: JsonObject): string {
  const added = fill(texts.quotesRead, { file, count: Array.isArray(quotes) ? quotes.length : 0 });
  if (!isObject(economics)) return added;
  return `${added} ${fill(texts.pricesRead, { fields: Object.keys(economics).map(fieldLabel).join("; ") })}`;
}

function QuoteImport() {
  const { state, controller } = usePage();
  const [said, setSaid] = useState("");
  const [errors, setErrors] = useState<readonly RequestError[]>([]);
  const take = async (file: File) => {
    setSaid("");
    setErrors([]);
    const given = await textOf(file);
    if ("fault" in given) return setSaid(given.fault);
    try {
      const reply = readReply(await askEngine({ kind: "quotes", csv: given.text }));
      if (reply.kind === "errors") return setErrors(reply.errors);
      if (reply.kind !== "answer") return setSaid(texts.quotesNotRead);
      const read = reply.answer as unknown as JsonObject;
      controller.applyWayOut(patchOf(state.request.value, read));
      setSaid(addedText(file.name, read));
    } catch {
      setSaid(texts.quotesNotRead);
    }
  };
  return (
    <div class="field schema-field">
      <label for="quotes-file">{texts.quotesFile}</label>
      <input
        id="quotes-file"
        type="file"
        accept=".csv,text/csv"
        aria-invalid={errors.length > 0}
        aria-describedby="quotes-file-help quotes-file-fault"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // The same file may be chosen again once it is mended.
          if (file !== undefined) void take(file).then(() => (currentTarget.value = ""));
        }}
      />
      <p class="help" id="quotes-file-help">
        {texts.quotesFileHelp}
      </p>
      <div role="alert">
        <Faults id="quotes-file-fault" errors={errors} />
      </div>
      <output class="note" aria-live="polite">
        {said}
      </output>
    </div>
  );
}
