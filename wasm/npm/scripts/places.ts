/** Where things are. PODWRIGHT_CLI names the program, PODWRIGHT_WASM the build folder of the engine. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const folder = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = dirname(dirname(folder));
export const build = join(root, "build/npm");
/** The files of the package, and below it what is made on the way. */
export const packed = join(build, "package");
export const types = join(build, "types");
export const cli = resolve(process.env.PODWRIGHT_CLI ?? join(root, "build/native/podwright"));
export const engine = resolve(process.env.PODWRIGHT_WASM ?? join(root, "build/wasm"));

export function fail(sentence: string): never {
  console.error(sentence);
  process.exit(3);
}

for (const file of [cli, join(engine, "engine.mjs"), join(engine, "engine.wasm")])
  if (!existsSync(file)) fail(`${file} is missing; build the program and the target engine of the preset wasm first.`);

/** What the program prints. */
export function printed(...words: string[]): string {
  return execFileSync(cli, words, { encoding: "utf8", maxBuffer: 64 << 20, stdio: ["ignore", "pipe", "pipe"] });
}

/** The version of the project, which is that of the package. */
export function version(): string {
  const found = /project\(podwright VERSION ([\d.]+)/.exec(readFileSync(join(root, "CMakeLists.txt"), "utf8"))?.[1];
  return found ?? fail("CMakeLists.txt names no version.");
}
