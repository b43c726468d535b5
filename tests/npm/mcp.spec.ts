/** The MCP server as a client of the official SDK sees it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "../../web/playwright.ts";
import { hostileNames, randomName, randomNumbers } from "./hostile.ts";
import { chat, installed, podwright, project, root, runIn } from "./project.ts";

const ofPackages = createRequire(join(root, "wasm/npm/package.json"));
type Client = import("../../wasm/npm/node_modules/@modelcontextprotocol/sdk/dist/esm/client/index.js").Client;
type Transport =
  import("../../wasm/npm/node_modules/@modelcontextprotocol/sdk/dist/esm/client/stdio.js").StdioClientTransport;
const { Client } = ofPackages("@modelcontextprotocol/sdk/client/index.js") as { Client: new (about: object) => Client };
const { StdioClientTransport } = ofPackages("@modelcontextprotocol/sdk/client/stdio.js") as {
  StdioClientTransport: new (about: object) => Transport;
};

const server = join(project, "node_modules/.bin/podwright-mcp");
const clients: Client[] = [];

async function connected(...words: string[]): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  clients.push(client);
  await client.connect(new StdioClientTransport({ command: server, args: words, stderr: "inherit" }));
  return client;
}

test.afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

interface Result {
  isError?: boolean;
  /** What a model reads. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any kind are looked into.
  structured: any;
}

async function call(client: Client, name: string, input: object): Promise<Result> {
  const result = await client.callTool({ name, arguments: input as Record<string, unknown> });
  // The answer is sent once: the text is a few lines of it.
  expect(result.content).toHaveLength(1);
  const [text] = result.content as { type: string; text: string }[];
  return { isError: result.isError as boolean, text: text?.text ?? "", structured: result.structuredContent };
}

interface Reply {
  id: number | null;
  result?: unknown;
  error?: { code: number; message: string };
}

/** What the server answers to lines that a client of the SDK does not send. */
function sent(...lines: string[]): Reply[] {
  const { stdout } = spawnSync(server, { input: `${lines.join("\n")}\n`, encoding: "utf8" });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const { kind: _, ...planInput } = JSON.parse(readFileSync(chat, "utf8"));

test("lists a tool for each kind of planning, with the engine's own input schema", async () => {
  const client = await connected();
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  for (const name of "plan estimate_training estimate_serving search_training search_serving cost architecture architecture_fabric explain catalog mig replay import verify".split(
    " ",
  ))
    expect(names).toContain(name);
  expect(names).not.toContain("exam");
  const schema = JSON.parse((await podwright("schema", "plan")).stdout);
  const plan = tools.find(({ name }) => name === "plan");
  expect(plan?.inputSchema.properties?.workloads).toEqual(schema.properties.workloads);
  expect(plan?.inputSchema.required).toEqual(schema.required);
  for (const { description, annotations, inputSchema } of tools) {
    expect(description).toMatch(/^[A-Z].+\.$/);
    expect(annotations?.readOnlyHint).toBe(true);
    expect(Object.keys(inputSchema.properties ?? {})).not.toContain("kind");
  }
});

test("plans, says so in a few lines, and gives the parts that are asked for", async () => {
  const client = await connected();
  const whole = JSON.parse((await podwright("plan", chat, "--json")).stdout);
  const { isError, text, structured } = await call(client, "plan", planInput);
  expect(isError).toBeFalsy();
  const [best] = whole.plans;
  expect(text).toContain(best.summary);
  expect(text).toContain(best.decision.message);
  for (const { value, low, high } of best.headlines) {
    expect(text).toContain(value.text);
    if (low) expect(text).toContain(`90 % interval ${low.text} to ${high.text}`);
  }
  expect(text.length).toBeLessThan(1500);
  expect(structured.plans[0].headlines).toEqual(best.headlines);
  expect(JSON.stringify(structured).length).toBeLessThan(20_000);
  // What decides is whole, and what only who builds it needs is left out.
  for (const key of ["summary", "decision", "reasons", "risks", "way"] as const)
    expect(structured.plans[0][key], key).toEqual(best[key]);
  for (const way of ["cloud", "committed", "on_premises", "hybrid", "break_even"])
    expect(structured.plans[0].cost[way], way).toEqual(best.cost[way]);
  for (const key of ["architecture", "bill_of_materials", "carbon"])
    expect(structured.plans[0]).not.toHaveProperty(key);
  const places = structured.left_out.map(({ place }: { place: string }) => place).slice(0, 3);
  const more = await call(client, "plan", { ...planInput, answer_places: [...places, "/plans/0/cost"] });
  expect(more.structured.at["/plans/0/cost"]).toEqual(best.cost);
  expect(Object.keys(more.structured.at)).toEqual([...places, "/plans/0/cost"]);
});

test("says the numbers of an estimate, and the best that a search finds", async () => {
  const client = await connected();
  for (const [tool, name, place] of [
    ["estimate_serving", "serving_dense_8b_one_gpu", ""],
    ["search_training", "search_dense_8b_64", "/layouts/0"],
  ] as const) {
    const {
      kind: __,
      type: ___,
      ...input
    } = JSON.parse(readFileSync(join(root, `tests/golden/requests/${name}.json`), "utf8"));
    const answer = JSON.parse(readFileSync(join(root, `tests/golden/answers/${name}.json`), "utf8"));
    const best = place === "" ? answer : answer.layouts[0];
    const { text } = await call(client, tool, input);
    if (best.layout) expect(text).toContain(`${best.gpu_count} x ${best.gpu}: ${best.layout}`);
    const seconds = best.latency?.tpot_s ?? best.step.time_s;
    expect(text).toContain(`: ${Number(seconds.toPrecision(4))} (90 % interval `);
  }
  const { text } = await call(client, "catalog", { list: "gpus" });
  expect(text).toContain("h100-sxm5-80gb, ");
});

test("explains a number down to its equation", async () => {
  const client = await connected();
  const file = join(root, "tests/golden/requests/explain_step_time.json");
  const { kind: __, ...input } = JSON.parse(readFileSync(file, "utf8"));
  const answer = JSON.parse(readFileSync(file.replace("requests", "answers"), "utf8"));
  const { text, structured } = await call(client, "explain", input);
  const last = answer.trace.at(-1);
  expect(text).toContain(`${answer.at} = ${answer.value} ${answer.unit}`);
  expect(text).toContain(last.equation);
  expect(structured.trace.at(-1)).toEqual(last);
});

test("refuses bad input with the engine's own errors, all of them", async () => {
  const client = await connected();
  const input = { workloads: [{ type: "serving", model: "no-such-model" }], nonsense: true };
  const own = await podwright("plan", join(root, "tests/golden/requests/error_many_at_once.json"), "--json");
  expect(JSON.parse(own.stdout).errors.length).toBeGreaterThan(1);
  const { isError, text, structured } = await call(client, "plan", input);
  expect(isError).toBe(true);
  const paths = structured.errors.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(expect.arrayContaining(["/nonsense", "/workloads/0/model"]));
  for (const { path, message, hint } of structured.errors)
    expect(text).toContain(`${path}: ${message} ${hint ?? ""}`.trim());
  const nowhere = await call(client, "catalog", { list: "gpus", answer_places: ["/nowhere"] });
  expect([nowhere.isError, nowhere.structured.errors[0].path]).toEqual([true, "/answer_places"]);
  await expect(client.callTool({ name: "plans", arguments: {} })).rejects.toThrow(
    /^MCP error -32602: There is no tool plans\. Tools: .*\bplan, /,
  );
  // 1e999 is JSON, and Infinity once it is read.
  const [large] = sent(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cost","arguments":{"gpu_count":1e999}}}',
  );
  expect(large?.result).toMatchObject({ isError: true, structuredContent: { errors: [{ path: "/gpu_count" }] } });
});

test("answers what is not a message, and calls with wrong parameters, with a code and a sentence", async () => {
  const calls = ['{"name":"plan","arguments":"hello"}', '{"name":"plan","arguments":[1]}', '{"arguments":{}}', "{}"];
  const replies = sent(
    "{nonsense",
    '[{"jsonrpc":"2.0","id":7,"method":"tools/list"}]',
    '{"id":7,"method":"tools/list"}',
    ...calls.map((params, id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`),
    '{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{}}',
    '{"jsonrpc":"2.0","id":5,"method":"no/such"}',
    '{"jsonrpc":"2.0","id":6,"method":"ping"}',
  );
  const said = replies
    .map(({ id, error }) => [id, error?.code, error?.message ?? ""] as const)
    .sort(([one], [other]) => Number(one ?? -1) - Number(other ?? -1));
  expect(said).toEqual([
    [null, -32700, expect.stringMatching(/^The line is not JSON: .+\.$/)],
    [null, -32600, expect.stringContaining("not a JSON-RPC 2.0 request")],
    [null, -32600, expect.stringContaining("not a JSON-RPC 2.0 request")],
    [0, -32602, expect.stringContaining('"arguments" of plan must be an object')],
    [1, -32602, expect.stringContaining('"arguments" of plan must be an object')],
    [2, -32602, expect.stringMatching(/^tools\/call needs "name", the name of a tool\. Tools: .*\bplan, /)],
    [3, -32602, expect.stringMatching(/^tools\/call needs "name", the name of a tool\. Tools: .*\bplan, /)],
    [4, -32602, expect.stringContaining('needs "uri"')],
    [5, -32601, "There is no method no/such."],
    [6, undefined, ""],
  ]);
});

test("names its options where it is given another", async () => {
  for (const [words, why] of [
    [["--foo"], "Unknown option '--foo'"],
    [["foo"], "Unexpected argument 'foo'"],
    [["--tools"], "Option '--tools <value>' argument missing"],
  ] as const) {
    const { status, stdout, stderr } = await runIn(server, [...words], project);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(`${why}. Options: [--tools NAME,NAME...|all] [--json-as-text] [--help] [--version]\n`);
  }
});

test("says why nothing fits, with the ways out", async () => {
  const client = await connected();
  const { kind: __, ...input } = JSON.parse(readFileSync(join(root, "examples/infeasible.json"), "utf8"));
  const { isError, text, structured } = await call(client, "estimate_serving", input);
  expect([isError ?? false, structured.feasible]).toEqual([false, false]);
  expect(text).toContain(structured.reasons[0].message);
  expect(text).toContain(JSON.stringify(structured.reasons[0].ways_out[0]));
});

test("names what each tool alone is for, and repeats the JSON only where it is told to", async () => {
  const client = await connected("--json-as-text");
  const { tools } = await client.listTools();
  const of = (name: string) => tools.find((tool) => tool.name === name)?.description;
  expect(of("estimate_training")).toBe("Memory, time and throughput of a training run.");
  expect(of("search_training")).not.toContain("deployment");
  const { content, structuredContent } = await client.callTool({ name: "catalog", arguments: { list: "gpus" } });
  expect(JSON.parse((content as { text: string }[])[1]?.text ?? "null")).toEqual(structuredContent);
});

test("gives schemas, the list of kinds and a guide as resources", async () => {
  const client = await connected();
  const { resources } = await client.listResources();
  for (const { uri, mimeType } of resources) {
    const { contents } = await client.readResource({ uri });
    const text = (contents[0] as { text: string }).text;
    expect(text.length, uri).toBeGreaterThan(50);
    if (mimeType === "application/json") JSON.parse(text);
  }
  const uris = resources.map(({ uri }) => uri);
  for (const name of ["guide", "schemas/plan.request", "schemas/plan.answer", "schemas/kinds"])
    expect(uris).toContain(`podwright://${name}`);
  await expect(client.readResource({ uri: "podwright://../package" })).rejects.toThrow("There is no resource");
});

test("the guide names tools, members and lists that there are", async () => {
  const client = await connected();
  const guide = readFileSync(join(installed, "AGENTS.md"), "utf8");
  const names = (await client.listTools()).tools.map(({ name }) => name);
  const named = [...guide.matchAll(/^\|[^|]+\|([^|]+)\|$/gm)].flatMap(([, cell]) => cell?.match(/`\w+`/g) ?? []);
  expect(named.length).toBeGreaterThan(10);
  for (const name of named) expect(names).toContain(name.slice(1, -1));
  for (const [, list] of guide.matchAll(/`\{"list": "(\w+)"\}`/g)) {
    const { isError, structured } = await call(client, "catalog", { list });
    expect([isError, structured.items.length > 5], list).toEqual([undefined, true]);
  }
  const answer = readFileSync(join(installed, "schemas/plan.answer.json"), "utf8");
  for (const word of [
    "assumptions",
    "feasible",
    "reasons",
    "rejected",
    "ways_out",
    "headlines",
    "text",
    "not_modelled",
  ]) {
    expect(guide).toContain(`\`${word}\``);
    expect(answer).toContain(`"${word}":`);
  }
});

test("offers the tools that are named, and refuses names that it does not know", async () => {
  const client = await connected("--tools", "plan,exam");
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["plan", "exam"]);
  const wrong = await runIn(server, ["--tools", "plans"], project);
  expect([wrong.status, wrong.stdout]).toEqual([2, ""]);
  expect(wrong.stderr).toContain('There is no tool "plans". Tools: ');
  const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect((await runIn(server, ["--version"], project)).stdout).toBe(`${version}\n`);
});

test("names of any letters come back as they were, and start no line of their own", async () => {
  const client = await connected();
  const file = join(root, "tests/golden/requests/mig_small_models.json");
  const { kind: __, ...input } = JSON.parse(readFileSync(file, "utf8"));
  const random = randomNumbers(29);
  const names = [...hostileNames, ...Array.from({ length: 200 }, () => randomName(random))];
  for (let i = 0; i < names.length; i += 3) {
    const three = names.slice(i, i + 3);
    const workloads = three.map((name, k) => ({ ...input.workloads[k], name: `${k} ${name}` }));
    const { isError, structured, text } = await call(client, "mig", { ...input, workloads, answer_places: [""] });
    if (isError) {
      expect(structured.errors[0].path).toMatch(/^\/workloads/);
      continue;
    }
    const shown = JSON.stringify(structured);
    for (const { name } of workloads) expect(shown).toContain(JSON.stringify(name));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u2028\u2029]/);
  }
});
