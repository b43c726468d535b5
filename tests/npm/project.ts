/** A project that has installed the packed package, in a folder that was empty before. */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

// The tests run in wasm/npm.
export const root = resolve("../..");
export const build = join(root, "build/npm");
export const project = join(build, "project");
export const installed = join(project, "node_modules/podwright");
export const examples = join(root, "examples");
export const chat = join(examples, "chat_70b.json");

/** What the build wrote about the archive. */
export const archive = () =>
  JSON.parse(readFileSync(join(build, "archive.json"), "utf8")) as { path: string; sha256: string; cli: string };

export function install(folder: string): void {
  // Else npm takes a folder above that has packages.
  const here = ["--prefix", folder];
  execFileSync("npm", ["install", ...here, "--offline", "--no-audit", "--no-fund", archive().path], { cwd: folder });
}

export function emptyFolder(name: string): string {
  const folder = join(build, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

const run = promisify(execFile);
const kMost = { maxBuffer: 64 << 20 };
/** Playwright wants colours, which Node remarks on where the caller wants none. */
const kEnvironment = { ...process.env, FORCE_COLOR: undefined };

/** What a program printed and how it ended. */
export interface Printed {
  status: number;
  stdout: string;
  stderr: string;
}

async function printed(
  program: string,
  words: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = kEnvironment,
): Promise<Printed> {
  try {
    return { status: 0, ...(await run(program, [...words], { ...kMost, cwd, env })) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== "number" || stdout === undefined) throw error;
    return { status: code, stdout, stderr: stderr ?? "" };
  }
}

/** Runs Node in the project. */
export const node = (...words: string[]) => printed("node", words, project);
/** Runs the program that the package was built with. */
export const podwright = (...words: string[]) => printed(archive().cli, words, root);
export const runIn = printed;

/** Runs the text of a module in the project. */
export function runModule(text: string, ...words: string[]): Promise<Printed> {
  const folder = mkdtempSync(join(project, "module-"));
  writeFileSync(join(folder, "main.mjs"), text);
  return node(join(folder, "main.mjs"), ...words);
}
