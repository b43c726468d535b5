/** The page as text, for the build: the same views on the preset's answer. */
import { renderToString } from "preact-render-to-string";
import type { InitialData } from "./contract.ts";
import { kIdleController } from "./controller.ts";
import { messages } from "./messages.ts";
import { createState } from "./state.ts";
import { App } from "./views/app.tsx";

export const title = messages.pageTitle;
export const description = messages.tagline;
export const noScript = messages.noScript;

export function render(initial: InitialData): string {
  return renderToString(<App page={{ state: createState(initial), controller: kIdleController }} />);
}
