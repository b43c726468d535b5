/** The engine in Node, in the main thread or in a worker. */
import { readFile } from "node:fs/promises";
import type { Podwright } from "./podwright.js";
import { loaderOf } from "./start.js";

export type * from "./messages.js";
export { EngineFailed, type Podwright } from "./podwright.js";

/** Reads the engine from the folder of this file and starts it. */
export const load: () => Promise<Podwright> = loaderOf(async () =>
  WebAssembly.compile(await readFile(new URL("./engine.wasm", import.meta.url))),
);
