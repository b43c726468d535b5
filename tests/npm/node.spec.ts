/** The package in Node: the bytes of the program, in the main thread and in a worker. */
import { copyFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../../web/playwright.ts";
import { archive, chat, examples, installed, node, podwright, project, root, runIn, runModule } from "./project.ts";

const plan = () => {
  copyFileSync(join(examples, "node/plan.mjs"), join(project, "plan.mjs"));
  return "plan.mjs";
};

test("ten lines of Node print what the program prints, byte for byte", async () => {
  const [ours, theirs] = [await node(plan(), chat), await podwright("plan", chat, "--json")];
  expect(theirs.stdout.length).toBeGreaterThan(10_000);
  expect(ours).toEqual({ ...theirs, stderr: "" });
  const lines = readFileSync(join(examples, "node/plan.mjs"), "utf8").split("\n");
  expect(lines.filter((line) => line !== "" && !line.startsWith("//")).length).toBeLessThanOrEqual(10);
});

test("the exit status of the example is that of the program", async () => {
  for (const [file, status] of [
    ["infeasible_plan_budget.json", 1],
    ["error_many_at_once.json", 2],
  ] as const) {
    const path = join(root, "tests/golden/requests", file);
    const ours = await node(plan(), path);
    expect(ours.status, file).toBe(status);
    expect(JSON.parse(ours.stdout)).toHaveProperty(status === 2 ? "errors" : "feasible");
  }
});

test("a request and its answer are values, and a wrong request is refused with every error", async () => {
  const { stdout, stderr } = await runModule(`
    import { load } from "podwright";
    const podwright = await load();
    const right = podwright.answer({ kind: "catalog", list: "gpus" });
    const wrong = podwright.answer({ kind: "plan", workloads: [], nonsense: 1 });
    const noJson = JSON.parse(podwright.answerText("{"));
    console.log(JSON.stringify([right.items.length, wrong.errors, noJson.error.code]));
  `);
  expect(stderr).toBe("");
  const [count, errors, code] = JSON.parse(stdout);
  expect(count).toBeGreaterThan(10);
  expect(errors.map(({ path }: { path: string }) => path)).toContain("/nonsense");
  for (const error of errors) expect(error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  expect(code).toBe("not-json");
});

test("what is no request is refused, and the engine goes on", async () => {
  const { stdout, stderr } = await runModule(`
    import { load } from "podwright";
    import { loadWorker } from "podwright/worker";
    await import("podwright/element");
    const podwright = await load();
    const round = {};
    round.self = round;
    const refused = [undefined, () => 1, Symbol("x"), 1n, round].map((value) => podwright.answer(value));
    for (const value of [undefined, null, 1, {}]) refused.push(JSON.parse(podwright.answerText(value)));
    const worker = await loadWorker().catch((error) => error.message);
    console.log(JSON.stringify([refused, podwright.answer({ kind: "catalog", list: "gpus" }).items.length, worker]));
  `);
  expect(stderr).toBe("");
  const [refused, count, worker] = JSON.parse(stdout);
  expect(refused).toHaveLength(9);
  for (const { errors, error } of refused) {
    expect(errors).toEqual([error]);
    expect(error).toMatchObject({ code: "not-json", path: "", message: expect.stringMatching(/^The request /) });
  }
  expect(refused[0].error.message).toBe("The request is undefined, which JSON cannot carry.");
  expect(count).toBeGreaterThan(10);
  expect(worker).toContain("In Node, load podwright in a thread of node:worker_threads");
});

test("values that JSON cannot carry are refused with their places, so that no limit is lost", async () => {
  const { stdout, stderr } = await runModule(`
    import { load } from "podwright";
    const podwright = await load();
    const serving = { type: "serving", ttft_s_p95_max: undefined, tpot_s_p95_max: NaN, input_tokens: Infinity };
    const refused = podwright.answer({ kind: "plan", workloads: [serving], "a/b~": () => 1 });
    const listed = podwright.answer({ x: undefined, toJSON: () => ({ kind: "catalog", list: "gpus" }) });
    console.log(JSON.stringify([refused, listed.kind]));
  `);
  expect(stderr).toBe("");
  const [{ error, errors }, kind] = JSON.parse(stdout);
  const said = errors.map(({ code, path, message }: Record<string, string>) => `${code} ${path} ${message}`);
  expect(said).toEqual([
    "not-json /workloads/0/ttft_s_p95_max The value is undefined, which JSON cannot carry.",
    "not-json /workloads/0/tpot_s_p95_max The value is NaN, which JSON cannot carry.",
    "not-json /workloads/0/input_tokens The value is Infinity, which JSON cannot carry.",
    "not-json /a~1b~0 The value is a function, which JSON cannot carry.",
  ]);
  expect(error).toEqual(errors[0]);
  expect(kind).toBe("catalog");
});

test("engines in a worker and in the main thread give the same answer", async () => {
  const { stdout, stderr } = await runModule(
    `
    import { readFileSync } from "node:fs";
    import { isMainThread, parentPort, Worker } from "node:worker_threads";
    import { load } from "podwright";
    const request = readFileSync(${JSON.stringify(chat)}, "utf8");
    const answer = (await load()).answerText(request);
    if (isMainThread) {
      const worker = new Worker(new URL(import.meta.url));
      worker.once("message", (other) => console.log(JSON.stringify([other === answer, answer.length > 10000])));
    } else parentPort.postMessage(answer);
  `,
  );
  expect([stdout, stderr]).toEqual(["[true,true]\n", ""]);
});

test("an engine that stopped answers nothing more, and another one does", async () => {
  const { stdout } = await runModule(`
    import { EngineFailed, load } from "podwright";
    const broken = await load();
    const said = [];
    const request = '{"kind":"catalog","list":"gpus"}';
    const { charCodeAt } = String.prototype;
    // What the engine reads a text with.
    String.prototype.charCodeAt = () => { throw new Error("broken"); };
    for (let i = 0; i < 2; ++i) {
      try { broken.answerText(request); } catch (error) { said.push(error instanceof EngineFailed); }
      String.prototype.charCodeAt = charCodeAt;
    }
    const other = (await load()).answerText(request);
    console.log(JSON.stringify([said, JSON.parse(other).kind]));
  `);
  expect(JSON.parse(stdout)).toEqual([[true, true], "catalog"]);
});

test("the package has no script that runs at installation, no dependency, and everything that it names", () => {
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("scripts");
  expect(manifest).not.toHaveProperty("dependencies");
  const version = /project\(podwright VERSION ([\d.]+)/.exec(readFileSync(join(root, "CMakeLists.txt"), "utf8"))?.[1];
  expect(manifest.version).toBe(version);
  const named = JSON.stringify([manifest.exports, manifest.bin]).match(/dist\/[\w.]+/g) ?? [];
  for (const file of [...named, "README.md", "AGENTS.md", "LICENSE", "licences/README.md"])
    expect(statSync(join(installed, file)).size, file).toBeGreaterThan(100);
  const texts = readdirSync(installed, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(m?js|ts|md)$/.test(file),
  );
  // Nothing of the machine that made it.
  for (const file of texts.filter((one) => !one.startsWith("licences")))
    expect(readFileSync(join(installed, file), "utf8"), file).not.toContain(root);
});

test("the README gives the size of every file that the element loads", () => {
  const readme = readFileSync(join(installed, "README.md"), "utf8");
  const named = [...readme.matchAll(/^\| `dist\/([\w.]+)`[^|]*\| (\d+) kB, \d+ kB with gzip \|/gm)];
  const sizes = new Map(named.map(([, name = "", size]) => [name, Number(size)]));
  const dist = (name: string) => readFileSync(join(installed, "dist", name));
  for (const [name, size] of sizes) expect(size, name).toBe(Math.max(1, Math.round(dist(name).length / 1000)));
  const wanted = new Set(["element.js"]);
  for (const name of wanted)
    for (const [, other = ""] of dist(name)
      .toString()
      .matchAll(/["'`]\.\/(\w+\.(?:m?js|wasm))["'`]/g))
      wanted.add(other);
  expect([...sizes.keys()].sort()).toEqual([...wanted].sort());
  expect(readme).toMatch(/They\nhave \d+ kB of schemas/);
  expect(readme).toMatch(/about \d+ kB an answer/);
});

test("packing again gives the same bytes", async () => {
  const { stdout } = await runIn(
    "npm",
    ["pack", "--json", "--dry-run", "--silent", join(root, "build/npm/package")],
    project,
  );
  const [again] = JSON.parse(stdout) as { integrity: string; files: { path: string; mode: number }[] }[];
  const { createHash } = await import("node:crypto");
  const digest = createHash("sha512").update(readFileSync(archive().path)).digest("base64");
  expect(again?.integrity).toBe(`sha512-${digest}`);
});

test("the Python example prints a plan for each rate", async () => {
  const path = `${join(archive().cli, "..")}:${process.env.PATH}`;
  const { stdout, stderr } = await runIn("python3", [join(examples, "python/plan.py")], project, {
    ...process.env,
    PATH: path,
  });
  expect(stderr).toBe("");
  expect(stdout.trim().split("\n").slice(1)).toHaveLength(3);
  expect(stdout).toMatch(/100 {2}\d+ x .+ {2}\$[\d.,]+/);
});
