/** The glue that Emscripten wrote around the engine; the build puts engine.mjs next to the compiled files. */
interface Module {
  answer(request: string): string;
}
interface Options {
  instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object;
}
export default function createEngine(options: Options): Promise<Module>;
