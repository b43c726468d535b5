#!/usr/bin/env node
/** The engine as an MCP server on standard input and output. */
import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  ErrorCode,
  type JSONRPCMessage,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { isObject } from "../../../web/src/json.ts";
import { load } from "./node.js";
import { call, type KindTool, toolsOf } from "./tools.js";

const kOptions = "[--tools NAME,NAME...|all] [--json-as-text] [--help] [--version]";
const kUsage = `Usage: podwright-mcp ${kOptions}

Offers the kinds of requests of Podwright as tools of the Model Context Protocol on standard input and output.
Without --tools it offers those that are used for planning. --json-as-text repeats the structured answer in the text, for
clients that know no structured content.`;

const ofPackage = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
const schemaOf = (file: string) => JSON.parse(ofPackage(`schemas/${file}.json`));

/** Texts that a client can read, by their addresses. */
function resources(): Map<string, { name: string; mimeType: string; file: string }> {
  const schemas = readdirSync(new URL("../schemas/", import.meta.url)).sort();
  return new Map([
    ["podwright://guide", { name: "How to ask", mimeType: "text/markdown", file: "AGENTS.md" }],
    ...schemas.map((file) => {
      const name = file.replace(/\.json$/, "");
      return [`podwright://schemas/${name}`, { name, mimeType: "application/json", file: `schemas/${file}` }] as const;
    }),
  ]);
}

/** Checks its parameters itself, as the SDK answers wrong ones with what its validator prints. */
type Method = (params: Record<string, unknown>) => Promise<object>;

/** The SDK's own class would begin the sentence with the code, which its client does again. */
const wrong = (message: string, code = ErrorCode.InvalidParams) => Object.assign(new Error(message), { code });

function offerResources(server: Server): Method {
  const known = resources();
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [...known].map(([uri, { name, mimeType }]) => ({ uri, name, mimeType })),
  }));
  return async ({ uri }) => {
    if (typeof uri !== "string") throw wrong('resources/read needs "uri", the address of a resource.');
    const found = known.get(uri);
    if (found === undefined) throw wrong(`There is no resource ${uri}.`);
    return { contents: [{ uri, mimeType: found.mimeType, text: ofPackage(found.file) }] };
  };
}

function offerTools(server: Server, tools: readonly KindTool[], repeatsJson: boolean): Method {
  const names = `Tools: ${tools.map(({ tool }) => tool.name).join(", ")}.`;
  let engine = load();
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ tool }) => tool) }));
  return async ({ name, arguments: input = {} }) => {
    if (typeof name !== "string") throw wrong(`tools/call needs "name", the name of a tool. ${names}`);
    const found = tools.find(({ tool }) => tool.name === name);
    if (found === undefined) throw wrong(`There is no tool ${name}. ${names}`);
    if (!isObject(input)) throw wrong(`"arguments" of ${name} must be an object, such as {"list": "gpus"}.`);
    try {
      const { content, ...rest } = call(await engine, found, input);
      const repeated = { type: "text" as const, text: JSON.stringify(rest.structuredContent) };
      return { ...rest, content: repeatsJson ? [...content, repeated] : content };
    } catch (error) {
      engine = load();
      return { content: [{ type: "text", text: String(error) }], isError: true };
    }
  };
}

function dispatch(server: Server, methods: Record<string, Method>): void {
  server.fallbackRequestHandler = async ({ method, params = {} }) => {
    const answer = methods[method];
    if (answer === undefined) throw wrong(`There is no method ${method}.`, ErrorCode.MethodNotFound);
    return { ...(await answer(params)) };
  };
}

const kNotRequest =
  'The message is not a JSON-RPC 2.0 request. Give one object on each line, with "jsonrpc": "2.0", "method" and "id".';

/** Answers lines that are not messages, which the SDK only reports here. */
function refuseLines(server: Server, transport: StdioServerTransport): void {
  server.onerror = (error) => {
    const isText = error instanceof SyntaxError;
    if (!isText && error.name !== "ZodError") return;
    const code = isText ? ErrorCode.ParseError : ErrorCode.InvalidRequest;
    const message = isText ? `The line is not JSON: ${error.message}.` : kNotRequest;
    // The types of the SDK leave out that the id is null where it cannot be known.
    void transport.send({ jsonrpc: "2.0", id: null, error: { code, message } } as unknown as JSONRPCMessage);
  };
}

function optionsOf() {
  try {
    const { values } = parseArgs({
      options: {
        tools: { type: "string" },
        "json-as-text": { type: "boolean" },
        help: { type: "boolean" },
        version: { type: "boolean" },
      },
    });
    return values;
  } catch (error) {
    // Node's message continues with advice about its own parser.
    const [why] = String((error as Error).message).split(/\. |\n/);
    throw new RangeError(`${why?.replace(/\.$/, "")}. Options: ${kOptions}`);
  }
}

async function main(): Promise<void> {
  const values = optionsOf();
  const { version } = JSON.parse(ofPackage("package.json")) as { version: string };
  if (values.help) return console.log(kUsage);
  if (values.version) return console.log(version);
  const named = (values.tools ?? "").split(",").filter((name) => name !== "");
  const tools = toolsOf(schemaOf("kinds"), (kind) => schemaOf(`${kind}.request`), named);
  const server = new Server(
    { name: "podwright", version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions:
        "Plans GPU systems for language models with checked formulas and sourced facts. Ask `plan` for a decision; ask `explain` before you repeat a number that matters; ask `catalog` for ids of GPUs and models. Read podwright://guide first.",
    },
  );
  dispatch(server, {
    "resources/read": offerResources(server),
    "tools/call": offerTools(server, tools, values["json-as-text"] ?? false),
  });
  const transport = new StdioServerTransport();
  refuseLines(server, transport);
  await server.connect(transport);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(2);
});
