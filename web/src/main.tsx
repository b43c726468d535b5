/** Starts the page in a browser: takes over the prerendered view, then the engine, then what the address asks for. */
import { hydrate } from "preact";
import type { InitialData } from "./contract.ts";
import { keepOffline } from "./offline.ts";
import { openPage } from "./pages.ts";
import { kHome, lastHash, route, routeOf } from "./route.ts";
import { applySettings } from "./settings.ts";
import { App } from "./views/app.tsx";
import "./style.css";

const root = document.getElementById("app");
const data = document.getElementById("initial");
if (root !== null && data !== null) {
  const initial = JSON.parse(data.textContent ?? "") as InitialData;
  const plan = openPage(initial);
  let planStarted = false;

  /** The plan follows the address while it is on show; every other screen follows it by itself. */
  const follow = async () => {
    if (route.value.screen !== kHome.screen) return;
    if (planStarted) return plan.controller.followLink();
    planStarted = true;
    await plan.controller.start();
    keepOffline();
  };

  hydrate(<App page={plan} />, root);
  void applySettings();
  route.value = routeOf(location.hash);
  addEventListener("hashchange", (event) => {
    lastHash.set(route.value.screen, new URL(event.oldURL).hash || "#/");
    route.value = routeOf(location.hash);
    void follow();
  });
  void follow();
}
