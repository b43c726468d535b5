/** The engine in a browser, in a page or in a worker. */
import type { Podwright } from "./podwright.js";
import { loaderOf } from "./start.js";

export type * from "./messages.js";
export { EngineFailed, type Podwright } from "./podwright.js";

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Browsers name 'unsafe-eval', which allows more than the engine needs. */
function explained(error: unknown): unknown {
  if (!/content security|\bCSP\b|unsafe-eval/i.test(textOf(error))) return error;
  const message = "The Content Security Policy forbids WebAssembly: its script-src needs 'wasm-unsafe-eval'.";
  return new Error(message, { cause: error });
}

/** "\0asm", with which every WebAssembly file begins. */
const isEngine = (bytes: ArrayBuffer) => bytes.byteLength >= 4 && new DataView(bytes).getUint32(0) === 0x0061736d;

async function compile(): Promise<WebAssembly.Module> {
  const address = new URL("./engine.wasm", import.meta.url);
  const reply = await fetch(address).catch((cause: unknown) => {
    throw new Error(`${address.href} could not be fetched: ${textOf(cause)}.`, { cause });
  });
  if (!reply.ok) throw new Error(`${address.href} was answered with status ${reply.status}.`);
  const type = reply.headers.get("Content-Type");
  try {
    // Some servers do not know the type that compiling while loading insists on.
    if (type === "application/wasm") return await WebAssembly.compileStreaming(reply);
    const bytes = await reply.arrayBuffer();
    if (isEngine(bytes)) return await WebAssembly.compile(bytes);
  } catch (error) {
    throw explained(error);
  }
  // A login page is often somewhere else than the file that was asked for.
  const from = reply.redirected ? ` from ${reply.url}` : "";
  const what = `${type ?? "a file without a type"}${from}`;
  throw new Error(`${address.href} is not the engine: the server answered with ${what}, for example a login page.`);
}

/** Fetches the engine from the folder of this file and starts it. */
export const load: () => Promise<Podwright> = loaderOf(compile);
