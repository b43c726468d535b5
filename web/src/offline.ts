/** Keeps the site in the browser for use without a network, and says when a newer one is ready or the parts of this one do not come together. */
import { signal } from "@preact/signals";
import { scriptAddress } from "./engine/policy.ts";

/** `ready`: a reload brings a newer version. `unfinished`: what the host has does not fit together. */
export const renewal = signal<"ready" | "unfinished" | undefined>(undefined);
/** A newer version that waits for its turn. */
let waiting: ServiceWorker | null = null;

/** Without a service worker (an old browser, a file, a private window) the site works as long as it is served. */
export function keepOffline(): void {
  if (isKept || !import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  isKept = true;
  void register().then(watch);
}

const kWorkerFile = "offline.js";
const kAgainMs = 60_000;
let isKept = false;

const address = () => new URL(kWorkerFile, document.baseURI).href;
const register = () => navigator.serviceWorker.register(scriptAddress(address())).catch(() => undefined);

/** A browser that blocks the worker may give nothing in its place. */
function watch(registration: ServiceWorkerRegistration | undefined): void {
  if (registration === undefined) return;
  const look = () => {
    if (registration.waiting === null || navigator.serviceWorker.controller === null) return;
    waiting = registration.waiting;
    renewal.value = "ready";
  };
  const again = () =>
    setTimeout(async () => {
      const now = await register();
      // A first version that could not be kept is forgotten by the browser.
      if (now !== undefined && now !== registration) return watch(now);
      await (now?.update() ?? Promise.reject()).catch(again);
    }, kAgainMs);
  const follow = () => {
    const next = registration.installing;
    let isWhole = false;
    next?.addEventListener("statechange", () => {
      look();
      isWhole ||= next.state === "installed";
      // The host has half of a version, or the network was cut: this one stays meanwhile.
      if (next.state === "redundant" && !isWhole) again();
    });
  };
  look();
  registration.addEventListener("updatefound", follow);
}

export function takeNewVersion(): void {
  const reload = () => location.reload();
  // Another tab may have taken it already.
  if (waiting?.state !== "installed") reload();
  else {
    navigator.serviceWorker.addEventListener("controllerchange", reload);
    waiting.postMessage("take over");
  }
}

/** A part of this page did not come: maybe the host has another version by now. Its worker names all files of that. */
export async function lookForNewer(): Promise<void> {
  try {
    const text = await (await fetch(address(), { cache: "no-store" })).text();
    const own = import.meta.url.split("/").pop() ?? "";
    if (text.includes("podwright") && !text.includes(own)) renewal.value = "ready";
  } catch {
    // Without a network nothing is known.
  }
}

/** The engine that came is none of this page's. Once a reload may mend it; then it is said what to do. */
export function mendOnce(): void {
  renewal.value = "unfinished";
  if (performance.navigation?.type === 0) location.reload();
}
