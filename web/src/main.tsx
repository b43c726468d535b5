/** Starts the page in a browser: takes over the prerendered view, then the engine. */
import { hydrate } from "preact";
import type { InitialData } from "./contract.ts";
import { createController } from "./controller.ts";
import { EngineClient } from "./engine/client.ts";
import { startEngineProcess } from "./engine/process.ts";
import { createState } from "./state.ts";
import { App } from "./views/app.tsx";
import "./style.css";

/** Browsers limit how often the address may be rewritten; a refused rewrite is made up for by the next one. */
function replaceHash(hash: string): void {
  try {
    history.replaceState(null, "", `${location.pathname}${location.search}${hash}`);
  } catch {
    return;
  }
}

const root = document.getElementById("app");
const data = document.getElementById("initial");
if (root !== null && data !== null) {
  const state = createState(JSON.parse(data.textContent ?? "") as InitialData);
  const engine = new EngineClient(startEngineProcess);
  const controller = createController(state, {
    answer: (request) => engine.answer(request),
    readHash: () => location.hash,
    replaceHash,
  });
  hydrate(<App page={{ state, controller }} />, root);
  addEventListener("hashchange", () => void controller.followLink());
  void controller.start();
}
