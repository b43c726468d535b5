/** The engine in a worker of its own, so that a page stays awake while it computes. */
import type { Answers, Kind, Refusal, RequestOf } from "./messages.js";
import { jsonOf, notText } from "./refusal.js";

export type * from "./messages.js";

export interface PodwrightWorker {
  answer<K extends Kind>(request: RequestOf<K>): Promise<Answers[K] | Refusal>;
  answerText(request: string): Promise<string>;
  /** Ends the worker; questions that are not answered yet fail. */
  stop(): void;
}

/** What the worker posts: that it is ready, or the answer to a question or the reason why there is none. */
export interface Reply {
  id: number;
  answer?: string;
  failed?: string;
}

interface Waiting {
  resolve(answer: string): void;
  reject(error: Error): void;
}

function startThread(): Worker {
  if (typeof Worker === "undefined")
    throw new Error("There are no web workers here. In Node, load podwright in a thread of node:worker_threads.");
  return new Worker(new URL("./worker_thread.js", import.meta.url), { type: "module" });
}

/** In a bundle the script of the worker has another name, which is not known here. */
function notLoaded(start: () => Worker): string {
  const address = import.meta.url.replace(/\/worker\.js$/, "/worker_thread.js");
  const named = start === startThread && address !== import.meta.url ? ` ${address}` : "";
  return `The worker script${named} could not be loaded, or the policy of the page forbids it.`;
}

/** `start` starts a module worker of `podwright/worker_thread`, for pages whose policy asks how workers are started. */
export async function loadWorker(start: () => Worker = startThread): Promise<PodwrightWorker> {
  const worker = start();
  const waiting = new Map<number, Waiting>();
  let questions = 0;
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended ??= error;
    worker.terminate();
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.onerror = (event) => {
    event.preventDefault();
    end(new Error(event.message || notLoaded(start)));
  };
  worker.onmessage = ({ data }: MessageEvent<Reply>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.failed === undefined) asked?.resolve(data.answer ?? "");
    else asked?.reject(new Error(data.failed));
  };
  const ask = (question: string | undefined) =>
    new Promise<string>((resolve, reject) => {
      if (ended !== undefined) return reject(ended);
      const id = questions++;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, question });
    });
  await ask(undefined).catch((error: Error) => {
    end(error);
    throw error;
  });
  return {
    answerText: async (request) => notText(request) ?? ask(request),
    answer: async (request) => {
      const text = jsonOf(request);
      return typeof text === "string" ? JSON.parse(await ask(text)) : text;
    },
    stop: () => end(new Error("The worker was stopped.")),
  };
}
