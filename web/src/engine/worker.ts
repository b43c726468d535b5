/**
 * Owns the engine. The page's digest of it names its folder, so that a new release is never mixed with an old one.
 *
 * It comes in two files: what the first answer needs, and the rest, which is fetched once that answer is given. A question that
 * needs the rest earlier waits for it.
 */
import { expose } from "comlink";
import { halves } from "../../../wasm/halves.mjs";

interface Engine {
  answer(request: string): string;
}
type CreateEngine = (options: object) => Promise<Engine>;

const address = (file: string) => new URL(`../engine/${__ENGINE_DIGEST__}/${file}`, self.location.href).href;

/** Some servers do not know the type that compiling while loading insists on. */
async function compiled(file: string): Promise<WebAssembly.Module> {
  const asBytes = async () => {
    const reply = await fetch(address(file));
    if (!reply.ok) throw new Error(`${file}: ${reply.status}`);
    return WebAssembly.compile(await reply.arrayBuffer());
  };
  return WebAssembly.compileStreaming(fetch(address(file))).catch(asBytes);
}

/** Within a question nothing can be waited for but like this. */
function compiledNow(file: string): WebAssembly.Module {
  const request = new XMLHttpRequest();
  request.open("GET", address(file), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${file}: ${request.status}`);
  return new WebAssembly.Module(request.response as ArrayBuffer);
}

const kFirst = "engine.wasm";
const kRest = "engine_rest.wasm";
let rest: WebAssembly.Module | undefined;
const parts = halves(compiled(kFirst), () => rest ?? compiledNow(kRest));

async function load(): Promise<Engine> {
  const glue = (await import(/* @vite-ignore */ address("engine.mjs"))) as { default: CreateEngine };
  return Promise.race([glue.default({ instantiateWasm: parts.instantiateWasm }), parts.failure]);
}

const engine = load();
engine.catch(() => undefined);

async function fetchRest(): Promise<void> {
  rest = await compiled(kRest);
  parts.loadRest();
}

/** How a question of the first one's kind begins. */
let first = "";
let restOnItsWay: Promise<void> | undefined;

const api = {
  answer: async (request: string): Promise<string> => {
    // Another kind than the first needs the rest, which would be asked for a second time.
    if (!request.startsWith(first)) await restOnItsWay;
    const answer = (await engine).answer(request);
    first ||= request.slice(0, 15);
    // A failure shows where the rest is needed.
    restOnItsWay ??= fetchRest().catch(() => undefined);
    return answer;
  },
};
export type EngineApi = typeof api;
expose(api);
