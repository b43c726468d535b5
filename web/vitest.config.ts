import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { oneLanguage } from "./vite.config.ts";

const page = fileURLToPath(new URL("./src/main.tsx", import.meta.url));

export default defineConfig({
  plugins: [
    oneLanguage,
    {
      // The tests stand in tests/web; the packages that they name are those of this folder.
      name: "packages-of-the-page",
      enforce: "pre",
      resolveId(source, importer) {
        const isPackage = /^[@a-z]/.test(source) && !source.startsWith("node:");
        if (!isPackage || !importer?.includes("/tests/web/")) return null;
        return this.resolve(source, page, { skipSelf: true });
      },
    },
  ],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  define: { __ENGINE_DIGEST__: JSON.stringify("test"), __STUDY_DIGEST__: JSON.stringify("test") },
  server: { fs: { allow: [".."] } },
  test: { dir: "../tests/web", include: ["**/*.test.{ts,tsx}"], environment: "node", testTimeout: 30_000 },
});
