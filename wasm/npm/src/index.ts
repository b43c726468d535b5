/** The engine in a browser, in a page or in a worker. */
import type { Podwright } from "./podwright.js";
import { loaderOf } from "./start.js";

export type * from "./messages.js";
export { EngineFailed, type Podwright } from "./podwright.js";

async function compile(): Promise<WebAssembly.Module> {
  const address = new URL("./engine.wasm", import.meta.url);
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(`${address.href} was answered with status ${reply.status}.`);
  // Some servers do not know the type that compiling while loading insists on.
  if (reply.headers.get("Content-Type") === "application/wasm") return WebAssembly.compileStreaming(reply);
  return WebAssembly.compile(await reply.arrayBuffer());
}

/** Fetches the engine from the folder of this file and starts it. */
export const load: () => Promise<Podwright> = loaderOf(compile);
