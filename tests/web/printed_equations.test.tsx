/** Every equation that the page can print of the golden answers and of the examples comes out as it is printed. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { PlanAnswer } from "../../web/src/contract.ts";
import { equationsOf } from "./equations_of.tsx";
import { slackOf, wrongWith } from "./printed_equations.ts";

type Answered = readonly [name: string, answer: PlanAnswer];
const root = fileURLToPath(new URL("../../", import.meta.url));
const filesIn = (folder: string) => readdirSync(join(root, folder)).filter((file) => file.endsWith(".json"));
const parsed = (path: string) => JSON.parse(readFileSync(path, "utf8"));

const golden: Answered[] = filesIn("tests/golden/answers")
  .map((file): Answered => [file, parsed(join(root, "tests/golden/answers", file))])
  .filter(([, { trace }]) => trace !== undefined);

/** Requests of which no golden answer has its trace: those of the command line's examples, and what things cost. */
const cli = process.env.PODWRIGHT_CLI ?? join(root, "build/native/podwright");
const kVerbs: Record<string, string> = { serving: "estimate", training: "estimate", fabric: "architecture" };

function explained(): Answered[] {
  if (!existsSync(cli)) return [];
  const asked = [
    ...filesIn("examples").map((file) => join(root, "examples", file)),
    ...filesIn("tests/golden/requests")
      .filter((file) => /cost|claim/.test(file))
      .map((file) => join(root, "tests/golden/requests", file)),
  ];
  const folder = mkdtempSync(join(tmpdir(), "podwright-equations-"));
  return asked.flatMap((path): Answered[] => {
    const request = parsed(path);
    if (request.kind === undefined) return [];
    const explain = true;
    const asking =
      request.kind === "plan" ? { ...request, options: { ...request.options, explain } } : { ...request, explain };
    const file = join(folder, basename(path));
    writeFileSync(file, JSON.stringify(asking));
    // An infeasible one is an answer too.
    const { stdout } = spawnSync(cli, [kVerbs[request.kind] ?? request.kind, file, "--json"], {
      encoding: "utf8",
      maxBuffer: 64 << 20,
    });
    const answer = stdout.startsWith("{") ? JSON.parse(stdout) : {};
    return answer.trace === undefined ? [] : [[`${basename(path)}, explained`, answer]];
  });
}

const answers = [...golden, ...explained()];

describe("printed equations", () => {
  it("are many", () => {
    expect(golden.length).toBeGreaterThanOrEqual(40);
    if (existsSync(cli)) expect(answers.length).toBeGreaterThanOrEqual(80);
  });

  it.each(answers)("of %s come out as printed", (_, answer) => {
    for (const memory of ["GB", "GiB"] as const) {
      const all = [...equationsOf(answer, memory)];
      expect(all.map(wrongWith).filter((wrong) => wrong !== "")).toEqual([]);
      // Rounding hides little: the numbers have enough digits to compute with.
      const loose = all.filter((text) => slackOf(text) > 0.01);
      expect(loose.length).toBeLessThanOrEqual(all.length / 50);
    }
  });
});

describe("wrongWith", () => {
  it.each([
    "$1.81 per million = (($99.84 per hour)÷(15,360 /s)) × 1,000,000",
    "$874,596 per year = $160.77 per hour × 0.62101",
    "31.3 ms = 150 GB ÷ 4.8000 TB/s × 2",
    "57.5 % = 0.67513 = 4.3000 ÷ 7.4765",
    "5 = ⌈4 ÷ 3⌉",
    "2 = a ÷ 3",
  ])("finds the fault of %s", (text) => expect(wrongWith(text)).not.toBe(""));

  it.each([
    "$1.81 = $1.8056 = (($0.027733 per s)÷(15,360 /s)) × 1,000,000",
    "$874,596 per year = $1,408,345 per year × 0.62101",
    "57.5 % = 0.57513 = 4.3000 ÷ 7.4765",
    "2 = ⌈4 ÷ 3⌉",
    "3.5000 days = (2^(3) − 1) ÷ 2.0000 × 1 days",
    "4 GB = max(1 GB, 4 GB) + (−2 GB) + 2 GB",
    "12 W = 43.200 kJ ÷ 1 h",
  ])("agrees with %s", (text) => {
    if (text.startsWith("12 W")) expect(wrongWith(text)).toMatch(/bare numbers/);
    else expect(wrongWith(text)).toBe("");
  });
});
