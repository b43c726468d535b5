/** The worker that keeps the site for use without a network: it has the SHA-256 of every file, and its version is a digest of them all. */
import { createHash } from "node:crypto";

/** Fills in `offline_worker.js` for files by their places in the site. */
export function offlineWorker(template: string, files: Iterable<readonly [file: string, content: Buffer]>): string {
  const digests = [...files].map(([file, content]) => [
    file === "index.html" ? "./" : file,
    createHash("sha256").update(content).digest("base64"),
  ]);
  const version = createHash("sha256").update(JSON.stringify(digests)).digest("hex").slice(0, 12);
  return template.replace("%version%", version).replace('"%files%"', JSON.stringify(Object.fromEntries(digests)));
}
