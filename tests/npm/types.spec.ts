/** The types hold for every request and answer that the project keeps, in strict projects that check libraries too. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../../web/playwright.ts";
import { project, root, runIn, runModule } from "./project.ts";

const golden = join(root, "tests/golden");

/** What the compiler says about the sources of a project. */
async function compiled(name: string, sources: Record<string, string>, options: object): Promise<string> {
  const folder = join(project, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(sources)) writeFileSync(join(folder, file), text);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    target: "ES2022",
    types: [],
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    ...options,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const { stdout } = await runIn(join(root, "web/node_modules/.bin/tsc"), ["--project", folder], folder);
  return stdout;
}

const kNode = { module: "nodenext", moduleResolution: "nodenext", lib: ["ES2023"] };
const kBundler = { module: "esnext", moduleResolution: "bundler", lib: ["ES2023", "DOM", "DOM.Iterable"] };

const kUse = `
import { type Kind, load, type Plan, type PlanRequest, type RequestOf } from "podwright";
const podwright = await load();
const request: PlanRequest = {
  kind: "plan",
  workloads: [{ type: "serving", model: "llama-3.1-8b", peak_requests_per_s: 5, input_tokens: 512, output_tokens: 128 }],
};
const answer = podwright.answer(request);
if ("errors" in answer) throw new Error(answer.error.message);
const best: Plan | undefined = answer.plans[0];
const text: string | undefined = best?.headlines?.[0]?.value?.text;
console.log(text, answer.feasible satisfies boolean);
const listed = podwright.answer({ kind: "catalog", list: "gpus" });
// @ts-expect-error: there is no such table.
podwright.answer({ kind: "catalog", list: "gpu" });
// @ts-expect-error: there is no such kind.
podwright.answer({ kind: "plans" });
// @ts-expect-error: no such field.
podwright.answer({ kind: "catalog", list: "gpus", lists: 1 });
// @ts-expect-error: a plan needs workloads.
podwright.answer({ kind: "plan" });
if ("errors" in listed && listed.errors !== undefined) throw new Error(listed.error.message);
console.log(listed.kind, answer.rejected[0]?.ways_out.length, answer.reasons?.[0]?.values?.limit);
const asked = <K extends Kind>(one: RequestOf<K>) => podwright.answer(one);
console.log(asked({ kind: "catalog", list: "gpus" }), asked({ ...request, kind: "plan" }));
`;

test("a strict project for Node compiles, and wrong requests do not", async () => {
  const globals = "declare const console: { log(...values: unknown[]): void };\n";
  expect(await compiled("node", { "use.ts": kUse, "globals.d.ts": globals }, kNode)).toBe("");
});

test("a strict project for browsers compiles", async () => {
  const element = `
import "podwright/element";
import { loadWorker, type PodwrightWorker } from "podwright/worker";
const element = document.createElement("podwright-plan");
element.request = { kind: "plan", workloads: [] };
element.addEventListener("podwright-answer", ({ detail }) => console.log("errors" in detail ? detail.errors : detail.plans));
document.addEventListener("podwright-answer", ({ detail }) => console.log("errors" in detail ? 0 : detail.plans.length));
element.addEventListener("podwright-error", ({ detail: { code, message } }) => console.log(code satisfies string, message));
console.log(element.pending satisfies boolean, element.error?.message);
// @ts-expect-error: it cannot be set.
element.error = undefined;
const worker: PodwrightWorker = await loadWorker();
const answer = await worker.answer({ kind: "cost", gpu_count: 8 });
console.log("errors" in answer ? answer.error.path : answer.summary);
`;
  expect(await compiled("browser", { "use.ts": kUse, "element.ts": element }, kBundler)).toBe("");
});

/** The blocks of a language in the README of the package. */
const blocks = (language: string) =>
  [...readFileSync(join(root, "wasm/npm/README.md"), "utf8").matchAll(/```(\w+)\n(.*?)```/gs)].flatMap(
    ([, name, text]) => (name === language ? [text ?? ""] : []),
  );

test("the examples of the README compile, and the first one runs", async () => {
  const [plan = "", worker = "", events = ""] = blocks("js");
  const sources = { "plan.ts": plan, "worker.ts": worker, "events.ts": events };
  expect(await compiled("readme", sources, kBundler)).toBe("");
  const { stdout, stderr } = await runModule(plan);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^\d+ x .+ serve 50 requests\/s of Llama-3\.1-70B/);
  expect(stdout).toMatch(/\nUSD per year: \d{5,}(?:\.\d+)?\n$/);
  // Without --yes npx asks, and cancels where there is no terminal.
  const { args } = JSON.parse(blocks("json")[0] ?? "").mcpServers.podwright;
  expect(args).toEqual(["--yes", "--package", expect.stringMatching(/\.tgz$/), "podwright-mcp"]);
});

test("the README names each way that a plan can have, with its place in the cost", () => {
  const readme = readFileSync(join(root, "wasm/npm/README.md"), "utf8");
  const rows = [...readme.matchAll(/^\| `([\w-]+)` +\| `(\w+)` +\|$/gm)];
  const schema = JSON.parse(readFileSync(join(root, "build/npm/package/schemas/plan.answer.json"), "utf8"));
  const { way, cost } = schema.properties.plans.items.properties;
  expect(rows.map(([, name]) => name).sort()).toEqual([...way.enum].sort());
  for (const [, , place = ""] of rows) expect(cost.properties).toHaveProperty(place);
});

const kindOf = (text: string) => (JSON.parse(text) as { kind: string }).kind;
const camel = (kind: string) => kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

test("the golden requests and their answers are of the types of their kinds", async () => {
  const names = readdirSync(join(golden, "requests")).filter((name) => /^(?!error_).*\.json$/.test(name));
  expect(names.length).toBeGreaterThan(60);
  const read = (folder: string, name: string) => readFileSync(join(golden, folder, name), "utf8").trim();
  const checks = names.map((name) => {
    const request = read("requests", name);
    const type = camel(kindOf(request));
    return [
      type,
      `const request: ${type}Request = ${request};`,
      `const answer: ${type}Answer = ${read("answers", name)};`,
    ];
  });
  const types = [...new Set(checks.flatMap(([type]) => [`${type}Request`, `${type}Answer`]))];
  const files = checks.map(([, request, answer], i) => [
    names[i]?.replace(/json$/, "ts"),
    `import type { ${types.join(", ")} } from "podwright";\n${request}\n${answer}\nexport { answer, request };\n`,
  ]);
  expect(await compiled("golden", Object.fromEntries(files), { ...kNode, noUnusedLocals: false })).toBe("");
});

/** Names of all members of one type, at any depth, that another one lacks. */
const kLacking = `
import type { PlanAnswer as Page } from "PAGE";
import type { PlanAnswer } from "podwright";
type Lacking<Ours, Theirs, At extends string> = unknown extends Theirs
  ? never
  : NonNullable<Ours> extends readonly (infer One)[]
    ? NonNullable<Theirs> extends readonly (infer Other)[] ? Lacking<One, Other, At> : At
    : NonNullable<Ours> extends object
      ? LackingMembers<NonNullable<Ours>, NonNullable<Theirs>, At>
      : NonNullable<Theirs> extends object ? At : never;
type LackingMembers<Ours, Theirs, At extends string> = {
  [Key in keyof Ours & string]: string extends Key
    ? never
    : Key extends keyof Theirs ? Lacking<Ours[Key], Theirs[Key], \`\${At}/\${Key}\`> : \`\${At}/\${Key}\`;
}[keyof Ours & string];
export const nothing: never = "" as Lacking<Page, PlanAnswer, "">;
export const found: "/plans/invented" = "" as Lacking<Page & { plans: { invented: number }[] }, PlanAnswer, "">;
`;

test("what the page reads of a plan is in the types", async () => {
  const page = join(root, "web/src/contract.ts");
  const options = { ...kBundler, allowImportingTsExtensions: true, exactOptionalPropertyTypes: false };
  expect(await compiled("contract", { "use.ts": kLacking.replace("PAGE", page) }, options)).toBe("");
});
