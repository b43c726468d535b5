import { defineConfig, type PlaywrightTestConfig } from "@playwright/test";
import { executablePath, serverCommand, siteAddress, switches, testPort } from "./scripts/browser.ts";

const config: PlaywrightTestConfig = {
  testDir: "../tests/web",
  testMatch: "**/*.spec.ts",
  outputDir: "../build/web-e2e",
  reporter: "list",
  // Each test opens what it needs itself, so any two of them may run at once.
  fullyParallel: true,
  workers: 2,
  forbidOnly: process.env.CI !== undefined,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: siteAddress,
    launchOptions: { executablePath, args: switches },
    viewport: { width: 1280, height: 900 },
    // A colour that is still on its way to another is neither of them.
    contextOptions: { reducedMotion: "reduce" },
  },
  webServer: {
    command: `${serverCommand.join(" ")} ${testPort}`,
    url: siteAddress,
    reuseExistingServer: false,
    stdout: "ignore",
  },
};

export default defineConfig(config);
