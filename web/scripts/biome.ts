/** Runs the Biome binary of this processor. It comes from the lock file, without the wrapper package. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const binary = fileURLToPath(new URL(`../node_modules/@biomejs/cli-linux-${process.arch}/biome`, import.meta.url));
if (!existsSync(binary)) {
  console.error(
    `Biome is not installed for ${process.platform}-${process.arch}; run npm ci in web/ on Linux x64 or arm64.`,
  );
  process.exit(3);
}
const run = spawnSync(binary, process.argv.slice(2), { stdio: "inherit" });
process.exit(run.status ?? 1);
