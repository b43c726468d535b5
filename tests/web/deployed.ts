/** Two versions of the built site, and a host whose answers a test changes while pages are open. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { offlineWorker } from "../../web/scripts/offline_files.ts";
import { kTypes } from "./content_types.ts";

export type Files = ReadonlyMap<string, Buffer>;

const root = resolve(__dirname, "../..");
const worker = readFileSync(join(root, "web/scripts/offline_worker.js"), "utf8");

/** The built site, without the packed forms. */
export function builtSite(): Files {
  const site = resolve(process.env.PODWRIGHT_SITE ?? join(root, "build/site"));
  const names = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(site.length + 1));
  return new Map(names.sort().map((name) => [name, readFileSync(join(site, name))]));
}

/** The same site as a build after any change would name it: every script, style and folder has another digest, and the page a mark. */
export function nextVersion(files: Files): Files {
  const digests = new Set<string>();
  for (const name of files.keys()) {
    const digest = /^(?:engine|screens|study)\/([0-9a-f]{12})\/|^assets\/.+-([\w-]{8})\.\w+$/.exec(name);
    if (digest !== null) digests.add(digest[1] ?? digest[2] ?? "");
  }
  const isOld = new RegExp([...digests].join("|"), "g");
  const renamed = (text: string) => text.replace(isOld, (digest) => [...digest].reverse().join(""));
  const next = new Map<string, Buffer>();
  for (const [name, content] of files) {
    const isText = /^\.(html|js|mjs|css|txt)$/.test(extname(name));
    if (name !== "offline.js") next.set(renamed(name), isText ? Buffer.from(renamed(content.toString())) : content);
  }
  const page = String(next.get("index.html")).replace("<html ", '<html data-version="next" ');
  const inline = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "";
  const digest = createHash("sha256").update(inline).digest("base64");
  next.set("index.html", Buffer.from(page.replace(/'sha256-[^']+'/, `'sha256-${digest}'`)));
  return next.set("offline.js", Buffer.from(offlineWorker(worker, next)));
}

/** What is sent for a file: its content, nothing (404), half of it as if it were whole, half before the line is cut, or a page to log in. */
export type Sent = Buffer | undefined | { half: Buffer } | { cut: Buffer } | "portal";

export class Host {
  /** What is sent for a file from now on. */
  send: (file: string) => Sent;
  /** The files that were asked for. */
  readonly asked: string[] = [];
  readonly #server: Server;

  constructor(files: Files) {
    this.send = (file) => files.get(file);
    this.#server = createServer((request, response) => {
      const file = decodeURIComponent(new URL(request.url ?? "", "http://host").pathname.slice(1)) || "index.html";
      this.asked.push(file);
      this.#reply(file, response);
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  serve(files: Files): void {
    this.send = (file) => files.get(file);
  }

  #reply(file: string, response: ServerResponse): void {
    const sent = this.send(file);
    const type = kTypes[extname(file)] ?? "text/plain";
    if (sent === undefined) response.writeHead(404).end();
    else if (sent === "portal") response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Log in</h1>");
    else if ("half" in sent) response.writeHead(200, { "Content-Type": type }).end(halfOf(sent.half));
    else if ("cut" in sent) {
      response.writeHead(200, { "Content-Type": type, "Content-Length": sent.cut.length });
      response.write(halfOf(sent.cut), () => response.destroy());
    } else response.writeHead(200, { "Content-Type": type, "Content-Length": sent.length }).end(sent);
  }
}

const halfOf = (content: Buffer) => content.subarray(0, content.length >> 1);
