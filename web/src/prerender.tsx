/** The page as text, for the build: the same views on the preset's answer. */
import { effect } from "@preact/signals";
import { renderToString } from "preact-render-to-string";
import type { InitialData } from "./contract.ts";
import { kIdleController } from "./controller.ts";
import { messages } from "./messages.ts";
import { createState } from "./state.ts";
import { App } from "./views/app.tsx";
import { planForm } from "./views/inputs.tsx";

// The form's code comes late in a browser; here its view is part of the page.
planForm.load();
await new Promise<void>((resolve) => {
  effect(() => {
    if (planForm.view.value !== undefined) resolve();
  });
});

export const title = messages.pageTitle;
export const description = messages.tagline;
export const noScript = "These numbers are for the example. To plan your own workload, allow JavaScript for this page.";

export function render(initial: InitialData): string {
  return renderToString(<App page={{ state: createState(initial), controller: kIdleController }} />);
}
