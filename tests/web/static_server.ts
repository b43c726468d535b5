/**
 * Serves build/site (or PODWRIGHT_SITE) on loopback, as plain static hosts do: under /some/folder/ with no header of its own,
 * and under /strict/ with the page's content security policy as a header, which then also binds the worker. Files are sent in
 * the smallest form that the build has put beside them and the browser takes, as `podwright serve` sends them.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { kTypes } from "./content_types.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const site = resolve(process.env.PODWRIGHT_SITE ?? join(root, "build/site"));
const port = Number(process.argv[2] ?? 4173);

function policy(): string {
  const page = readFileSync(join(site, "index.html"), "utf8");
  return /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "";
}

/** Forms of a file by what their names end in, the smallest first. */
const kForms = [
  [".br", "br"],
  [".gz", "gzip"],
] as const;

/** The form of the file that is sent to who accepts these. One that was made of an older file is another file's. */
function formOf(path: string, accepted: string): (typeof kForms)[number] | undefined {
  const words = accepted.split(/[\s,;]+/);
  const modified = statSync(path).mtimeMs;
  return kForms.find(
    ([ending, name]) =>
      words.includes(name) && existsSync(path + ending) && statSync(path + ending).mtimeMs >= modified,
  );
}

createServer((request, response) => {
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  const match = /^\/(some\/folder|strict)\/(.*)$/.exec(path);
  const file = normalize(match?.[2] || "index.html");
  if (match === null || file.startsWith("..")) {
    response.writeHead(404).end();
    return;
  }
  try {
    const path = join(site, file);
    const [ending = "", coding] = formOf(path, String(request.headers["accept-encoding"] ?? "")) ?? [];
    const body = readFileSync(path + ending);
    response.setHeader("Vary", "Accept-Encoding");
    if (coding !== undefined) response.setHeader("Content-Encoding", coding);
    response.setHeader("Content-Length", body.length);
    response.setHeader("Content-Type", kTypes[extname(file)] ?? "application/octet-stream");
    if (match[1] === "strict") response.setHeader("Content-Security-Policy", policy());
    response.writeHead(200).end(body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(port, "127.0.0.1");
