/** The program of the command line as the engine: the same answers as on the page. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { PlanAnswer } from "../../web/src/contract.ts";
import type { JsonObject } from "../../web/src/json.ts";

// npm runs the tests in web/.
const cli = process.env.PODWRIGHT_CLI ?? resolve("../build/native/podwright");

export const hasProgram = existsSync(cli);

/** What the program prints for programs: an answer, infeasible ones too, or the complaints about the request. */
function run(command: readonly string[], input = ""): Promise<string> {
  return new Promise((done, reject) => {
    const program = spawn(cli, [...command], { stdio: ["pipe", "pipe", "inherit"] });
    let said = "";
    program.stdout.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    program.on("error", reject).on("close", () => done(said));
    program.stdin.end(input);
  });
}

/** Kinds of requests that are not called as their command is. */
const kVerbs: Record<string, string> = { serving: "estimate", training: "estimate" };

let running = 0;
const waiting: (() => void)[] = [];

/** As many at once as there are processors. */
export async function ask(request: JsonObject): Promise<PlanAnswer> {
  if (running >= availableParallelism()) await new Promise<void>((next) => waiting.push(next));
  running += 1;
  const kind = String(request.kind);
  const said = await run([kVerbs[kind] ?? kind, "-", "--json"], JSON.stringify(request));
  running -= 1;
  waiting.shift()?.();
  return JSON.parse(said);
}

/** The schema of a kind of requests. */
export async function schemaOf(kind: string): Promise<unknown> {
  return JSON.parse(await run(["schema", kind]));
}

/** What `podwright serve --api` answers, as OpenAPI. */
export async function openapi(): Promise<JsonObject> {
  return JSON.parse(await run(["schema", "--openapi"]));
}

export async function listOf<Item>(list: string): Promise<Item[]> {
  return JSON.parse(await run(["catalog", "list", list, "--json"])).items;
}
