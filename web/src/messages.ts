/**
 * Every sentence and label of the first screen, in English. `{name}` marks what is filled in. Another language replaces the values
 * in place (language.ts), so views read them while drawing and do not keep copies.
 */
import table from "./labels.json" with { type: "json" };
import { translated } from "./translation.ts";

export const messages = {
  product: "Podwright",
  tagline: "GPU plans for language models, with every number explained",
  pageTitle: "Podwright: plan GPUs for a language model",
  skipToInputs: "Skip to the inputs",
  skipToContent: "Skip to the content",
  copyLink: "Copy link",
  copyRequest: "Copy request",
  chartFiles: "Save this chart as",
  chartFailed: "The browser could not make this file.",
  copied: "Copied",
  copyFailed: "The browser refused to copy. The link is in the address bar.",

  headline: "{gpu_count} × {gpu} in {nodes} {node_word} serve {rate} requests per second of {model}",
  headlineNoNodes: "{gpu_count} × {gpu} serve {rate} requests per second of {model}",
  node: "node",
  nodes: "nodes",
  noPlanHeadline: "No plan meets these targets",
  limitedBy: "Bottleneck: {limit}",
  rank: "Plan {rank} of {count}",
  bestPlan: "Best of {count} plans",
  presetBadge: "Example: chat service",
  measuredBadge: "Uses measured rates",
  updating: "Working…",
  staleAnswer: "There is an error in the input. The numbers below are for the last valid input.",

  firstToken: "Time to first token",
  nextToken: "Time per output token",
  costPerToken: "Per million output tokens, rented",
  mean: "mean",
  percentile: "95th percentile",
  target: "target {value}",
  p95Target: "p95 target {value}",
  was: "was {value}",
  noPrice: "no dated price",
  rentedAt: "{provider} {instance}, {region}",
  priceDate: "price of {date}",

  memoryTitle: "Memory on each GPU: {total} of {capacity} in use",
  memoryDescription: "Stacked bar of the memory of one GPU: {parts}; capacity {capacity}.",
  memoryParts: "Memory breakdown",
  part: "Part",
  memoryUnit: "Memory unit",

  inputsTitle: "Your workload",
  inputsNote: "Plans update in this browser after every change. Nothing is sent anywhere.",
  model: "Model",
  rate: "Peak requests/s",
  rateSlider: "Peak requests per second, slider",
  meanRate: "Mean requests/s",
  inputTokens: "Input tokens",
  outputTokens: "Output tokens",
  ttftTarget: "First token within",
  tpotTarget: "Each token within",
  secondsP95: "s, 95th percentile",
  millisecondsP95: "ms, 95th percentile",
  perRequest: "per request",
  gpus: "GPUs to compare",
  anyGpu: "No GPU is ticked, so the engine uses its default list.",
  otherGroup: "Other",
  otherGpus: "Other GPUs",
  otherGpusChosen: "Other GPUs ({count} chosen)",
  allInputs: "All inputs and examples",
  reset: "Back to the example",

  plansTitle: "Plans side by side",
  plansNote:
    "Best first. Rent is at on-demand list prices for all GPUs; latencies are means. Select a number to see where it comes from.",
  planSummary: "{gpu_count} × {gpu}",
  planInShort: "{gpu_count} × {gpu}, {layout}",
  planShow: "Show",
  planShowWhich: "Show {plan}",
  planShown: "shown",
  columnPlan: "Plan",
  columnRent: "Rent per hour",
  columnTokens: "Per million tokens out",
  columnOwn: "Own, per year",
  columnFirstToken: "First token",
  columnNextToken: "Each token",
  columnRunTime: "Run",
  columnShow: "Show",
  columnGpu: "GPU",
  columnGpus: "GPUs",
  chosenLayout: "Chosen by the search among the layouts that meet every limit.",
  parallelSizes: {
    tensor: "tensor",
    pipeline: "pipeline",
    virtual_pipeline: "virtual pipeline",
    context: "context",
    expert: "expert",
    expert_tensor: "expert tensor",
    attention_data: "attention data",
    data: "replicas",
  },

  paretoTitle: "What a faster answer costs",
  paretoNote:
    "Time per output token against what it takes. Each point is a layout that carries the peak rate and that no other layout on the same GPU beats. Left is faster, down is less.",
  paretoDescription:
    "Chart of {count} layouts of {gpus}: time per output token from {from} to {to} against what they take. The table below has the same numbers.",
  paretoTarget: "your limit, {value}",
  paretoChosen: "plan shown",
  paretoTable: "The points as a table",
  paretoPoint: "{gpus} × {gpu}: {tpot} per token{rent}",
  paretoRent: ", {rent} per hour",
  paretoMeasure: "Vertical axis",
  paretoByRent: "$ per hour",
  paretoByGpus: "GPUs",

  rentOrOwnTitle: "Rent or own",
  rentedYear: "Rented, scaled to demand",
  committedYear: "Rented with a commitment",
  ownedYear: "Owned, with site and staff",
  hybridYear: "Base owned, peaks rented",
  purchase: "The servers cost about {typical} to buy; quoted prices range from {low} to {high}.",
  absentCosts: "What these totals leave out",

  rejectedTitle: "GPUs without a plan ({count})",
  waysOut: "What would help",
  wayOut: "Apply: {change}",
  wayOutSet: "{name} → {value}",
  wayOutRemove: "remove {name}",

  whyTitle: "Why this plan",
  risksTitle: "What could go wrong",
  flipsTitle: "What would change the decision",
  layoutTitle: "Layout",
  speedTitle: "Latency and throughput",
  costTitle: "Cost in numbers",
  paidByYear: "Total paid by the end of each year",
  changeInputs: "Change the inputs",
  riskTitle: "How certain the cost is",
  architectureTitle: "How to build it: architecture, racks, power",
  racksTitle: "Racks",
  powerTitle: "Power",
  rulesFired: "Rules that applied",
  assumptionsTitle: "Assumptions ({count})",
  assumptionsNote: "Values that the request does not set, and where each comes from.",
  assumptionName: "Assumption",
  assumptionValue: "Value",
  assumptionSource: "Source",
  notModelledTitle: "Not modelled yet ({count})",
  notModelledNote: "These are absent from the numbers above, not zero.",
  yes: "yes",
  no: "no",

  explainTitle: "Where this number comes from",
  explainClose: "Close",
  explainBack: "Back",
  explainEquation: "Equation",
  explainValues: "With its values",
  explainInputs: "Inputs",
  explainSource: "Source",
  explainPending: "The explanation appears as soon as the engine has started.",
  explainMissing: "The engine sent no explanation for this number.",
  explainGone: "This number is not part of the current answer.",
  exactValue: "Exact value",
  origins: {
    input: "Your input",
    assumed: "An assumption",
    chosen: "Chosen by the search",
    catalog: "A fact from the catalog",
    constant: "A definition",
    method: "The result of a search",
    formula: "Computed",
  },

  badLink: "This link could not be read, so the example is shown.",
  otherVersion: "This link was made with {made}. The numbers here are from {now}.",
  engineFailed: "The engine has stopped. The last numbers and your inputs are kept.",
  engineRestart: "Restart the engine",
  engineUnreadable: "This page cannot read the engine's answer.",
  dismiss: "Dismiss",
  otherErrors: "There is an error in the request",
  hint: "Hint: {hint}",
  noScript: "These numbers are for the example. To plan your own workload, allow JavaScript for this page.",

  version: "Podwright {version}",
  catalogDigest: "catalog {digest}",
  commandLine: "The same in a terminal: podwright {command}",

  screensTitle: "Screens",
  screenGroups: {
    plan: "Plan",
    estimate: "Estimate",
    search: "Search",
    build: "Build",
    check: "Check",
    study: "Study",
    about: "Reference",
  },
  screens: {
    plan: "Plan",
    compare: "Compare",
    report: "Report",
    serving: "Serving",
    training: "Training",
    deployments: "Deployments",
    layouts: "Layouts",
    architecture: "Architecture",
    fabric: "Fabric",
    mig: "GPU slices",
    cost: "Cost",
    claims: "Claims",
    statements: "Statements",
    rules: "Rules of thumb",
    host: "Host",
    study: "NCA-AIIO",
    data: "Data",
    about: "About",
  },
  allScreens: "More",
  commands: "Commands",
  commandsKeys: "Commands (Ctrl K)",
  undo: "Undo",
  redo: "Redo",
  loadingScreen: "Opening…",
  screenFailed: "This screen could not be loaded.",
  tryAgain: "Try again",
  newVersion: "A new version of the site is ready.",
  reload: "Reload",

  /** Words of units; signs of units are the same in every language. */
  units: {
    days: "days",
    million: "million",
    billion: "billion",
    per: "per {unit}",
  } as Record<string, string>,
};
export type Messages = typeof messages;

/** Labels of answer fields: what the tables of the engine say, and of kinds without a table, requests and charts. */
export const labels: Record<string, string> = {
  ...table.labels,
  ttft_basis: "How to read the time to first token",
  ttft_s_p95_max: "First token within",
  tpot_s_p95_max: "Each token within",
  peak_requests_per_s: "Peak rate",
  mean_requests_per_s: "Mean rate",
  pue: "Power usage effectiveness (PUE)",
  residual_fraction: "Resale value, share of the price",
  memory_driver_gib: "Memory as the driver reports it",
  memory_driver: "Memory as the driver reports it",
  power_kw_max: "Power at full load",
  on_demand_usd_per_hour: "On-demand price",
  horizon_years: "Years of use",
  sm_count: "Streaming multiprocessors",
  boost_clock_mhz: "Boost clock, MHz",
  l2_mb: "L2 cache, MB",
  shared_memory_kb_per_sm: "Shared memory per multiprocessor, kB",
  gb_per_s_bidirectional: "both ways, GB/s",
  gb_per_s_one_way: "one way, GB/s",
  mig_max_instances: "Maximum MIG slices",
  ecc: "Error correction (ECC)",
};

/** The unit that a key ends in: `_s` of `ttft_s`. */
const kUnitSuffix = new RegExp(`(?:${Object.keys(table.units).join("|")}|_months)$`);

/** A label for a field of an answer or a name of an equation. */
export function labelOf(key: string): string {
  const known = labels[key];
  if (known !== undefined) return translated(known);
  const bound = /_(low|high|p\d+)$/.exec(key);
  if (bound !== null) return `${labelOf(key.slice(0, bound.index))}, ${bound[1]}`;
  return ownWords(key);
}

/** A key without its unit. */
export function ownWords(key: string): string {
  return humanize(key.replace(kUnitSuffix, ""));
}

/** `kv_cache_bytes` as `Kv cache bytes`, with the usual abbreviations in capitals. */
export function humanize(key: string): string {
  const text = key
    .replaceAll("_", " ")
    .replaceAll("-", " ")
    .replace(
      /\b(gpu|kv|usd|pue|tco|ttft|tpot|mfu|hfu|flops|nvlink|it|id|cuda|pcie|pdu|ecc|mig|cpu|[bt]?fp?\d+|int\d+)(s?)\b/g,
      (_, word: string, s: string) => (word === "pcie" ? "PCIe" : word.toUpperCase()) + s,
    );
  return translated(text.charAt(0).toUpperCase() + text.slice(1));
}

/** A label inside a sentence: `Kv heads` small, `KV cache` as it is. */
export function inSentence(label: string): string {
  return /^[A-Z][^A-Z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** Fills `{name}` places with text. */
export function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
