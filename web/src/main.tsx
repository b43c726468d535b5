/** Starts the page in a browser: takes over the prerendered view, then the engine, then what the address asks for. */
import { render } from "preact";
import { whenDrawn } from "./after_paint.ts";
import type { InitialData } from "./contract.ts";
import { currency } from "./currency.ts";
import { keepOffline } from "./offline.ts";
import { askAhead, openPage, replaceHash, stateOf } from "./pages.ts";
import { preloaded } from "./preloaded.ts";
import { addressNow, isPlanView, kHome, lastHash, pageOf, route, routeOf, takeReported } from "./route.ts";
import { applyCurrency, applyLanguage, applyTheme } from "./settings.ts";
import { App } from "./views/app.tsx";
import { takeOver } from "./views/deferred.tsx";
import "./style.css";

/** Keeping the files must not hold up the first look at them. */
function afterLoad(work: () => void): void {
  if (document.readyState === "complete") work();
  else addEventListener("load", work, { once: true });
}

/** Whoever opens the address sees the money that is on show. */
function nameCurrency(): void {
  if (addressNow(location.hash) !== location.hash) replaceHash(location.hash);
}

preloaded.hasBegun = true;
applyTheme();
const root = document.getElementById("app");
const data = document.getElementById("initial");
if (root !== null && data !== null) {
  const initial = JSON.parse(data.textContent ?? "") as InitialData;
  if (stateOf(location.hash) === "") askAhead(initial.preset);
  takeReported(location.hash);
  const plan = openPage(initial);
  let planStarted = false;

  /** The plan follows the address while it is on show; every other screen follows it by itself. */
  const follow = async () => {
    if (!isPlanView(route.value.screen)) {
      afterLoad(keepOffline);
      return;
    }
    if (planStarted) return plan.controller.followLink();
    planStarted = true;
    await plan.controller.start();
    keepOffline();
  };

  const show = () => {
    route.value = routeOf(location.hash);
    if (route.value.screen === kHome.screen) {
      takeOver(<App page={plan} />, root);
    } else {
      root.replaceChildren();
      render(<App page={plan} />, root);
    }
    // The plan was hidden while the address seemed to lead to another screen.
    document.documentElement.classList.remove("to-another-screen");
    addEventListener("hashchange", (event) => {
      lastHash.set(pageOf(route.value.screen), stateOf(new URL(event.oldURL).hash) || "#/");
      route.value = routeOf(location.hash);
      void applyCurrency(location.hash, currency.peek().id).then(nameCurrency);
      void follow();
    });
    // Until then parts of the page are as the build has drawn them.
    void whenDrawn().then(() => {
      void applyLanguage();
      void applyCurrency(location.hash).then(() => currency.subscribe(nameCurrency));
      return follow();
    });
  };
  // Reading the scripts was one task; taking over the page is the next, so that neither holds up a tap for long.
  setTimeout(show);
}
