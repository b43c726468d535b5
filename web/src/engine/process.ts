/** Starts the worker of the engine. */
import { releaseProxy, wrap } from "comlink";
import type { EngineProcess } from "./client.ts";
import { scriptAddress } from "./policy.ts";
import type { EngineApi } from "./worker.ts";
import workerAddress from "./worker.ts?worker&url";

export function startEngineProcess(): EngineProcess {
  const worker = new Worker(scriptAddress(workerAddress), { type: "module", name: "podwright-engine" });
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
