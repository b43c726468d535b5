/**
 * Beside each file of the site, what a host may send instead of it: the same file packed with Brotli (`.br`) and gzip (`.gz`),
 * where that saves anything. The same files give the same bytes.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzipSync } from "node:zlib";

/** A file in one packet of a network is sent as soon unpacked. */
const kOnePacket = 1400;
/** What is packed is sent only where it is this much smaller. */
const kMostShare = 0.9;
const kQuality = constants.BROTLI_MAX_QUALITY;

const brotli = promisify(brotliCompress);

/** Never half of a file, whenever it ends. */
function writeWhole(path: string, content: Buffer): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

/** The engine's files take seconds, and seldom change: what was packed once is kept in `folder` by its digest. */
async function packedOnce(content: Buffer, folder: string): Promise<{ name: string; packed: Buffer }> {
  const digest = createHash("sha256").update(content).digest("hex");
  const name = `${digest}.${process.versions.brotli}.${kQuality}`;
  const kept = join(folder, name);
  if (existsSync(kept)) return { name, packed: readFileSync(kept) };
  const params = { [constants.BROTLI_PARAM_QUALITY]: kQuality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const packed = await brotli(content, { params });
  writeWhole(kept, packed);
  return { name, packed };
}

/** Packs the `files` of `site`; `folder` keeps what takes long from one build to the next. */
export async function packSite(site: string, files: readonly string[], folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const used = await Promise.all(
    files.map(async (file) => {
      const path = join(site, file);
      const content = readFileSync(path);
      if (content.length <= kOnePacket) return [];
      const { name, packed } = await packedOnce(content, folder);
      const forms: [string, Buffer][] = [
        [".br", packed],
        [".gz", gzipSync(content, { level: constants.Z_BEST_COMPRESSION })],
      ];
      for (const [ending, form] of forms)
        if (form.length <= kMostShare * content.length) writeWhole(path + ending, form);
      return [name];
    }),
  );
  const names = new Set(used.flat());
  for (const name of readdirSync(folder)) if (!names.has(name)) rmSync(join(folder, name));
}
