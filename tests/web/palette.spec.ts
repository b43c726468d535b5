/** The palette finds every input, value, screen and term by what people call it. */
import { expect } from "../../web/playwright.ts";
import { headline, test } from "./quiet_page.ts";

/** What people type, and the title that must be among what is found. */
const kFound: Record<string, string> = {
  // Money
  budget: "Purchase budget",
  capex: "Purchase budget",
  euro: "Purchase budget",
  opex: "Yearly budget",
  price: "Prices of rented GPUs",
  "price list": "Prices of rented GPUs",
  "spot price": "Prices of rented GPUs",
  rent: "Money",
  lease: "Money",
  buy: "Money",
  TCO: "Money",
  "break-even": "Money",
  electricity: "Electricity",
  tariff: "Electricity",
  discount: "Discount rate",
  interest: "Discount rate",
  WACC: "Discount rate",
  depreciation: "Years of use",
  "resale value": "Resale value",
  staff: "Staff",
  colocation: "Colocation",
  egress: "Egress",
  licence: "License",
  AWS: "Prices of rented GPUs",
  // Place
  Germany: "Country or region: Germany",
  France: "Country or region: France",
  Japan: "Country or region: Japan",
  "United Kingdom": "Country or region: United Kingdom",
  region: "Country",
  country: "Country",
  GDPR: "Data",
  "data residency": "Data",
  "air-gapped": "Data",
  // Load and speed
  users: "Peak requests/s",
  concurrent: "Peak requests/s",
  load: "Peak requests/s",
  QPS: "Peak requests/s",
  throughput: "Speed",
  latency: "Speed",
  SLA: "First token within",
  TTFT: "First token within",
  "first token": "First token within",
  TPOT: "Each token within",
  ITL: "Each token within",
  prompt: "Input tokens",
  context: "Input tokens",
  completion: "Output tokens",
  bursts: "Dispersion",
  "system prompt": "System prompt",
  session: "Turns",
  "think time": "Think time",
  "prefix cache": "found in the cache",
  "speculative decoding": "Draft",
  "fine-tuning": "Fine-tune a model",
  adapter: "Fine-tune a model",
  FP8: "Weight",
  quantization: "Weight",
  engine: "Engine",
  vLLM: "Engine",
  SGLang: "Engine",
  // Training
  deadline: "Train a model",
  "due date": "Train a model",
  dataset: "Train a model",
  "batch size": "Train a model",
  checkpoint: "Train a model",
  "sequence length": "Train a model",
  LoRA: "Fine-tune a model",
  // Machines and site
  GPU: "List of GPUs",
  H200: "Only this GPU: H200",
  B200: "Only this GPU: B200",
  accelerators: "GPUs",
  Llama: "Model: Llama",
  Qwen3: "Model: Qwen3",
  DeepSeek: "Model: DeepSeek",
  PUE: "PUE",
  megawatts: "power",
  "rack power": "Rack",
  "liquid cooling": "Liquid cooling",
  InfiniBand: "Fabric",
  DGX: "who builds",
  redundancy: "Spare",
  "second site": "Sites",
  growth: "Growth",
  confidence: "Probability of meeting the targets",
  // Screens
  answer: "Answer",
  racks: "Build",
  drawing: "Build",
  "bill of materials": "Build",
  cabling: "Build",
  Kubernetes: "Run it",
  script: "Run it",
  deploy: "Run it",
  Docker: "Run it",
  uncertainty: "Risk",
  assumptions: "Risk",
  carbon: "Risk",
  "Monte Carlo": "Risk",
  PDF: "Report",
  Markdown: "Report",
  print: "Report",
  "side by side": "Compare",
  "nvidia-smi": "Machines",
  DCGM: "Machines",
  ECC: "Machines",
  temperature: "Machines",
  "my server": "Machines",
  verify: "Claims",
  "rule of thumb": "Rules of thumb",
  "6ND": "Rules of thumb",
  MIG: "GPU slices",
  "leaf spine": "Fabric",
  roofline: "Speed",
  "KV cache": "Speed",
  // Library and study
  "data sheet": "Data",
  sources: "List of sources",
  references: "List of sources",
  exam: "Practice exam",
  quiz: "NCA-AIIO",
  certification: "NCA-AIIO",
  lessons: "Lessons",
  glossary: "Glossary",
  definitions: "Glossary",
  "formula sheet": "Formula sheet",
  help: "About",
  privacy: "About",
  shortcuts: "About",
  // Commands
  example: "Back to the example",
  dark: "Dark",
  简体: "简体中文",
  link: "Copy link",
};

test("what people type finds what they mean", async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto("./");
  await expect(page.locator(".pareto svg.chart")).toBeVisible();
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: /command/i });
  await box.fill("germany");
  await expect(page.getByRole("dialog").getByRole("option").first()).toBeVisible();
  const missed: string[] = [];
  for (const [typed, title] of Object.entries(kFound)) {
    await box.fill(typed);
    const all = await page.getByRole("dialog").getByRole("option").allInnerTexts();
    if (!all.some((text) => text.toLowerCase().includes(title.toLowerCase()))) missed.push(`${typed}: ${title}`);
  }
  expect(Object.keys(kFound).length).toBeGreaterThanOrEqual(120);
  expect(missed).toEqual([]);
});

test("an input that is chosen is opened, a value is set", async ({ page }) => {
  await page.goto("./#/speed");
  await expect(headline(page)).toContainText("requests per second");
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: /command/i });
  await box.fill("PUE");
  await page.getByRole("dialog").getByRole("option").filter({ hasText: "PUE" }).first().click();
  await expect(page.locator("#in-economics-pue")).toBeFocused();
  await page.keyboard.press("Control+k");
  await box.fill("only this gpu: H200");
  await page.getByRole("dialog").getByRole("option").filter({ hasText: "H200" }).first().click();
  await expect(headline(page)).toContainText("H200");
});
