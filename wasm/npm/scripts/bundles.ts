/** The scripts that hold more than the package's own sources, each in one file. */
import { join } from "node:path";
import { build } from "../../../web/bundler.ts";
import { folder, packed } from "./places.ts";

type Plugin = NonNullable<NonNullable<Parameters<typeof build>[0]>["plugins"]>[number];

const dist = join(packed, "dist");

/** Packages whose modules are in the scripts: those of this folder, and those of web/. */
export const inside = { npm: new Set<string>(), web: new Set<string>() };

function note(id: string): void {
  const [, place, name] = /.*\/(npm|web)\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id) ?? [];
  if (name !== undefined) inside[place as keyof typeof inside].add(name);
  // What the bundler adds by itself is called "\0vite/..." or "\0rolldown/...".
  const own = /^\0(vite|rolldown)\//.exec(id)?.[1];
  if (own !== undefined) inside.web.add(own);
}

const notePackages: Plugin = {
  name: "note-packages",
  generateBundle(_, files) {
    for (const file of Object.values(files)) if (file.type === "chunk") file.moduleIds.forEach(note);
  },
};

/** Files of the package that stay files of their own. */
const apart = (...names: string[]): Plugin => ({
  name: "files-apart",
  enforce: "pre",
  resolveId: (source, importer) =>
    importer?.includes("/wasm/npm/src/") && names.includes(source) ? { id: source, external: true } : null,
});

/** Tables in one language alone, and the code of the site as it is while the page is in that language. */
const inLanguage = (kept: "en" | "zh"): Plugin => ({
  name: "in-language",
  enforce: "pre",
  load: (id) =>
    /\/web\/src\/language\.ts$/.test(id)
      ? `export const language = { value: "${kept}" };
         export const followLanguage = (_, table, live = {}) => Object.assign(live, table);`
      : null,
  transform: (code, id) =>
    /\/(web\/src\/data|core\/base\/data|wasm\/npm\/src)\/\w+\.json$/.test(id)
      ? JSON.stringify(JSON.parse(code, (_, value) => value?.[kept] ?? value))
      : null,
});

const kSignals = "\0podwright/signals";

/** Of the site's code nothing is drawn again when a signal changes. */
const stillSignals: Plugin = {
  name: "still-signals",
  enforce: "pre",
  resolveId: (source) => (source === "@preact/signals" ? kSignals : null),
  load: (id) =>
    id === kSignals
      ? `export const signal = (value) => ({ value, peek: () => value });
         export const computed = (of) => ({ get value() { return of(); } });`
      : null,
};

const kCommon = { root: folder, configFile: false, publicDir: false, logLevel: "warn" } as const;
const kOutput = { outDir: dist, emptyOutDir: false, minify: true } as const;

/** The server, with the packages that it needs. */
export async function bundleServer(): Promise<void> {
  await build({
    ...kCommon,
    ssr: { noExternal: true },
    plugins: [apart("./node.js"), notePackages],
    build: { ...kOutput, ssr: join(folder, "src/mcp.ts"), target: "node20" },
  });
}

async function bundleForPages(name: string, plugins: Plugin[]): Promise<void> {
  await build({
    ...kCommon,
    plugins: [...plugins, stillSignals, notePackages],
    build: {
      ...kOutput,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: {
        input: { [name]: join(folder, `src/${name}.ts`) },
        preserveEntrySignatures: "strict",
        output: { format: "es", entryFileNames: "[name].js" },
      },
    },
  });
}

/** The element, and what it loads for Chinese. */
export async function bundleElement(): Promise<void> {
  await bundleForPages("element", [
    apart("./index.js", "./worker.js", "./chinese.js", "./refusal.js"),
    inLanguage("en"),
  ]);
  await bundleForPages("chinese", [inLanguage("zh")]);
}
