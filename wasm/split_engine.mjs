// Parts the engine into the code that answers the requests given here, with its literals, and all other. The page starts
// with the first file and fetches the second after its first answer; a call of a missing function waits for it
// (halves.mjs).
//
//   node split_engine.mjs ENGINE.mjs LINKER.map FOLDER REQUEST.json...
//
// What runs is measured: of functions with wasm-split (Binaryen), which instruments the engine, and before it of branches
// (part_blocks.mjs). The engine then answers the requests.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { withBranchesApart, withNotes } from "./part_blocks.mjs";
import { partLiterals } from "./part_literals.mjs";

const [glue, map, folder, ...requests] = process.argv.slice(2).map((path) => resolve(path));
const whole = glue.replace(/\.mjs$/, ".wasm");
const apart = join(folder, "apart.wasm");
const noting = join(folder, "noting.wasm");
const instrumented = join(folder, "instrumented.wasm");
const profile = join(folder, "functions.profile");
const kPageBytes = 65_536;
const kMutableGlobals = "--enable-mutable-globals";
const kLongestText = 1 << 30;

function split(...words) {
  execFileSync("wasm-split", [kMutableGlobals, ...words], { stdio: ["ignore", "ignore", "inherit"] });
}

/** The file's exports after it answered the requests, and the answers. */
async function answered(file) {
  const { default: createEngine } = await import(pathToFileURL(glue).href);
  const binary = new WebAssembly.Module(readFileSync(file));
  const placeholder = new Proxy({}, { get: (_, place) => () => raise(`calls function ${place} of the second file`) });
  let parts;
  const engine = await createEngine({
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(binary, { ...imports, placeholder });
      parts = instance.exports;
      done(instance);
      return parts;
    },
  });
  // Twice, because a second answer finds what the first one has kept.
  const answers = [...requests, ...requests].map((request) => engine.answer(readFileSync(request, "utf8")));
  return { parts, answers };
}

function raise(problem) {
  throw new Error(`split_engine: ${problem}`);
}

function assembled(text, file) {
  const path = file.replace(/\.wasm$/, ".wat");
  writeFileSync(path, text);
  execFileSync("wasm-as", [kMutableGlobals, path, "-o", file], { stdio: "inherit" });
  rmSync(path);
}

/** Writes the engine with branches that do not run as functions. */
async function partBlocks() {
  const text = execFileSync("wasm-dis", [whole], { encoding: "utf8", maxBuffer: kLongestText });
  assembled(withNotes(text), noting);
  const { parts, answers } = await answered(noting);
  for (const { errors } of answers.map((answer) => JSON.parse(answer)))
    if (errors) raise(`what should be answered is no request: ${JSON.stringify(errors)}`);
  const noted = Object.entries(parts).filter(([, part]) => part instanceof WebAssembly.Global && part.value === 1);
  assembled(withBranchesApart(text, noted.map(([name]) => name)), apart);
  return answers;
}

/** What the instrumented engine noted of its functions. */
function profileOf(parts) {
  const memory = Object.values(parts).find((one) => one instanceof WebAssembly.Memory);
  const at = memory.buffer.byteLength;
  const pages = Math.ceil(readFileSync(whole).length / kPageBytes);
  memory.grow(pages);
  const length = parts.write_profile(at, pages * kPageBytes);
  return new Uint8Array(memory.buffer, at, length);
}

mkdirSync(folder, { recursive: true });
const answers = await partBlocks();
split("--instrument", apart, "-o", instrumented, "--profile-export=write_profile");
writeFileSync(profile, profileOf((await answered(instrumented)).parts));
// The names of exports between the two files begin with a sign that no export of the engine has.
const [first, rest] = ["engine.wasm", "engine_rest.wasm"].map((name) => join(folder, name));
split(apart, `--profile=${profile}`, "-o1", first, "-o2", rest, "--export-prefix=%");
partLiterals(first, rest, map);
if (String((await answered(first)).answers) !== String(answers)) raise("the first file answers otherwise than the whole");
copyFileSync(glue, join(folder, "engine.mjs"));
