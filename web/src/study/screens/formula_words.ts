/** A formula in words: its title, and what it is made of with the units. */
import { humanize, inSentence } from "../../messages.ts";
import type { FormulaEntry } from "../formula_sheet.ts";

/** A single letter stays as it is. */
export const nameText = (name: string) => (name.length === 1 ? name : inSentence(humanize(name)));

const withUnit = (text: string, unit: string) => (unit === "1" ? text : `${text} (${unit})`);

/** What people call a formula whose name in the registry says too little; in English, as all names of formulas. */
const kTitles: Readonly<Record<string, string>> = {
  "architecture.air_flow_m3_per_s": "Air flow for the heat (m³/s)",
  "architecture.air_heat": "Heat left to the air",
  "architecture.bisection": "Bandwidth between two halves of a fabric",
  "architecture.devices_power": "Power of equal devices",
  "architecture.even_leaf_ports_down": "Endpoints on each leaf, shared evenly",
  "architecture.fabric_units": "Scalable units",
  "architecture.feed_apparent_power": "Apparent power of a three-phase feed",
  "architecture.feed_power": "Power of a feed",
  "architecture.feeds_per_rack": "Feeds of a rack, one to spare",
  "architecture.floor_load_kg_per_m2": "Floor load (kg/m²)",
  "architecture.heat_btu_per_h": "Heat in BTU per hour",
  "architecture.injection": "Bandwidth of a node into the fabric",
  "architecture.least_spines": "Fewest spines",
  "architecture.leaves_of_unit": "Leaves of a scalable unit",
  "architecture.liquid_heat": "Heat into the liquid loop",
  "architecture.most_leaf_ports_down": "Most endpoints on one leaf",
  "architecture.node_leaf_links": "Links from nodes to leaves",
  "architecture.leaf_spine_links": "Links from leaves to spines",
  "architecture.nodes_by_height": "Nodes in a rack, by height",
  "architecture.nodes_per_rack": "Nodes in a rack, by power",
  "architecture.rack_weight_kg": "Weight of a rack (kg)",
  "architecture.steady_read_rate": "Read rate that keeps the GPUs fed",
  "architecture.systems_power": "Power of the systems",
  "architecture.tier_oversubscription": "Oversubscription of a tier",
  "architecture.two_tier_limit": "Most endpoints of two tiers",
  "architecture.ups_energy": "Energy from UPS batteries",
  "architecture.ups_modules": "UPS modules, one to spare",
  "architecture.water_flow_l_per_min": "Water flow for the heat (l/min)",
  "cost.break_even_utilization": "Use at which owning and renting cost the same",
  "cost.break_even_time": "Time until a purchase is earned back",
  "cost.effective_spot_price": "Price of an hour of work on spot machines",
  "cost.electricity_over_hardware": "Electricity as a share of the hardware",
  "cost.energy_cost": "Cost of electricity",
  "cost.instance_count": "Cloud instances for the GPUs",
  "cost.instances_for_peak": "Instances of a model for the peak",
  "cost.million_token_price": "Price of a million output tokens",
  "cost.ownership_cost": "Cost of owning",
  "cost.rent_rate": "Cost of renting",
  "cost.run_cost": "Cost of a run",
  "cost.straight_line": "Straight-line depreciation",
  "cost.used_gpu_price": "Price of a GPU-hour in use",
  "cost.working_servers": "Servers that work on average",
  "measure.driver_bandwidth": "Memory bandwidth from bus and clock",
  "measure.matrix_product_bytes": "Bytes moved by a matrix product",
  "measure.matrix_product_work": "Work of a matrix product",
  "measure.operation_energy": "Energy of an operation",
  "memory.adapter_parameters": "Parameters of low-rank adapters",
  "memory.less": "Memory that is left",
  "memory.sharded_bytes": "Sharded state on each GPU",
  "memory.stored_bytes": "Stored size of weights",
  "model.flops_utilisation": "FLOP utilisation (MFU, HFU)",
  "model.kv_bytes_of_tokens": "KV cache of tokens",
  "model.kv_bytes_per_layer": "KV cache of a token in one layer",
  "model.matmul_training_flops": "Training FLOPs for each token",
  "model.parameters_of_layers": "Parameters of equal layers",
  "model.run_flops": "Training FLOPs of a run",
  "model.run_time": "Training time of a run",
  "perf.all_gather_time": "All-gather time",
  "perf.all_reduce_time": "All-reduce time",
  "perf.all_reduce_traffic": "All-reduce traffic of each rank",
  "perf.bubble_over_ideal": "Pipeline bubble over ideal time",
  "perf.bubble_over_total": "Pipeline bubble over total time",
  "perf.forward_work": "Forward pass of one token",
  "perf.gpus_for_time": "GPUs that finish in a time",
  "perf.kv_of_step": "KV cache read in a step",
  "perf.payload_of": "Size of a message",
  "perf.pcie_bandwidth": "PCIe bandwidth of 16 lanes",
  "perf.point_to_point_time": "Time of one message",
  "perf.rate_of_utilisation": "Rate at a share of the peak",
  "perf.scaled_bandwidth": "Bandwidth at a share of the peak",
  "perf.sequences_beside": "Sequences that fit beside the weights",
  "perf.shared_reading_time": "Time to read memory, shared by GPUs",
  "perf.steps_per_second": "Tokens per second of one user",
  "reliability.lost_share": "Share of time lost to failures",
  "reliability.machines_in_repair": "Machines under repair",
  "reliability.young_interval": "Checkpoint interval after Young",
  "rule.sixteen_bytes": "Sixteen bytes for each parameter",
  "rule.weight_multiple": "A multiple of the weights",
  "memory.quick_kv_cache": "Quick formula for the KV cache",
  "memory.quick_serving_memory": "Quick formula for serving memory",
  "study.batch_at_ridge": "Batch at the ridge point",
  "study.both_directions": "Both directions of a link",
  "study.bytes_of_line_rate": "Line rate in bytes",
  "study.dense_of_sparse": "Dense rate from a sparse one",
  "study.gpus_for_memory": "GPUs whose memories hold it",
  "study.gpus_for_slices": "GPUs for slices of GPUs",
  "study.one_direction": "One direction of a link",
  "study.peak_of_gpus": "Peak of several GPUs",
  "study.pods_on_node": "Pods that fit a node",
  "study.tensor_peak": "Peak of the tensor cores",
  "study.weighted_share": "Share by weight",
};

/** "Transfer time" for "perf.transfer_time". */
export const formulaName = (id: string) => kTitles[id] ?? humanize(id.slice(id.indexOf(".") + 1));

/** "Transfer time (s)" for "perf.transfer_time". */
export const titleOf = ({ id, unit }: FormulaEntry) => withUnit(formulaName(id), unit);

/** "payload (B), bandwidth (B/s)". */
export function inputsText({ inputs }: FormulaEntry): string {
  const units = new Map(inputs.map(({ name, unit }) => [name, unit]));
  return [...units].map(([name, unit]) => withUnit(nameText(name), unit)).join(", ");
}
