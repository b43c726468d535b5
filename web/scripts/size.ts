/** Gate: what the first screen loads, gzipped, against its budget. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const site = resolve(process.env.PODWRIGHT_SITE ?? join(root, "build/site"));

/**
 * Budgets in kB (1000 bytes) of gzipped files. Where a part is over its budget today, a fourth figure says how large it may be at most until it
 * fits: it is printed as over budget at every run, and fails when it grows.
 */
const kBudgets: readonly [string, RegExp, number, number?][] = [
  ["scripts", /\.m?js$/, 60],
  ["styles", /\.css$/, 12],
  ["page", /\.html$/, 15],
  ["engine", /\.wasm$/, 300, 400],
  ["first screen", /./, 300, 480],
];
/** The functions that the first answer did not need, fetched after it, as is the chart; nobody waits for them. */
const kRest = "engine_rest.wasm";
/** Folders named by the digest of what is in them. */
const digestFolder = (folder: string) => `${folder}/${readdirSync(join(site, folder))[0]}`;

const zipped = (file: string) => gzipSync(readFileSync(join(site, file)), { level: 9 }).length / 1000;
const sizes = readFileSync(join(site, "first-route.txt"), "utf8")
  .trim()
  .split("\n")
  .map((file): [string, number] => [file, zipped(file)]);

for (const [file, kb] of sizes) console.log(`${kb.toFixed(1).padStart(8)} kB  ${file}`);
let over = 0;
for (const [name, pattern, budget, knownAtMost] of kBudgets) {
  const kb = sizes.filter(([file]) => pattern.test(file)).reduce((sum, [, size]) => sum + size, 0);
  if (kb > (knownAtMost ?? budget)) over += 1;
  const note =
    kb <= budget ? "" : `  OVER BUDGET${knownAtMost === undefined ? "" : `, known; fails above ${knownAtMost}`}`;
  console.log(`${kb.toFixed(1).padStart(8)} kB of ${budget}  ${name}${note}`);
}

/** What hosts send that take the packed forms beside the files. */
const smallest = (file: string) => readFileSync(join(site, existsSync(join(site, `${file}.br`)) ? `${file}.br` : file));
const withBrotli = sizes.reduce((sum, [file]) => sum + smallest(file).length, 0) / 1000;
console.log(`${withBrotli.toFixed(1).padStart(8)} kB  first screen with Brotli`);

/** What the page fetches by itself after the first look: the form's code and the names of places. */
const kFormBudget = 12;
const late = readFileSync(join(site, "after-first-look.txt"), "utf8")
  .trim()
  .split("\n")
  .reduce((sum, file) => sum + zipped(file), 0);
if (late > kFormBudget) over += 1;
console.log(
  `${late.toFixed(1).padStart(8)} kB of ${kFormBudget}  after the first look: the form${late > kFormBudget ? "  OVER BUDGET" : ""}`,
);

/** Files of the study tool, each loaded when a screen asks for it: the pack of a session has a budget, the first screen loads none of them. */
const study = digestFolder("study");
const kPack = `${study}/questions.json`;
const kPackBudget = 60;
const studyFiles = readdirSync(join(site, study), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".json"))
  .map((file): [string, number] => [`${study}/${file}`, zipped(`${study}/${file}`)]);
const kFolders = ["lessons", "questions", "commands", "drawings", "zh/lessons", "zh/questions"];
const isInFolder = (file: string) => kFolders.some((folder) => file.startsWith(`${study}/${folder}/`));
for (const [file, kb] of studyFiles.filter(([file]) => !isInFolder(file) && file !== kPack))
  console.log(`${kb.toFixed(1).padStart(8)} kB  ${file}`);
for (const folder of kFolders) {
  const of = studyFiles.filter(([file]) => file.startsWith(`${study}/${folder}/`)).map(([, kb]) => kb);
  const [most, sum] = [Math.max(0, ...of), of.reduce((all, kb) => all + kb, 0)].map((kb) => kb.toFixed(1));
  console.log(`${most?.padStart(8)} kB  the largest of ${of.length} ${folder}, ${sum} kB in all`);
}
const pack = zipped(kPack);
if (pack > kPackBudget) over += 1;
console.log(
  `${pack.toFixed(1).padStart(8)} kB of ${kPackBudget}  ${kPack}${pack > kPackBudget ? "  OVER BUDGET" : ""}`,
);
const early = sizes.filter(([file]) => file.startsWith("study/"));
for (const [file] of early) console.log(`${file} belongs to the study tool and is loaded with the first screen`);
over += early.length;
const chart = readdirSync(join(site, "assets")).filter((file) => /^(?:pareto_chart|marks)-.+\.js$/.test(file));
for (const file of [...chart.map((name) => `assets/${name}`), `${digestFolder("engine")}/${kRest}`])
  console.log(`${zipped(file).toFixed(1).padStart(8)} kB  after the first answer: ${file}`);
process.exit(over === 0 ? 0 : 1);
