import { defineConfig } from "vitest/config";

const inModules = (name: string) => new URL(`./node_modules/${name}`, import.meta.url).pathname;

export default defineConfig({
  define: { __ENGINE_DIGEST__: JSON.stringify("test") },
  resolve: { alias: { "preact-render-to-string": inModules("preact-render-to-string") } },
  server: { fs: { allow: [".."] } },
  test: { dir: "../tests/web", include: ["**/*.test.{ts,tsx}"], environment: "node" },
});
