/** What a compiled engine becomes, wherever it was read from. */
import createEngine from "./engine.mjs";
import { EngineFailed, type Podwright } from "./podwright.js";
import { jsonOf, notText } from "./refusal.js";

async function instanceOf(compiled: WebAssembly.Module): Promise<{ answer(request: string): string }> {
  let fail: (reason: unknown) => void = () => undefined;
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const engine = createEngine({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(compiled, imports).then(done, fail);
      return {};
    },
  });
  return Promise.race([engine, failure]);
}

export async function start(compiled: WebAssembly.Module): Promise<Podwright> {
  const engine = await instanceOf(compiled);
  let failure: EngineFailed | undefined;
  const answerText = (request: string): string => {
    if (failure !== undefined) throw failure;
    try {
      return notText(request) ?? engine.answer(request);
    } catch (cause) {
      failure = new EngineFailed("The engine stopped within a question; load another one.", { cause });
      throw failure;
    }
  };
  return {
    answerText,
    answer: (request) => {
      const text = jsonOf(request);
      return typeof text === "string" ? JSON.parse(answerText(text)) : text;
    },
  };
}

/** Compiles once, and again after a failure; each call starts an engine of its own. */
export function loaderOf(compile: () => Promise<WebAssembly.Module>): () => Promise<Podwright> {
  let compiled: Promise<WebAssembly.Module> | undefined;
  return async () => {
    compiled ??= compile();
    try {
      return await start(await compiled);
    } catch (error) {
      compiled = undefined;
      throw error;
    }
  };
}
