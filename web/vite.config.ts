import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  clearScreen: false,
  worker: { format: "es" },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
