/** A field that a sentence of the engine names as a request writes it: its label, which opens the plan's form at its input. */
import { useEffect, useState } from "preact/hooks";
import type { JsonObject } from "../json.ts";
import { humanize, inSentence } from "../messages.ts";
import { usePage } from "../page.ts";
import { addressOf, isPlanView, route } from "../route.ts";
import { fieldLabel, hasLabel } from "./field_names.ts";
import { inputsOf } from "./find_inputs.ts";
import { type Field, loadRequests } from "./requests.ts";
import { wantedInput } from "./wanted_input.ts";
import "./screens.css";

export function FieldName({ name }: { name: string }) {
  const { state } = usePage();
  const [pointer, setPointer] = useState<string>();
  const isOfPlan = state.asking.screen === "plan";
  useEffect(() => {
    if (!isOfPlan) return;
    // Without the form's fields the label is a word like others.
    loadRequests("plan").then(
      ({ schema }) => setPointer(pointerOf(schema, state.answered.peek(), name)),
      () => undefined,
    );
  }, [isOfPlan, name, state]);
  // Others name their machines so: `gpu_8x_b200`.
  if (!hasLabel(name) && /\d/.test(name)) return <>{name}</>;
  const label = inSentence(hasLabel(name) ? fieldLabel(name) : humanize(name));
  if (pointer === undefined) return <>{label}</>;
  const open = () => {
    if (!isPlanView(route.peek().screen)) location.hash = addressOf("plan");
    wantedInput.value = pointer;
  };
  return (
    <button type="button" class="to-input" onClick={open}>
      {label}
    </button>
  );
}

/** Where the request has, or may have, the field. */
export function pointerOf(schema: Field, request: JsonObject, name: string): string | undefined {
  return inputsOf(schema, request, new Set()).find((input) => input.name === name)?.pointer;
}
