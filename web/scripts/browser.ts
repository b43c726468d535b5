/** The browser of the system, as the tests, the timings and the screenshots start it, and the site that it opens. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const browsers = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/google-chrome"];
export const executablePath = browsers.find((path) => path !== "" && existsSync(path));

export const switches = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];

// From here, not from the machine, the browser has the language of its own words, the order of dates in fields and its time zone.
process.env.LANGUAGE = "en";
process.env.TZ = "UTC";

export const testPort = Number(process.env.PODWRIGHT_TEST_PORT ?? 4173);
/** Where the site stands on the tests' server: below a folder, as on many hosts. */
export const siteAddress = `http://127.0.0.1:${testPort}/some/folder/`;
export const serverCommand = ["node", fileURLToPath(new URL("../../tests/web/static_server.ts", import.meta.url))];

/** Runs `work` while the tests' server is up. */
export async function whileServed(work: () => Promise<void>): Promise<void> {
  const [program = "node", ...given] = serverCommand;
  const server = spawn(program, [...given, String(testPort)], { stdio: "inherit" });
  try {
    for (let tries = 0; ; tries += 1) {
      const isUp = await fetch(siteAddress).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) break;
      if (tries > 50 || server.exitCode !== null) throw new Error(`nothing is served at ${siteAddress}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await work();
  } finally {
    server.kill();
  }
}
