import { existsSync } from "node:fs";
import { defineConfig, type PlaywrightTestConfig } from "@playwright/test";

const port = Number(process.env.PODWRIGHT_TEST_PORT ?? 4173);
const browsers = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/google-chrome"];
const executablePath = browsers.find((path) => path !== "" && existsSync(path));

const switches = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];

const config: PlaywrightTestConfig = {
  testDir: "../tests/web",
  testMatch: "**/*.spec.ts",
  outputDir: "../build/web-e2e",
  reporter: "list",
  workers: 1,
  forbidOnly: process.env.CI !== undefined,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: `http://127.0.0.1:${port}/some/folder/`,
    launchOptions: { executablePath, args: switches },
    viewport: { width: 1280, height: 900 },
  },
  webServer: {
    command: `node ../tests/web/static_server.ts ${port}`,
    url: `http://127.0.0.1:${port}/some/folder/`,
    reuseExistingServer: false,
    stdout: "ignore",
  },
};

export default defineConfig(config);
