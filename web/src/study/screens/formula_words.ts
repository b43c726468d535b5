/** A formula in words: its title, and what it is made of with the units. */
import { humanize, inSentence } from "../../messages.ts";
import type { FormulaEntry } from "../formula_sheet.ts";

/** A single letter stays as it is. */
export const nameText = (name: string) => (name.length === 1 ? name : inSentence(humanize(name)));

const withUnit = (text: string, unit: string) => (unit === "1" ? text : `${text} (${unit})`);

/** The usual name of a formula whose function name says too little; in English, like all names of formulas. */
const kTitles: Readonly<Record<string, string>> = {
  "architecture.bisection": "Bisection bandwidth of a fabric",
  "architecture.steady_read_rate": "Read rate that keeps the GPUs fed",
  "architecture.systems_power": "Power of the systems",
  "architecture.tier_oversubscription": "Oversubscription of a tier",
  "cost.break_even_utilization": "Break-even utilisation of owning and renting",
  "cost.effective_spot_price": "Effective price of a spot GPU-hour",
  "cost.electricity_over_hardware": "Electricity as a share of the hardware",
  "cost.million_token_price": "Price per million output tokens",
  "cost.run_cost": "Cost of a run",
  "memory.adapter_parameters": "Parameters of low-rank adapters",
  "memory.quick_kv_cache": "Quick formula for the KV cache",
  "memory.quick_serving_memory": "Quick formula for serving memory",
  "memory.sharded_bytes": "Sharded state on each GPU",
  "model.flops_utilisation": "FLOP utilisation (MFU, HFU)",
  "model.kv_bytes_of_tokens": "KV cache of tokens",
  "model.kv_bytes_per_layer": "KV cache of a token in one layer",
  "model.run_flops": "Training FLOPs of a run",
  "model.run_time": "Training time of a run",
  "perf.all_reduce_time": "All-reduce time",
  "perf.all_reduce_traffic": "All-reduce traffic of each rank",
  "perf.bubble_over_total": "Pipeline bubble over total time",
  "perf.pcie_bandwidth": "PCIe bandwidth of 16 lanes",
  "reliability.young_interval": "Young's checkpoint interval",
  "rule.sixteen_bytes": "Sixteen bytes per parameter",
  "rule.weight_multiple": "A multiple of the weights",
};

/** "Transfer time" for "perf.transfer_time". */
export const formulaName = (id: string) => kTitles[id] ?? humanize(id.slice(id.indexOf(".") + 1));

/** "Transfer time (s)". */
export const titleOf = ({ title, unit }: FormulaEntry) => withUnit(title, unit);

/** "payload (B), bandwidth (B/s)". */
export function inputsText({ inputs }: FormulaEntry): string {
  const units = new Map(inputs.map(({ name, unit }) => [name, unit]));
  return [...units].map(([name, unit]) => withUnit(nameText(name), unit)).join(", ");
}
