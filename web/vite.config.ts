import { defineConfig } from "vite";

/** Files of few parts each: a small one costs as long as a large one until it comes. */
const kGroups = [
  // The plan, and what every screen needs.
  {
    name: "page",
    test: /node_modules\/(?!idb|ts-fsrs)|\/web\/src\/(?:(?!messages_zh|sentences_zh|csv|equation)[a-z_]+\.tsx?|engine\/\w+\.ts|views\/(?!explanation|equation|sources|detail_bodies|quantities)\w+\.tsx?)$/,
  },
  // What several screens need.
  {
    name: "words",
    test: /\/web\/src\/(?:csv\.ts|screens\/(?:texts|words|requests|catalog_lists)\.ts|tools\/(?:keep_file|scenarios)\.ts|views\/sources\.tsx)$/,
  },
  // The form of any request and the view of any answer.
  { name: "asking", test: /\/web\/src\/screens\/(?:form|things|files|charts\/\w+)\.tsx$/ },
];

export default defineConfig(({ isSsrBuild = false }) => ({
  base: "./",
  clearScreen: false,
  worker: { format: "es" },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    ...(isSsrBuild ? {} : { rolldownOptions: { output: { codeSplitting: { groups: kGroups } } } }),
  },
}));
