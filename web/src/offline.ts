/** Keeps the site in the browser for use without a network, and says when a newer one is ready. */
import { signal } from "@preact/signals";
import { scriptAddress } from "./engine/policy.ts";

/** A newer version of the site that waits for its turn. */
export const waiting = signal<ServiceWorker | undefined>(undefined);

/** Without a service worker (an old browser, a file, a private window) the site works as long as it is served. */
export function keepOffline(): void {
  if (isKept || !import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  isKept = true;
  const address = new URL(kWorkerFile, document.baseURI).href;
  navigator.serviceWorker.register(scriptAddress(address)).then(watch, () => undefined);
}

const kWorkerFile = "offline.js";
let isKept = false;

/** A browser that blocks the worker may give nothing in its place. */
function watch(registration: ServiceWorkerRegistration | undefined): void {
  if (registration === undefined) return;
  const look = () => {
    const next = registration.waiting;
    if (next !== null && navigator.serviceWorker.controller !== null) waiting.value = next;
  };
  look();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));
}

export function takeNewVersion(): void {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  waiting.value?.postMessage("take over");
}
