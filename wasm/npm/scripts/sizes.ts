/** Sizes that the README of the package gives: measured when it is built, they stand in place of "…". */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { fail, packed, root } from "./places.ts";

const inKb = (bytes: number) => `${Math.max(1, Math.round(bytes / 1000))} kB`;

/** Lengths of the list of tools and of the answer to an example, as a client gets them. */
function answersOfServer(): { tools: number; plan: number } {
  const { kind: _, ...input } = JSON.parse(readFileSync(join(root, "examples/chat_70b.json"), "utf8"));
  const about = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "sizes", version: "1" } };
  const asked = [
    { id: 0, method: "initialize", params: about },
    { method: "notifications/initialized" },
    { id: 1, method: "tools/list", params: {} },
    { id: 2, method: "tools/call", params: { name: "plan", arguments: input } },
  ];
  const lines = asked.map((one) => `${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`).join("");
  const { stdout } = spawnSync("node", [join(packed, "dist/mcp.js")], {
    input: lines,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  const lengthOf = (id: number) =>
    stdout.split("\n").find((line) => line !== "" && JSON.parse(line).id === id)?.length ??
    fail("The server did not answer what its README measures.");
  return { tools: lengthOf(1), plan: lengthOf(2) };
}

/** The README with its sizes: of files in rows that begin with a name, and of what the server says. */
export function withSizes(readme: string): string {
  const { tools, plan } = answersOfServer();
  const text = readme
    .replaceAll(/^(\| `dist\/([\w.]+)`[^|]*\|) *… *\|/gm, (_, start: string, name: string) => {
      const file = readFileSync(join(packed, "dist", name));
      return `${start} ${inKb(file.length)}, ${inKb(gzipSync(file).length)} with gzip |`;
    })
    .replace("… of schemas", `${inKb(tools)} of schemas`)
    .replace("about … an answer", `about ${inKb(plan)} an answer`);
  return text.includes("…") ? fail("The README has a size that is not measured.") : text;
}
