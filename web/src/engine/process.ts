/** Starts the worker of the engine, or takes over the one that the page's first lines have started. */
import { releaseProxy, wrap } from "comlink";
import { preloaded } from "../preloaded.ts";
import type { EngineProcess } from "./client.ts";
import { scriptAddress } from "./policy.ts";
import type { EngineApi } from "./worker.ts";
import workerAddress from "./worker.ts?worker&url";

function takeEarlyWorker(): Worker | undefined {
  const { worker } = preloaded;
  delete preloaded.worker;
  return worker;
}

export function startEngineProcess(): EngineProcess {
  const worker =
    takeEarlyWorker() ?? new Worker(scriptAddress(workerAddress), { type: "module", name: "podwright-engine" });
  const api = wrap<EngineApi>(worker);
  const died = new Promise<Error>((resolve) => {
    worker.onerror = (event) => {
      event.preventDefault();
      resolve(new Error(event.message || "the worker failed"));
    };
    worker.addEventListener("messageerror", () => resolve(new Error("a message of the worker could not be read")));
    if (preloaded.failed !== undefined) resolve(new Error(preloaded.failed));
    delete preloaded.failed;
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
