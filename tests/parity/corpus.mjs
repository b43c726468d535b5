// Answers the corpus of the fuzz targets with the program and with the engine of the site, and compares the bytes.
//
//   node corpus.mjs PODWRIGHT ENGINE.mjs FOLDER...
//
// A folder holds <target>/<file>. Requests are asked as they are; what readers of other texts are fuzzed with is asked
// as the requests that carry such texts. Each request is one line, so that the program answers all of them in one run.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [program, enginePath, ...folders] = process.argv.slice(2).map((path) => resolve(path));
const { default: createEngine } = await import(pathToFileURL(enginePath).href);
const engine = await createEngine({ wasmBinary: readFileSync(enginePath.replace(/\.mjs$/, ".wasm")) });

const text = (bytes) => bytes.toString("utf8");
const wrapped = (requests) => requests.map((request) => Buffer.from(JSON.stringify(request)));
const model = { kind: "serving", gpu: "h100-sxm5-80gb", gpu_count: 1, engine: "vllm", weight_precision: "bf16",
  input_tokens: 1000, output_tokens: 100, load: { concurrency: 4 } }; // prettier-ignore
const serving = { ...model, model: "llama-3.1-8b" };

/** JSON or nothing. */
function parsed(bytes) {
  try {
    return [JSON.parse(text(bytes))];
  } catch {
    return [];
  }
}

/** By target: the requests that carry a text of it. */
const requestsOf = {
  request: (bytes) => [bytes],
  json: (bytes) => [bytes],
  profile: (bytes) => wrapped(["verify", "calibrate"].map((kind) => ({ kind, profile: text(bytes) }))),
  config: (bytes) => wrapped(parsed(bytes).map((config) => ({ ...model, model: config }))),
  calibration: (bytes) => wrapped(parsed(bytes).map((calibration) => ({ ...serving, calibration }))),
  table: (bytes) =>
    wrapped([
      { kind: "quotes", csv: text(bytes) },
      { kind: "backtest", csv: text(bytes) },
      { kind: "backtest", csv: text(bytes), mine: true },
      { ...serving, kind: "replay", trace: text(bytes) },
    ]),
  import: (bytes) => {
    const files = text(bytes).split(/^--- /m).slice(1).map((part) => {
      const [head, ...lines] = part.split("\n");
      const [name, read_as] = head.split(" as ");
      return { name, text: lines.join("\n"), read_as };
    }); // prettier-ignore
    return wrapped([{ kind: "import", files }]);
  },
};

const asked = [];
for (const folder of folders)
  for (const [target, requests] of Object.entries(requestsOf)) {
    const place = join(folder, target);
    if (!existsSync(place)) continue;
    for (const name of readdirSync(place).sort())
      for (const bytes of requests(readFileSync(join(place, name)))) {
        const line = Buffer.from(bytes.map((byte) => (byte === 10 || byte === 13 ? 32 : byte)));
        if (line.some((byte) => byte !== 32 && byte !== 9)) asked.push({ name: `${target}/${name}`, line });
      }
  }

/** What the program prints of an answer: control characters that JSON leaves alone by their numbers, as terminals obey them. */
const printed = (answer) => answer.replace(/\x7f|\xc2[\x80-\x9f]/g, (all) => `\\u00${all.at(-1).charCodeAt(0).toString(16)}`);
/** Without the number of the line, which only a stream has. */
const withoutLine = (answer) => answer.replace(/^\{"line":\d+,/, "{");

const input = Buffer.concat(asked.flatMap(({ line }) => [line, Buffer.from("\n")]));
const done = spawnSync(program, ["estimate", "--jsonl", "-"], { input, maxBuffer: 1 << 30 });
const native = done.stdout.toString("latin1").split("\n");
const failed = [];
if (native.length !== asked.length + 1) failed.push(`${asked.length} lines asked, ${native.length - 1} answered`);
else
  asked.forEach(({ name, line }, at) => {
    // As bytes: a request need not be UTF-8.
    const answer = Buffer.from(engine.answer(new Uint8Array(line)), "utf8").toString("latin1");
    if (printed(answer) !== withoutLine(native[at])) failed.push(name);
  });
for (const name of failed.slice(0, 20)) console.log(`differs: ${name}`);
console.log(`  ${asked.length - failed.length} passed`);
if (failed.length > 0) console.log(`  ${failed.length} failed`);
process.exit(failed.length > 0 || asked.length === 0 ? 1 : 0);
