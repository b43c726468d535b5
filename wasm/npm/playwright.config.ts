/** Tests of the packed package, each from a project that has installed it. */
import { executablePath, switches } from "../../web/scripts/browser.ts";

export default {
  testDir: "../../tests/npm",
  testMatch: "**/*.spec.ts",
  globalSetup: "../../tests/npm/install.ts",
  outputDir: "../../build/npm/test-results",
  reporter: "list",
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    launchOptions: { executablePath, args: switches },
    contextOptions: { reducedMotion: "reduce" },
  },
};
