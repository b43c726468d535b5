/** Opens the plan's form at the input of a field. */
import type { JsonObject } from "../json.ts";
import type { Page } from "../page.ts";
import { addressOf, isPlanView, route } from "../route.ts";
import { inputsOf } from "./find_inputs.ts";
import { type Field, loadRequests } from "./requests.ts";
import { wantedInput } from "./wanted_input.ts";

/** Where the request has, or may have, the field. */
export function pointerOf(schema: Field, request: JsonObject, name: string): string | undefined {
  return inputsOf(schema, request, new Set()).find((input) => input.name === name)?.pointer;
}

export async function openInput({ state }: Page, name: string): Promise<void> {
  const { schema } = await loadRequests("plan");
  const pointer = pointerOf(schema, state.answered.peek(), name);
  if (!isPlanView(route.peek().screen)) location.hash = addressOf("plan");
  wantedInput.value = pointer;
}
