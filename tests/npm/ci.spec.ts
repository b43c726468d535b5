/** The workflows in examples/ci: right by GitHub's own schema, and their steps do what they say. */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, violationsOf } from "../../web/playwright.ts";
import { archive, chat, emptyFolder, examples, root, runIn } from "./project.ts";
import { served } from "./served.ts";

interface Step {
  uses?: string;
  run?: string;
  name?: string;
}

/** Parsed by GitHub's own parser, which is a module of its own. */
async function workflow(file: string): Promise<{ errors: string[]; steps: Step[] }> {
  const script = `
    import { readFileSync } from "node:fs";
    import { registerHooks } from "node:module";
    // The parser imports its schema as browsers' bundlers let it.
    const asJson = (url, context) => (url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context);
    registerHooks({ load: (url, context, next) => next(url, asJson(url, context)) });
    const { NoOperationTraceWriter, convertWorkflowTemplate, parseWorkflow } = await import("@actions/workflow-parser");
    const content = readFileSync(${JSON.stringify(join(examples, "ci", file))}, "utf8");
    const { context, value } = parseWorkflow({ name: "${file}", content }, new NoOperationTraceWriter());
    const { jobs } = await convertWorkflowTemplate(context, value);
    const text = (token) => token === undefined ? undefined : String(token.value ?? token);
    const steps = jobs.flatMap((job) => job.steps).map(({ run, uses, name }) => ({ run: text(run), uses: text(uses), name: text(name) }));
    console.log(JSON.stringify({ errors: context.errors.getErrors().map(({ message }) => message), steps }));
  `;
  const { stdout, stderr } = await runIn("node", ["--input-type=module", "--eval", script], join(root, "wasm/npm"));
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

/** A repository as the workflows expect it. */
function repository(name: string, ...files: [string, string][]): string {
  const folder = emptyFolder(name);
  emptyFolder(`${name}/capacity`);
  const { path } = archive();
  const packed = path.split("/").at(-1) ?? "";
  for (const [from, to] of [...files, [path, packed] as const]) copyFileSync(from, join(folder, "capacity", to));
  return folder;
}

/** Runs the steps that have commands, as GitHub does. */
async function runSteps(folder: string, steps: readonly Step[]): Promise<{ status: number; summary: string }> {
  const summary = join(folder, "summary.md");
  writeFileSync(summary, "");
  const env = { ...process.env, GITHUB_STEP_SUMMARY: summary, npm_config_offline: "true", FORCE_COLOR: "0" };
  for (const { run } of steps) {
    if (run === undefined) continue;
    const { status } = await runIn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], folder, env);
    if (status !== 0) return { status, summary: readFileSync(summary, "utf8") };
  }
  return { status: 0, summary: readFileSync(summary, "utf8") };
}

test("each plan is planned anew, and one that no longer holds fails", async () => {
  const { errors, steps } = await workflow("plan.yml");
  expect(errors).toEqual([]);
  const plan: [string, string] = [join(examples, "node/plan.mjs"), "plan.mjs"];
  const good = await runSteps(repository("ci-good", plan, [chat, "chat.json"]), steps);
  expect(good).toEqual({ status: 0, summary: expect.stringMatching(/serve 50 requests\/s of Llama-3\.1-70B/) });
  const budget = join(root, "tests/golden/requests/infeasible_plan_budget.json");
  const bad = repository("ci-bad", plan, [chat, "a.json"], [budget, "b.json"]);
  expect((await runSteps(bad, steps)).status).toBe(1);
  expect(readdirSync(join(bad, "answers"))).toEqual(["a.json", "b.json"]);
});

test("the page shows its plan under its own policy", async ({ page }) => {
  const { errors, steps } = await workflow("pages.yml");
  expect(errors).toEqual([]);
  expect(steps.map(({ uses }) => uses?.split("@")[0])).toContain("actions/deploy-pages");
  const folder = repository("ci-page", [join(examples, "ci/index.html"), "index.html"]);
  expect((await runSteps(folder, steps)).status).toBe(0);
  const site = await served(join(folder, "_site"));
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  await page.goto(site.address);
  await expect(page.locator("podwright-plan")).toContainText("Cost per year");
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  site.close();
});
