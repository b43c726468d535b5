/**
 * Serves build/site (or PODWRIGHT_SITE) on loopback, as plain static hosts do: under /some/folder/ with no header of its own,
 * and under /strict/ with the page's content security policy as a header, which then also binds the worker. Files are sent
 * gzipped, as such hosts send them.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const site = resolve(process.env.PODWRIGHT_SITE ?? join(root, "build/site"));
const port = Number(process.argv[2] ?? 4173);

const kTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
};

function policy(): string {
  const page = readFileSync(join(site, "index.html"), "utf8");
  return /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "";
}

const packed = new Map<string, { body: Buffer; gzipped: Buffer }>();

/** A file and its gzipped form, which is made once for what the file holds. */
function fileAt(path: string): { body: Buffer; gzipped: Buffer } {
  const body = readFileSync(path);
  const known = packed.get(path);
  if (known?.body.equals(body)) return known;
  const made = { body, gzipped: gzipSync(body) };
  packed.set(path, made);
  return made;
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
    const { body, gzipped } = fileAt(join(site, file));
    const isPacked = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    if (isPacked) response.setHeader("Content-Encoding", "gzip");
    response.setHeader("Content-Type", kTypes[extname(file)] ?? "application/octet-stream");
    if (match[1] === "strict") response.setHeader("Content-Security-Policy", policy());
    response.writeHead(200).end(isPacked ? gzipped : body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(port, "127.0.0.1");
