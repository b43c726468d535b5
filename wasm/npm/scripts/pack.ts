/**
 * Makes build/npm/podwright-VERSION.tgz: the engine and its scripts, the types and schemas that the program prints, licences.
 * The same inputs give the same bytes. The last line is the name of the file and its size.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { minify } from "../../../web/bundler.ts";
import { bundleElement, bundleServer, inside } from "./bundles.ts";
import { type Kind, kinds } from "./kinds.ts";
import { manifest } from "./manifest.ts";
import { build, cli, engine, fail, folder, packed, root, types } from "./places.ts";
import { withSizes } from "./sizes.ts";
import { typesOf } from "./types.ts";

const dist = join(packed, "dist");

/** What a command prints; its failure is that of the build. */
function run(command: string, ...words: string[]): string {
  const { status, stdout } = spawnSync(command, words, {
    encoding: "utf8",
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status === 0) return stdout;
  process.stderr.write(stdout ?? "");
  process.exit(1);
}

function json(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value)}\n`);
}

/** The schemas as files of the package, and the list of kinds. */
function writeSchemas(all: readonly Kind[]): void {
  const to = join(packed, "schemas");
  mkdirSync(to, { recursive: true });
  for (const { kind, request, answer } of all) {
    json(join(to, `${kind}.request.json`), request);
    if (answer !== undefined) json(join(to, `${kind}.answer.json`), answer);
  }
  json(
    join(to, "kinds.json"),
    all.flatMap(({ rows }) => rows.map(({ kind, type, verb, help }) => ({ kind, type, verb, help }))),
  );
}

function writeTypes(all: readonly Kind[]): void {
  mkdirSync(types, { recursive: true });
  writeFileSync(join(types, "messages.d.ts"), typesOf(all));
  copyFileSync(join(types, "messages.d.ts"), join(dist, "messages.d.ts"));
}

/** Checks all sources of this folder, and writes those that are files of the package; the element's types come with the check. */
function compile(): void {
  const tsc = join(root, "web/node_modules/.bin/tsc");
  const declarations = join(build, "declarations");
  const asTypes = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--rootDir", root];
  run(tsc, "--project", "tsconfig.json", ...asTypes, "--outDir", declarations);
  copyFileSync(join(declarations, "wasm/npm/src/element.d.ts"), join(dist, "element.d.ts"));
  run(tsc, "--project", "tsconfig.build.json");
}

/** The engine's script without what only people read. */
async function takeEngine(): Promise<void> {
  copyFileSync(join(engine, "engine.wasm"), join(dist, "engine.wasm"));
  const text = readFileSync(join(engine, "engine.mjs"), "utf8");
  const { code, errors } = await minify("engine.mjs", text, { module: true });
  if (errors.length > 0) fail(`engine.mjs cannot be made smaller: ${errors.map(({ message }) => message).join("; ")}`);
  writeFileSync(join(dist, "engine.mjs"), code);
}

function size(path: string): string {
  return `${(statSync(path).size / 1e6).toFixed(2)} MB`;
}

rmSync(build, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const all = kinds();
writeTypes(all);
writeSchemas(all);
await takeEngine();
compile();
await bundleServer();
await bundleElement();
const lists = Object.entries(inside).map(([of, names]) => {
  const list = join(build, `packages_of_${of}.json`);
  json(list, [...names].sort());
  return list;
});
run("python3", "scripts/notices.py", engine, ...lists, join(packed, "licences"));
writeFileSync(join(packed, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
writeFileSync(join(packed, "README.md"), withSizes(readFileSync(join(folder, "README.md"), "utf8")));
copyFileSync(join(folder, "AGENTS.md"), join(packed, "AGENTS.md"));
copyFileSync(join(root, "LICENSE"), join(packed, "LICENSE"));
// npm sets every time and owner itself, the same on every machine.
const [archive] = JSON.parse(run("npm", "pack", packed, "--json", "--silent", "--pack-destination", build)) as {
  filename: string;
}[];
const path = join(build, archive?.filename ?? fail("npm made no archive."));
const digest = createHash("sha256").update(readFileSync(path)).digest("hex");
writeFileSync(join(build, "archive.json"), `${JSON.stringify({ path, sha256: digest, cli })}\n`);
const parts = ["engine.wasm", "element.js", "chinese.js", "mcp.js"];
console.log(parts.map((name) => `${name} ${size(join(dist, name))}`).join(", "));
console.log(`${path}: ${size(path)}`);
