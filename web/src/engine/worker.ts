/** Owns the engine. The page's digest of it is part of its address, so that a new release is never mixed with an old one. */
import { expose } from "comlink";

interface Engine {
  answer(request: string): string;
}
type CreateEngine = (options: { locateFile: (file: string) => string }) => Promise<Engine>;

async function load(): Promise<Engine> {
  const address = (file: string) => new URL(`../engine/${file}?v=${__ENGINE_DIGEST__}`, self.location.href).href;
  const glue = (await import(/* @vite-ignore */ address("engine.mjs"))) as { default: CreateEngine };
  return glue.default({ locateFile: address });
}

const engine = load();
engine.catch(() => undefined);

const api = { answer: async (request: string): Promise<string> => (await engine).answer(request) };
export type EngineApi = typeof api;
expose(api);
