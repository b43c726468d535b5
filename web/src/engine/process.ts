/** Starts the worker of the engine. The page allows scripts of its own origin only, so the address passes a named policy. */
import { releaseProxy, wrap } from "comlink";
import type { EngineProcess } from "./client.ts";
import type { EngineApi } from "./worker.ts";
import workerAddress from "./worker.ts?worker&url";

interface ScriptPolicy {
  createScriptURL(address: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

function sameOrigin(address: string): string {
  const url = new URL(address, import.meta.url);
  if (url.origin !== location.origin) throw new TypeError("a worker of another origin");
  return url.href;
}

const policy: ScriptPolicy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("podwright", {
  createScriptURL: sameOrigin,
}) ?? { createScriptURL: sameOrigin };

export function startEngineProcess(): EngineProcess {
  const worker = new Worker(policy.createScriptURL(workerAddress), { type: "module", name: "podwright-engine" });
  const api = wrap<EngineApi>(worker);
  const died = new Promise<Error>((resolve) => {
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      resolve(new Error(event.message || "the worker failed"));
    });
    worker.addEventListener("messageerror", () => resolve(new Error("a message of the worker could not be read")));
  });
  return {
    answer: (request) => api.answer(request),
    died,
    stop() {
      api[releaseProxy]();
      worker.terminate();
    },
  };
}
