/**
 * Builds the site: asks the command line for the preset's answer and the catalog lists, takes the compiled engine, bundles the
 * page and writes the preset's view into it.
 *
 * PODWRIGHT_CLI names the command, PODWRIGHT_ENGINE the folder of engine.mjs and its two .wasm files, PODWRIGHT_SITE the folder to
 * write.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, minify, type Plugin } from "vite";
import type { CatalogItem, InitialData, Layout, PlanAnswer, PlanRequest } from "../src/contract.ts";
import messages from "../src/data/messages.json" with { type: "json" };
import { isObject, type JsonObject, numberAt, valueAt } from "../src/json.ts";
import { kAreas } from "../src/route.ts";
import { offlineWorker } from "./offline_files.ts";
import { packSite } from "./pack_site.ts";
import { kAskedBy, screenRequests } from "./requests.ts";
import { type StudyFiles, studyPack } from "./study_pack.ts";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(web);
const preset = join(root, "examples/chat_70b.json");
const cli = resolve(process.env.PODWRIGHT_CLI ?? join(root, "build/native/podwright"));
const site = resolve(process.env.PODWRIGHT_SITE ?? join(root, "build/site"));
const kEngineFiles = ["engine.mjs", "engine.wasm", "engine_rest.wasm"];
/** Fetched once the first answer is given. */
const kAfterFirstAnswer = /^engine\/\w+\/engine_rest\.wasm$/;

/** `preload` is the script in the page, which the policy knows by its digest. */
const policyFor = (preload: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' 'sha256-${createHash("sha256").update(preload).digest("base64")}'`,
    "worker-src 'self'",
    "connect-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types podwright",
  ].join("; ");

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(3);
}

/** The command's answer. An infeasible plan (exit 1) is an answer too. */
function ask(...words: string[]): unknown {
  if (!existsSync(cli)) fail(`The command ${cli} is missing; build it first or name it in PODWRIGHT_CLI.`);
  try {
    return JSON.parse(execFileSync(cli, words, { encoding: "utf8", maxBuffer: 64 << 20 }));
  } catch (error) {
    const { status, stdout, message } = error as { status?: number; stdout?: string; message: string };
    if (status === 1 && stdout) return JSON.parse(stdout);
    return fail(`podwright ${words.join(" ")} failed: ${stdout || message}`);
  }
}

/** The command of each kind of request that is not called as the kind is. */
const verbs = Object.fromEntries(
  (ask("schema") as { kinds: { kind: string; verb: string }[] }).kinds
    .filter(({ kind, verb }) => kind !== verb)
    .map(({ kind, verb }) => [kind, verb]),
);

/** The command's reply to a request on its standard input, errors included. */
function answerTo(kind: string, request: JsonObject): unknown {
  const input = JSON.stringify(request);
  const { stdout } = spawnSync(cli, [verbs[kind] ?? kind, "-", "--json"], {
    input,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  return JSON.parse(stdout || "null");
}

/** Models by who made them; GPUs of the one vendor by generation, others by vendor. */
function groupOf(item: JsonObject): string {
  const group = item.organisation ?? (item.vendor === "NVIDIA" ? item.architecture : item.vendor);
  return typeof group === "string" && group !== "" ? group : messages.otherGroup.en;
}

function catalogList(list: string): CatalogItem[] {
  const answer = ask("catalog", "list", list, "--json");
  const items = isObject(answer) && Array.isArray(answer.items) ? answer.items.filter(isObject) : [];
  if (items.length === 0) fail(`podwright catalog list ${list} gave no items.`);
  return items.map((item) => ({ id: String(item.id), name: String(item.name ?? item.id), group: groupOf(item) }));
}

function engineFolder(): string {
  const folder = process.env.PODWRIGHT_ENGINE ?? join(root, "build/wasm/site_engine");
  const missing = kEngineFiles.filter((file) => !existsSync(join(folder, file)));
  if (missing.length === 0) return folder;
  return fail(`No ${missing.join(", ")} in ${folder}; build the wasm preset first or set PODWRIGHT_ENGINE.`);
}

/** What names a folder of files: two of the same name hold the same. */
function digestOf(files: Iterable<readonly [name: string, content: string | Buffer]>): string {
  const digest = createHash("sha256");
  for (const [name, content] of files) digest.update(`${name} ${content.length}\n`).update(content);
  return digest.digest("hex").slice(0, 12);
}

/** Takes the engine over, its script without what only people read, into a folder with the name of their digest, which it gives. */
async function takeEngine(): Promise<string> {
  const from = engineFolder();
  const files = await Promise.all(
    kEngineFiles.map(async (file): Promise<[string, string | Buffer]> => {
      const content = readFileSync(join(from, file));
      if (!file.endsWith(".mjs")) return [file, content];
      const { code, errors } = await minify(file, content.toString(), { module: true });
      if (errors.length > 0) fail(`${file} cannot be made smaller: ${errors.map(({ message }) => message).join("; ")}`);
      return [file, code];
    }),
  );
  const digest = digestOf(files);
  const all = join(web, "public/engine");
  rmSync(all, { recursive: true, force: true });
  mkdirSync(join(all, digest), { recursive: true });
  for (const [file, content] of files) writeFileSync(join(all, digest, file), content);
  return digest;
}

interface Prerender {
  render(initial: InitialData): string;
  title: string;
  description: string;
  noScript: string;
}

/** What the page's code is told of this build. */
const definitions = (digest: string, screens: string, study: Pick<StudyFiles, "digest" | "exams">) => ({
  __ENGINE_DIGEST__: JSON.stringify(digest),
  __SCREENS_DIGEST__: JSON.stringify(screens),
  __STUDY_DIGEST__: JSON.stringify(study.digest),
  __STUDY_EXAMS__: JSON.stringify(study.exams),
});

async function loadPrerender(): Promise<Prerender> {
  const outDir = join(root, "build/web-prerender");
  await build({
    root: web,
    configFile: join(web, "vite.config.ts"),
    publicDir: false,
    logLevel: "warn",
    define,
    ssr: { noExternal: true },
    build: { ssr: join(web, "src/prerender.tsx"), outDir, emptyOutDir: true },
  });
  return (await import(pathToFileURL(join(outDir, "prerender.js")).href)) as Prerender;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

type Output = Exclude<Awaited<ReturnType<typeof build>>, { close(): Promise<void> }>;

function chunksOf(output: Output) {
  const parts = (Array.isArray(output) ? output : [output]).flatMap((one) => ("output" in one ? one.output : []));
  return new Map(parts.flatMap((part) => (part.type === "chunk" ? [[part.fileName, part] as const] : [])));
}

/** What the page fetches by itself after the first look, before anything is asked for: the code of the form, which the build has drawn, and the names of places. */
function afterFirstLook(output: Output): string[] {
  const later = laterFiles(output);
  const files = withImports(chunksOf(output), ({ moduleIds }) =>
    moduleIds.some((id) => id.endsWith("/src/screens/plan_form.tsx")),
  ).flatMap((all) => [...all]);
  return [...files.filter((file) => later.has(file)), `screens/${screensDigest}/regions.json`].sort();
}

/** Scripts and styles that only a later import brings, by the names of their files. */
function laterFiles(output: Output): Set<string> {
  const chunks = chunksOf(output);
  const [atOnce, styles] = withImports(chunks, ({ moduleIds }) => moduleIds.some((id) => id.endsWith("/src/main.tsx")));
  const later = [...chunks.keys()].filter((file) => !atOnce.has(file));
  const laterStyles = later.flatMap((file) => [...(chunks.get(file)?.viteMetadata?.importedCss ?? [])]);
  return new Set([...later, ...laterStyles.filter((file) => !styles.has(file))]);
}

type Chunks = ReturnType<typeof chunksOf>;
type Chunk = Chunks extends Map<string, infer One> ? One : never;

/** The scripts that are read with some of them, and their styles. */
function withImports(chunks: Chunks, isFirst: (chunk: Chunk) => boolean): [Set<string>, Set<string>] {
  const scripts = new Set([...chunks.values()].filter(isFirst).map(({ fileName }) => fileName));
  for (const file of scripts) for (const other of chunks.get(file)?.imports ?? []) scripts.add(other);
  return [scripts, new Set([...scripts].flatMap((file) => [...(chunks.get(file)?.viteMetadata?.importedCss ?? [])]))];
}

/** Screens that ask the engine nothing when they are opened. */
const kWithoutEngine = ["about", "host", "study"];

/** What a screen needs beside the page's own files, by its name; `asking` is for those that share one view. */
function screenFiles(output: Output): Record<string, string[]> {
  const chunks = chunksOf(output);
  const later = laterFiles(output);
  const entry =
    /\/src\/(?:screens|host|study\/screens)\/(about|compare|data|host|report|study|ask_screen|plan_views)\.tsx$/;
  const names: Record<string, readonly string[]> = { ask_screen: ["asking"], plan_views: kAreas.plan.slice(1) };
  // A file of several modules has no facade: the study tool's has not.
  const found = [...chunks.values()].flatMap((own) => {
    const name = own.moduleIds.map((id) => entry.exec(id)?.[1]).find((one) => one !== undefined);
    if (name === undefined) return [];
    const files = withImports(chunks, (chunk) => chunk === own).flatMap((all) => [...all]);
    return (names[name] ?? [name]).map((screen) => [screen, files.filter((file) => later.has(file))] as const);
  });
  return Object.fromEntries(found);
}

/** What is said in both languages where the page's own scripts cannot say it in one. */
const unfinished = `${messages.unfinished.en} ${messages.unfinished.zh}`;

/** The script that begins, before anything is painted, what the address asks for. */
async function preloadScript(output: Output): Promise<string> {
  const files = screenFiles(output);
  const worker = siteFiles().find((file) => /^assets\/worker-.+\.js$/.test(file));
  if (worker === undefined || files.asking === undefined) fail("The scripts of the worker or the screens are missing.");
  const asking = Object.keys(kAskedBy).filter((screen) => screen !== "plan");
  const text = readFileSync(join(web, "scripts/preload.js"), "utf8")
    .replace("%worker%", worker)
    .replace("%noEngine%", kWithoutEngine.join(" "))
    .replace('"%files%"', JSON.stringify(files).replace("{", "{__proto__:null,"))
    .replace("%asking%", asking.join(" "))
    .replace("%digest%", screensDigest)
    .replace("%unfinished%", unfinished);
  const { code, errors } = await minify("preload.js", text);
  if (errors.length > 0) fail(`preload.js cannot be made smaller: ${errors.map(({ message }) => message).join("; ")}`);
  return code.trim();
}

function siteFiles(): string[] {
  return readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(site, join(entry.parentPath, entry.name)))
    .sort();
}

/** Every file that the page reaches by name, from index.html on, without what is loaded when it is asked for. */
function firstRoute(later: ReadonlySet<string>): string[] {
  const files = siteFiles().filter(
    (file) => !later.has(file) && !kAfterFirstAnswer.test(file) && !file.endsWith(".webmanifest"),
  );
  const reached = new Set(["index.html"]);
  for (const file of reached) {
    if (!/\.(html|js|mjs|css)$/.test(file)) continue;
    const text = readFileSync(join(site, file), "utf8");
    for (const other of files) if (text.includes(other.split("/").at(-1) ?? other)) reached.add(other);
  }
  return [...reached].sort();
}

const digest = await takeEngine();
const study = studyPack(join(root, "core"), ask);
// The chart's points come with the engine: in the page they would weigh more than all other numbers together.
const { trace: _trace, pareto: _pareto, ...answer } = ask("plan", preset, "--json") as PlanAnswer;
// So does what the designs are built of, and of the plans after the first what stands in no table.
const kLater = new Set(
  "compute_switch compute_fabric next_step storage_fabric in_band out_of_band management_nodes storage software demand bill_of_materials carbon reliability risks".split(
    " ",
  ),
);
const kOfTheFirst = new Set("headlines racks power energy decision decision_factors reasons".split(" "));
/** Of a plan's latencies what the table of plans shows. */
const ofTable = <T>(latency: T) =>
  Object.fromEntries(
    Object.entries(latency ?? {}).filter(([key]) => !/^request_s|^wait_s|_p(50|90|99)$/.test(key)),
  ) as T;
/** Of the draws what the intervals of the headlines show. */
function ofHeadlines({ headlines = [] }: NonNullable<PlanAnswer["plans"]>[number], distribution: unknown): JsonObject {
  const kept: Record<string, JsonObject | JsonObject[]> = {};
  for (const place of headlines.flatMap(({ low, high }) => [low?.place ?? "", high?.place ?? ""])) {
    const [, name = "", way = "", quantile = ""] =
      /^\/cost\/distribution\/(\w+)(?:\/0\/(\w+))?\/(p\d+)$/.exec(place) ?? [];
    const of = way === "" ? name : `${name}/0/${way}`;
    const value = numberAt(distribution, `/${of}/${quantile}`);
    if (value === undefined) continue;
    const before = valueAt(kept, `/${of}`);
    const now = { ...(isObject(before) ? before : {}), [quantile]: value };
    kept[name] = way === "" ? now : [{ [way]: now }];
  }
  return kept;
}
answer.plans = answer.plans?.map((plan, i) => {
  const first = i === 0;
  const kept = Object.entries(plan).filter(([key]) => !kLater.has(key) && (first || !kOfTheFirst.has(key)));
  const shown = Object.fromEntries(kept) as typeof plan;
  if (first) {
    const { distribution, tornado: _t, decision_flips: _f, growth: _g, cautions: _c, ...cost } = shown.cost ?? {};
    const { bands: _b, ...cloud } = (cost.cloud ?? {}) as JsonObject;
    const {
      rules_fired: _r,
      deviations: _v,
      not_known: _n,
      notes: _o,
      ...architecture
    } = (shown.architecture ?? {}) as JsonObject;
    return {
      ...shown,
      cost: { ...cost, ...(cost.cloud === undefined ? {} : { cloud }), distribution: ofHeadlines(plan, distribution) },
      architecture,
      estimates: shown.estimates?.map(({ gpu_energy: _g, ...estimate }) => estimate),
    };
  }
  const { cloud, on_premises } = shown.cost as {
    cloud?: { usd_per_hour?: number; usd_per_million_output_tokens?: number };
    on_premises?: { annual_usd?: number };
  };
  shown.cost = {
    cloud: cloud && {
      usd_per_hour: cloud.usd_per_hour,
      usd_per_million_output_tokens: cloud.usd_per_million_output_tokens,
    },
    on_premises: on_premises && { annual_usd: on_premises.annual_usd },
  };
  shown.layouts = shown.layouts?.map(({ limits: _l, ...layout }: Layout & { limits?: unknown }) => layout);
  shown.estimates = shown.estimates?.map(({ latency, run }) => ({ latency: ofTable(latency), run }));
  const { system_name, nodes } = shown.architecture ?? {};
  if (nodes !== undefined) shown.architecture = { system_name, nodes };
  return shown;
});
/** A message says the same without its values, which only another language reads; the page writes the text of a number itself; and no table shows more than eight digits: the engine brings both. */
const shortened = (said: unknown): unknown =>
  Array.isArray(said)
    ? said.map(shortened)
    : isObject(said)
      ? Object.fromEntries(
          Object.entries(said).flatMap(([key, value]) =>
            (key === "values" && "message" in said) || (key === "text" && "place" in said)
              ? []
              : [[key, shortened(value)]],
          ),
        )
      : typeof said === "number"
        ? Number(said.toPrecision(8))
        : said;
const rentPrices = (ask("catalog", "list", "prices", "--json") as { items: JsonObject[] }).items;
const priceDay = rentPrices
  .map(({ as_of }) => String(as_of))
  .sort()
  .at(-1);
const regions = (ask("catalog", "list", "regions", "--json") as { items: JsonObject[] }).items.map(({ id, name }) => ({
  id: String(id),
  name: String(name),
}));
const named = readFileSync(preset, "utf8") + JSON.stringify(answer);
const initial: InitialData = {
  places: regions.filter(({ id }) => named.includes(`"${id}"`)),
  preset: JSON.parse(readFileSync(preset, "utf8")) as PlanRequest,
  answer: shortened({ ...answer, not_modelled: undefined }) as PlanAnswer,
  price_day: priceDay,
  models: catalogList("models"),
  gpus: catalogList("gpus"),
  verbs,
};

const requests = screenRequests(
  join(root, "examples"),
  (kind) => ask("schema", kind) as JsonObject,
  (kind, request) => answerTo(kind, request),
);
const screens = [...Object.entries(requests), ["regions", regions] as const].map(
  ([screen, asked]) => [`${screen}.json`, JSON.stringify(asked)] as const,
);
const screensDigest = digestOf(screens);
const define = definitions(digest, screensDigest, study);

/** Packages of which something is in the scripts, for the licences of the archive. */
const packages = new Set<string>();
const notePackages: Plugin = {
  name: "note-packages",
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
    for (const id of modules) {
      // What the bundler adds by itself is called "\0vite/..." or "\0rolldown/...".
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)|^\0(vite|rolldown)\//.exec(id);
      if (name !== null) packages.add(name[1] ?? name[2] ?? "");
    }
  },
};
const output = (await build({
  root: web,
  configFile: join(web, "vite.config.ts"),
  logLevel: "warn",
  plugins: [notePackages],
  worker: { format: "es", plugins: () => [notePackages] },
  define,
  build: { outDir: site, emptyOutDir: true },
})) as Output;
const folders: [string, Iterable<readonly [string, string | Buffer]>][] = [
  [join("screens", screensDigest), screens],
  [join("study", study.digest), study.files],
];
for (const [folder, files] of folders)
  for (const [file, content] of files) {
    const path = join(site, folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

const prerender = await loadPrerender();
const preload = await preloadScript(output);
const page = join(site, "index.html");
const places: Record<string, string> = {
  "<!--policy-->": `<meta http-equiv="Content-Security-Policy" content="${policyFor(preload)}" />`,
  "<!--preload-->": `<script>${preload}</script>`,
  "%title%": escaped(prerender.title),
  "%description%": escaped(prerender.description),
  "%no-script%": escaped(prerender.noScript),
  "<!--app-->": prerender.render(initial),
  '"%initial%"': JSON.stringify(initial).replaceAll("<", "\\u003c"),
};
let html = readFileSync(page, "utf8");
// The page's own files are asked for before what the preload script asks for beside them.
const own =
  html.match(/ *<(?:script type="module"|link rel="(?:modulepreload|stylesheet)")[^>]*>(?:<\/script>)?\n/g) ?? [];
if (own.length < 2) fail("The bundled index.html names no scripts or styles.");
for (const tag of own) html = html.replace(tag, "");
html = html.replace(/ *<!--preload-->\n/, (preload) => `${own.join("")}${preload}`);
for (const [place, text] of Object.entries(places)) {
  if (!html.includes(place)) fail(`${place} is missing in the bundled index.html.`);
  html = html.replace(place, () => text);
}
writeFileSync(page, html);
writeFileSync(join(site, "first-route.txt"), `${firstRoute(laterFiles(output)).join("\n")}\n`);
writeFileSync(join(site, "after-first-look.txt"), `${afterFirstLook(output).join("\n")}\n`);
const kept = siteFiles().map((file) => [file, readFileSync(join(site, file))] as const);
writeFileSync(
  join(site, "offline.js"),
  offlineWorker(readFileSync(join(web, "scripts/offline_worker.js"), "utf8"), kept),
);
// What is packed is no address of its own: no list above names it.
await packSite(site, siteFiles(), join(root, "build/packed"));
writeFileSync(join(dirname(site), "site_packages.json"), `${JSON.stringify([...packages].sort())}\n`);
console.log(`site: ${relative(process.cwd(), site)}`);
