// Parts the engine into the functions that answer the requests given here, with their literals, and all others. The
// page starts with the first file and fetches the second after its first answer; a call of a missing function waits for
// it (halves.mjs).
//
//   node split_engine.mjs ENGINE.mjs FOLDER REQUEST.json...
//
// Which functions run is measured: wasm-split (Binaryen) instruments the engine, which then answers the requests.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { partLiterals } from "./part_literals.mjs";

const [glue, folder, ...requests] = process.argv.slice(2).map((path) => resolve(path));
const whole = glue.replace(/\.mjs$/, ".wasm");
const instrumented = join(folder, "instrumented.wasm");
const profile = join(folder, "functions.profile");
const kPageBytes = 65_536;

function split(...words) {
  execFileSync("wasm-split", ["--enable-mutable-globals", ...words], { stdio: ["ignore", "ignore", "inherit"] });
}

/** What the instrumented engine noted of its functions while it answered. */
async function measured() {
  const { default: createEngine } = await import(pathToFileURL(glue).href);
  const binary = new WebAssembly.Module(readFileSync(instrumented));
  let parts;
  const engine = await createEngine({
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(binary, imports);
      parts = instance.exports;
      done(instance);
      return parts;
    },
  });
  for (const request of requests) {
    const answer = JSON.parse(engine.answer(readFileSync(request, "utf8")));
    if (answer.errors) throw new Error(`${request} is no request: ${JSON.stringify(answer.errors)}`);
  }
  const memory = Object.values(parts).find((one) => one instanceof WebAssembly.Memory);
  const at = memory.buffer.byteLength;
  const pages = Math.ceil(readFileSync(whole).length / kPageBytes);
  memory.grow(pages);
  const length = parts.write_profile(at, pages * kPageBytes);
  return new Uint8Array(memory.buffer, at, length);
}

mkdirSync(folder, { recursive: true });
split("--instrument", whole, "-o", instrumented, "--profile-export=write_profile");
writeFileSync(profile, await measured());
// The names of exports between the two files begin with a sign that no export of the engine has.
const [first, rest] = ["engine.wasm", "engine_rest.wasm"].map((name) => join(folder, name));
split(whole, `--profile=${profile}`, "-o1", first, "-o2", rest, "--export-prefix=%");
partLiterals(first, rest);
copyFileSync(glue, join(folder, "engine.mjs"));
