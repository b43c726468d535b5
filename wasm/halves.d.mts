/** See halves.mjs. `failure` is rejected where the first file cannot be brought in; `createEngine` itself never tells. */
export function halves(
  first: WebAssembly.Module | Promise<WebAssembly.Module>,
  rest: () => WebAssembly.Module,
): { instantiateWasm: unknown; loadRest: () => void; failure: Promise<never> };
