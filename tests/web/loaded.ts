/** Parts that a browser loads after the first look, for tests that draw the page as text. */
import { faultView } from "../../web/src/views/field.tsx";
import { planForm } from "../../web/src/views/inputs.tsx";
import { waysOut } from "../../web/src/views/rejected.tsx";

/** Waits for the form of the plan, for its complaints in words of the form, and for ways out. */
export async function loaded(): Promise<void> {
  for (const { view, load } of [planForm, faultView, waysOut]) {
    load();
    while (view.value === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
