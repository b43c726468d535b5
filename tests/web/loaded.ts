/** Parts that a browser loads after the first look, for tests that draw the page as text. */
import { faultView } from "../../web/src/views/field.tsx";
import { planForm } from "../../web/src/views/inputs.tsx";

/** Waits for the form of the plan, and for its complaints in words of the form. */
export async function loaded(): Promise<void> {
  for (const { view, load } of [planForm, faultView]) {
    load();
    while (view.value === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
