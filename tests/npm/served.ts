/** Pages of a folder on loopback, with the site's own policy as a header: no inline script or style, no eval. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const kTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};
const kPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
/** As strict, for pages that start no worker by an address. */
export const kTrustedTypes = "require-trusted-types-for 'script'; trusted-types 'none'";
/** A policy of its own, as of one directive in one policy only the first counts. */
export const kNoWebAssembly = ", script-src 'self'";

export interface Served {
  address: string;
  close(): void;
}

export async function served(folder: string, morePolicy = ""): Promise<Served> {
  const server = createServer((request, response) => {
    const file = normalize(new URL(request.url ?? "/", "http://localhost").pathname.replace(/\/$/, "/index.html"));
    try {
      const body = readFileSync(join(folder, file));
      response.setHeader("Content-Type", kTypes[extname(file)] ?? "application/octet-stream");
      response.setHeader("Content-Security-Policy", [kPolicy, morePolicy].filter(Boolean).join("; "));
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
