import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import type { StudyAbout } from "./src/study/pack.ts";
import { oneLanguage } from "./vite.config.ts";

const page = fileURLToPath(new URL("./src/main.tsx", import.meta.url));

/** As the build writes it. */
const about: StudyAbout = {
  id: "nca-aiio",
  beta: false,
  exam: "NCA-AIIO",
  name: "An exam",
  version: "2026",
  checked: "2026-11-22",
  reviewed: "2026-11-29",
  examQuestions: 400,
  lessons: 36,
  lessonMinutes: 300,
  firstLesson: { id: "course-map", title: "The map", minutes: 6 },
};

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
  define: {
    __ENGINE_DIGEST__: JSON.stringify("test"),
    __SCREENS_DIGEST__: JSON.stringify("test"),
    __STUDY_DIGEST__: JSON.stringify("test"),
    __STUDY_EXAMS__: JSON.stringify([about]),
  },
  server: { fs: { allow: [".."] } },
  test: { dir: "../tests/web", include: ["**/*.test.{ts,tsx}"], environment: "node", testTimeout: 30_000 },
});
