/** Every English sentence and label of the page. `{name}` marks what is filled in. */
export const messages = {
  product: "Podwright",
  tagline: "GPU plans for language models, with every number explained",
  pageTitle: "Podwright: plan GPUs for a language model",
  skipToInputs: "Skip to the inputs",
  copyLink: "Copy link",
  copyRequest: "Copy request",
  copied: "Copied",
  copyFailed: "Copying was refused by the browser. The address bar holds the link.",

  headline: "{gpu_count} × {gpu} in {nodes} {node_word} serve {rate} requests per second of {model}",
  headlineNoNodes: "{gpu_count} × {gpu} serve {rate} requests per second of {model}",
  node: "node",
  nodes: "nodes",
  noPlanHeadline: "No plan meets these targets",
  limitedBy: "Limit: {limit}",
  rank: "Plan {rank} of {count}",
  bestPlan: "Best of {count} plans",
  presetBadge: "Example: chat service",
  updating: "Working…",
  staleAnswer: "The input has a fault. The numbers below belong to the last valid input.",

  firstToken: "Time to first token",
  nextToken: "Time per output token",
  costPerToken: "Per million output tokens, rented",
  mean: "mean",
  percentile: "95th percentile",
  target: "p95 target {value}",
  was: "was {value}",
  noPrice: "no dated price",
  rentedAt: "{provider} {instance}, {region}",
  priceDate: "price of {date}",

  memoryTitle: "Memory on each GPU: {total} of {capacity} in use",
  memoryDescription: "Stacked bar of the memory of one GPU: {parts}; capacity {capacity}.",
  memoryOver: "over capacity",
  memoryCapacity: "capacity",
  memoryFree: "free",
  memoryParts: "The parts in numbers",
  part: "Part",
  memoryUnit: "Memory unit",

  inputsTitle: "Your workload",
  inputsNote: "Every change is planned again in this browser. Nothing is sent anywhere.",
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
  anyGpu: "None is ticked, so the engine looks at its own list.",
  otherGroup: "Other",
  otherGpus: "Other GPUs",
  otherGpusChosen: "Other GPUs ({count} chosen)",
  reset: "Back to the example",

  plansTitle: "The plans side by side",
  plansNote:
    "Best first. Rent is on demand at list price, owning counts servers and electricity only, latencies are means. Press a number to see where it comes from.",
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
    "Time per output token against what must stand for it. Each mark is a layout that carries the peak rate and that no other layout of the same GPU beats. Left is faster, down is less.",
  paretoDescription:
    "Chart of {count} layouts of {gpus}: time per output token from {from} to {to} against what they need. The table below holds the same numbers.",
  paretoTarget: "your limit, {value}",
  paretoChosen: "plan shown",
  paretoTable: "The marks in numbers",
  paretoPoint: "{gpus} × {gpu}: {tpot} per token{rent}",
  paretoRent: ", {rent} per hour",
  paretoMeasure: "Upright axis",
  paretoByRent: "$ per hour",
  paretoByGpus: "GPUs",

  rentOrOwnTitle: "Rent or own",
  rentedYear: "Rented on demand, all year",
  ownedYear: "Owned: servers and electricity",
  purchase: "The servers cost about {typical} to buy; quoted prices run from {low} to {high}.",
  absentCosts: "What these sums leave out",

  rejectedTitle: "GPUs without a plan ({count})",
  waysOut: "Ways out",
  wayOut: "Apply: {change}",
  wayOutSet: "{name} {value}",
  wayOutRemove: "no {name}",

  whyTitle: "Why this plan",
  risksTitle: "What could go wrong",
  flipsTitle: "What would change the decision",
  layoutTitle: "Layout",
  speedTitle: "Latency and throughput",
  groups: {
    latency: "Latency, mean over requests",
    throughput: "Throughput",
    kv_cache: "KV cache",
    step: "One training step",
    run: "The run",
  },
  costTitle: "Cost in numbers",
  ways: { cloud: "Rented", on_premises: "Owned", hybrid: "Mixed", break_even: "Break-even" },
  architectureTitle: "How to build it: architecture, racks, power",
  racksTitle: "Racks",
  powerTitle: "Power",
  rulesFired: "Rules that decided",
  assumptionsTitle: "Assumptions ({count})",
  assumptionsNote: "Values that the request left open, and where each comes from.",
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
    catalog: "A fact of the catalog",
    constant: "A definition",
    method: "The result of a search",
    formula: "Computed",
  },

  badLink: "This link could not be read, so the example is shown.",
  otherVersion: "This link was made with {made}. The numbers here are from {now}.",
  engineStarting: "The engine is starting. The numbers shown are those of the example.",
  engineFailed: "The engine has stopped. The last numbers stay, your inputs are kept.",
  engineRestart: "Start the engine again",
  engineUnreadable: "The engine gave an answer that this page cannot read.",
  dismiss: "Dismiss",
  otherErrors: "The request has a fault",
  hint: "Hint: {hint}",
  noScript: "These are the numbers of the example. To plan your own workload, allow JavaScript for this page.",

  version: "Podwright {version}",
  catalogDigest: "catalog {digest}",
  commandLine: "The same plan in a terminal: podwright plan request.json",
} as const;

/** Labels of answer fields whose name alone would not be a good one. */
const kLabels: Record<string, string> = {
  total_gib: "Memory in use",
  capacity_gib: "Memory of the GPU",
  ttft_s: "Time to first token",
  ttft_basis: "How to read the time to first token",
  tpot_s: "Time per output token",
  request_s: "Whole request",
  requests_per_s: "Requests",
  output_tokens_per_s: "Output tokens",
  total_tokens_per_s: "All tokens",
  output_tokens_per_s_per_gpu: "Output tokens per GPU",
  admitted_concurrency: "Requests served at once",
  bytes_per_token: "KV cache of one token",
  capacity_tokens: "Tokens that fit",
  max_sequences: "Sequences that fit",
  kv_cache: "KV cache",
  usd_per_gpu_hour: "One GPU for an hour",
  usd_per_gpu_hour_median: "One GPU for an hour, median offer",
  usd_per_hour: "All GPUs for an hour",
  usd_per_year: "All GPUs for a year",
  usd_per_million_output_tokens: "One million output tokens",
  servers_usd: "Servers, typical",
  servers_usd_low: "Servers, low",
  servers_usd_high: "Servers, high",
  annual_capital_usd: "Servers, per year of use",
  energy_usd_per_year: "Electricity",
  servers_and_energy_usd_per_year: "Servers and electricity",
  servers_and_energy_usd_per_gpu_hour: "Servers and electricity, one GPU for an hour",
  utilization: "Use above which owning costs less",
  it_power_kw: "Servers at full load",
  facility_power_max_kw: "The site at full load, cooling included",
  facility_power_mean_kw: "The site on average, cooling included",
  energy_per_year_kwh: "Electricity in a year",
  title: "Design",
  system_name: "Server",
  horizon_nodes: "Nodes at the end of the horizon",
  ttft_s_p95_max: "First token within",
  tpot_s_p95_max: "Each token within",
  deadline_days: "Deadline",
  peak_requests_per_s: "Peak rate",
  mean_requests_per_s: "Mean rate",
  pue: "Power usage effectiveness (PUE)",
  load: "Mean load of the servers",
  residual_fraction: "Resale value, share of the price",
  services: "Services",
  caution: "Caution",
  memory_driver_gib: "Memory as the driver reports it",
  memory_driver: "Memory as the driver reports it",
  power_kw_max: "Power at full load",
  on_demand_usd_per_hour: "On-demand price",
  electricity_price_kwh: "Electricity price",
  discount_rate: "Discount rate",
  horizon_years: "Years of use",
  as_of: "Price of",
  gpus: "GPUs",
  gpu: "GPU",
  gpu_count: "GPUs",
  kv_precision: "KV cache precision",
  weight_precision: "Weight precision",
  tensor: "Tensor parallel",
  pipeline: "Pipeline parallel",
  data: "Replicas",
  expert: "Expert parallel",
  attention_data: "Attention data parallel",
};

const kUnitSuffix =
  /_(?:usd|gib|gb|tb|bytes|s|kw|kwh|w|tflops|usd_per_hour|usd_per_year|gb_per_s|tb_per_s|hours|days|months|years)$/;

/** A label for a field of an answer or a name of an equation. */
export function labelOf(key: string): string {
  const known = kLabels[key];
  if (known !== undefined) return known;
  const bound = /_(low|high|p\d+)$/.exec(key);
  if (bound !== null) return `${labelOf(key.slice(0, bound.index))}, ${(bound[1] ?? "").replace(/^p/, "p")}`;
  return humanize(key.replace(kUnitSuffix, ""));
}

/** `kv_cache_bytes` as `Kv cache bytes`, with the usual abbreviations in capitals. */
export function humanize(key: string): string {
  const text = key
    .replaceAll("_", " ")
    .replaceAll("-", " ")
    .replace(
      /\b(gpu|kv|usd|pue|tco|ttft|tpot|mfu|hfu|flops|nvlink|it|id)(s?)\b/g,
      (_, word: string, s: string) => word.toUpperCase() + s,
    );
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A label inside a sentence: `Kv heads` small, `KV cache` as it is. */
export function inSentence(label: string): string {
  return /^[A-Z][^A-Z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** Fills `{name}` places with text. */
export function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
