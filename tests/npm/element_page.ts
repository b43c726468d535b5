/** A page with the element under a strict policy, and what tests do with it. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "../../web/playwright.ts";
import { emptyFolder, installed } from "./project.ts";
import type { Served } from "./served.ts";

/** A page with the element, whose attributes the test sets. */
export const kPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>A plan</title>
<script type="module" src="podwright/element.js"></script>
<script type="module" src="engine.js"></script>
</head>
<body><main><h1>A plan</h1><podwright-plan></podwright-plan></main></body>
</html>
`;
/** The engine in a worker that the page starts itself. */
const kEngine = `import { loadWorker } from "./podwright/worker.js";
window.askWorker = async (request) => {
  const worker = await loadWorker();
  const answers = await Promise.all([worker.answerText(request), worker.answer({ kind: "catalog", list: "gpus" })]);
  const refused = [await worker.answer(undefined), JSON.parse(await worker.answerText(undefined))];
  worker.stop();
  const after = await worker.answerText(request).catch((error) => error.message);
  return [answers[0], answers[1].items.length, after, refused.map(({ error }) => error.code)];
};
`;

/** Writes the page, and the installed package beside it. */
export function pageFolder(name: string): string {
  const folder = emptyFolder(`${name}-${test.info().workerIndex}`);
  writeFileSync(join(folder, "index.html"), kPage);
  writeFileSync(join(folder, "engine.js"), kEngine);
  cpSync(join(installed, "dist"), join(folder, "podwright"), { recursive: true });
  return folder;
}

/** A page that must stay without a complaint. */
export async function opened(page: Page, { address }: Served): Promise<string[]> {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => complaints.push(message.text()));
  await page.goto(address);
  await page.waitForFunction(() => customElements.get("podwright-plan") !== undefined);
  return complaints;
}

/** Sets attributes and waits until the element has said its answer. */
export async function shown(page: Page, attributes: Record<string, string>): Promise<string> {
  const element = page.locator("podwright-plan");
  await element.evaluate((node, values) => {
    node.removeAttribute("data-answered");
    node.addEventListener("podwright-answer", () => node.setAttribute("data-answered", ""), { once: true });
    for (const [name, value] of Object.entries(values)) node.setAttribute(name, value);
  }, attributes);
  await expect(element).toHaveAttribute("data-answered", "");
  return element.evaluate((node) => (node as HTMLElement).shadowRoot?.textContent ?? "");
}

export const spaced = (text: string) => text.replaceAll("\u00a0", " ");
