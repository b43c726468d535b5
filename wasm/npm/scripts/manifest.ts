/** What package.json of the package says. */
import { version } from "./places.ts";

const entry = (name: string, more: Record<string, string> = {}) => ({
  types: `./dist/${name}.d.ts`,
  ...more,
  default: `./dist/${name}.js`,
});

export const manifest = {
  name: "podwright",
  version: version(),
  description:
    "What to buy or rent to run language models on NVIDIA hardware, how fast it is and what it costs: the engine of Podwright for browsers, Node and workers, a custom element and an MCP server",
  license: "Apache-2.0",
  keywords: ["gpu", "llm", "capacity-planning", "inference", "training", "tco", "mcp", "webassembly"],
  type: "module",
  engines: { node: ">=20" },
  exports: {
    ".": entry("index", { node: "./dist/node.js" }),
    "./element": entry("element"),
    "./worker": entry("worker"),
    "./worker_thread": "./dist/worker_thread.js",
    "./engine.wasm": "./dist/engine.wasm",
    "./schemas/*": "./schemas/*",
    "./package.json": "./package.json",
  },
  bin: { "podwright-mcp": "dist/mcp.js" },
  sideEffects: ["./dist/element.js", "./dist/worker_thread.js", "./dist/mcp.js"],
};
