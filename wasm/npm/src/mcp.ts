#!/usr/bin/env node
/** The engine as an MCP server on standard input and output. */
import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { load } from "./node.js";
import { call, type KindTool, toolsOf } from "./tools.js";

const kUsage = `Usage: podwright-mcp [--tools NAME,NAME...|all] [--json-as-text]

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

function offerResources(server: Server): void {
  const known = resources();
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [...known].map(([uri, { name, mimeType }]) => ({ uri, name, mimeType })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const found = known.get(uri);
    if (found === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}.`);
    return { contents: [{ uri, mimeType: found.mimeType, text: ofPackage(found.file) }] };
  });
}

function offerTools(server: Server, tools: readonly KindTool[], repeatsJson: boolean): void {
  let engine = load();
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ tool }) => tool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }) => {
    const found = tools.find(({ tool }) => tool.name === name);
    if (found === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}.`);
    try {
      const { content, ...rest } = call(await engine, found, input);
      const repeated = { type: "text" as const, text: JSON.stringify(rest.structuredContent) };
      return { ...rest, content: repeatsJson ? [...content, repeated] : content };
    } catch (error) {
      engine = load();
      return { content: [{ type: "text", text: String(error) }], isError: true };
    }
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      tools: { type: "string" },
      "json-as-text": { type: "boolean" },
      help: { type: "boolean" },
      version: { type: "boolean" },
    },
  });
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
  offerResources(server);
  offerTools(server, tools, values["json-as-text"] ?? false);
  await server.connect(new StdioServerTransport());
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(2);
});
