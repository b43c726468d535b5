#include "study/independent.h"

#include <algorithm>
#include <cmath>

namespace podwright::study_tests {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

double weights(const Given& g, const std::string& step = "weights") {
  const double all = g(step + ".total_parameters");
  return (std::isnan(all) ? g(step + ".active_parameters") : all) * (g(step + ".bits_per_weight") / 8);
}
double kv_sequence(const Given& g) {
  return 2 * g("kv_per_sequence.layers") * g("kv_per_sequence.tokens") * g("kv_bytes_per_layer.kv_heads") *
         g("kv_bytes_per_layer.head_dim") * g("kv_bytes_per_layer.bytes_per_value");
}
double ring_factor(double ranks) { return (ranks - 1) / ranks; }

using Answers = std::map<std::string, Independent>;

void add_memory(Answers& all) {
  all["t.weights-memory"] = [](const Given& g) { return weights(g) / 1e9; };
  all["t.weights-gib"] = [](const Given& g) { return weights(g) / kGiB; };
  all["t.kv-cache"] = [](const Given& g) { return g("kv_cache.sequences") * kv_sequence(g) / 1e9; };
  all["t.kv-of-tokens"] = [](const Given& g) { return kv_sequence(g) / 1e3; };
  all["t.kv-sequences"] = [](const Given& g) {
    return std::floor((g("sequences.gpus") * g("sequences.memory") - weights(g)) / kv_sequence(g));
  };
  all["t.training-states"] = [](const Given& g) { return (2 + 2 + 4 + 4 + 4) * g("states.total_parameters") / 1e9; };
  all["t.zero-stage"] = [](const Given& g) {
    const double each =
        2 / g("weights.weights_shards") + 2 / g("gradients.gradients_shards") + 12 / g("optimizer.optimizer_shards");
    return g("weights.total_parameters") * each / 1e9;
  };
  all["t.min-gpus"] = [](const Given& g) {
    double gpus = 1;
    while (gpus * g("gpus.memory") < 16 * g("states.total_parameters")) ++gpus;
    return gpus;
  };
  all["t.moe-memory"] = all["t.weights-memory"];
  all["t.lora-parameters"] = [](const Given& g) {
    const double hidden = g("widths.hidden_size");
    return g("trained.layers") * (hidden * g("adapter.rank") + g("adapter.rank") * hidden);
  };
}

void add_rates(Answers& all) {
  all["t.dense-or-sparse"] = [](const Given& g) {
    return g("peak_of_gpus.gpus") * g("dense_peak.sparse_peak") / 2 / 1e12;
  };
  all["t.peak-from-sm"] = [](const Given& g) {
    return g("peak.sm_count") * g("peak.multiply_adds_per_clock") * 2 * g("peak.clock") / 1e12;
  };
  all["t.ridge-point"] = [](const Given& g) {
    return g("ridge_point.peak_dense_") / g("ridge_point.memory_bandwidth");
  };
  all["t.token-bound"] = [](const Given& g) {
    return g("step_time.gpus") * g("step_time.memory_bandwidth") / weights(g);
  };
  all["t.token-bound-experts"] = [](const Given& g) {
    return g("step_time.gpus") * g("step_time.memory_bandwidth") / weights(g, "weights_read");
  };
  all["t.batch-at-ridge"] = [](const Given& g) {
    // Reading takes weight / bandwidth, computing 2 batch / peak.
    return g("batch.bytes_per_weight") / g("batch.memory_bandwidth") / (2 / g("batch.peak_dense_bf16"));
  };
  all["t.prompt-time"] = [](const Given& g) {
    return 2 * g("work.tokens") * g("work_per_token.total_parameters") / g("time.peak_dense_bf16") * 1e3;
  };
  all["t.memory-read-time"] = [](const Given& g) { return g("time.data") / g("time.memory_bandwidth") * 1e3; };
  all["t.bandwidth-from-clock"] = [](const Given& g) {
    return 2 * g("bandwidth.bus_bits") * g("bandwidth.memory_clock") / 8 / 1e9;
  };
  all["t.product-work"] = [](const Given& g) {
    // Every entry of the result takes `k` multiplications and as many additions.
    return g("work.rows") * g("work.columns") * (g("work.depth") + g("work.depth")) / 1e9;
  };
  all["t.generation-growth"] = [](const Given& g) {
    return g("times.new_peaks_in_tflops") / g("times.old_peak_in_tflops");
  };
}

void add_links(Answers& all) {
  all["t.allreduce-volume"] = [](const Given& g) {
    return 2 * ring_factor(g("sent.ranks")) * g("gradients.values") * 2 / 1e9;
  };
  all["t.allreduce-time"] = [](const Given& g) {
    return 2 * ring_factor(g("time.ranks")) * g("time.payload") / g("time.one_way") * 1e3;
  };
  all["t.allgather-time"] = [](const Given& g) {
    return ring_factor(g("time.ranks")) * g("time.payload") / (g("link.bits_per_second") / 8) * 1e3;
  };
  all["t.nvlink-duplex"] = [](const Given& g) { return g("time.data") / g("both_ways.one_way") * 1e3; };
  all["t.gbit-gbyte"] = [](const Given& g) { return 8 * g("time.file") / g("bytes_per_second.bits_per_second"); };
  all["t.node-injection"] = [](const Given& g) {
    return g("links.nodes") * g("links.compute_nic_count") * g("injection.compute_nic") / 1e9;
  };
  all["t.nvlink-against-network"] = [](const Given& g) { return 8 * g("times.one_way") / g("nic.bits_per_second"); };
  all["t.pcie-load"] = [](const Given& g) {
    const double lane_transfers = 8e9 * std::ldexp(1.0, static_cast<int>(g("pcie.generation")) - 3);
    return g("time.weights") / (16 * lane_transfers * 128 / 130 / 8);
  };
}

void add_fabrics(Answers& all) {
  all["t.fat-tree-limit"] = [](const Given& g) {
    const double half = g("endpoints.switch_ports") / 2;
    return 2 * half * half / g("nodes.links_per_node");
  };
  all["t.oversubscription"] = [](const Given& g) {
    const double down = g("uplinks.ports_to_nodes");
    return down / (g("uplinks.switch_ports") - down);
  };
  all["t.topology-bisection"] = [](const Given& g) {
    const double ports_up =
        g("node_ports.leaves") * std::min(g("oversubscription.uplinks"), g("oversubscription.ports_to_nodes"));
    return ports_up * g("link.bits_per_second") / 8 / 2 / 1e9;
  };
  all["t.topology-cables"] = [](const Given& g) { return g("cables.leaves") * g("cables.uplinks"); };
}

void add_sites(Answers& all) {
  all["t.facility-power"] = [](const Given& g) {
    return g("it_power.nodes") * g("it_power.power_max") * g("facility_power.load") * g("facility_power.pue") / 1e3;
  };
  all["t.yearly-energy"] = [](const Given& g) {
    return g("facility_power.it_power") * g("facility_power.pue") / 1e6 * 24 * 365;
  };
  all["t.energy-bill"] = [](const Given& g) {
    const double kilowatts = g("it_power.nodes") * g("it_power.power_max") / 1e3 * g("facility_power.pue");
    return kilowatts * 8760 * g("energy_cost.price") * 3.6e6;
  };
  all["t.pue-of-site"] = [](const Given& g) { return g("pue.site_power") / g("pue.it_power"); };
  all["t.rack-nodes"] = [](const Given& g) {
    double nodes = 0;
    while ((nodes + 1) * g("by_height.rack_units") <= g("by_height.usable_units") &&
           (nodes + 1) * g("by_power.power_max") <= g("by_power.rack_power"))
      ++nodes;
    return nodes;
  };
  all["t.rack-count"] = [](const Given& g) {
    double in_rack = 0;
    while ((in_rack + 1) * g("nodes_per_rack.power_max") <= g("nodes_per_rack.rack_power")) ++in_rack;
    double racks = 0;
    while (racks * in_rack * g("nodes.gpu_count") < g("nodes.gpus")) ++racks;
    return racks;
  };
  all["t.liquid-share"] = [](const Given& g) {
    return g("heat.racks") * g("heat.rack_power") * (1 - g("liquid_heat.liquid_share")) / 1e3;
  };
  all["t.water-flow"] = [](const Given& g) {
    const double kg_per_second = g("flow.heat") / 4186 / g("flow.temperature_rise");
    return kg_per_second * 60;
  };
  all["t.air-flow"] = [](const Given& g) { return g("flow.heat") / 1005 / 1.2 / g("flow.temperature_rise"); };
  all["t.heat-btu"] = [](const Given& g) { return g("heat.nodes") * g("heat.power_max") * 3.412142 / 1e3; };
  all["t.feed-power"] = [](const Given& g) {
    return std::sqrt(3.0) * g("apparent_power.line_voltage") * g("apparent_power.current") * 0.8 * 0.95 / 1e3;
  };
  all["t.rack-feeds"] = [](const Given& g) {
    double feeds = 2;
    while ((feeds - 1) * g("feeds.feed_power") < g("feeds.rack_power")) ++feeds;
    return feeds;
  };
  all["t.ups-modules"] = [](const Given& g) {
    double modules = 1;
    while ((modules - 1) * g("modules.module_power") < g("modules.load")) ++modules;
    return modules;
  };
  all["t.ups-energy"] = [](const Given& g) { return g("energy.load") / 1e3 * g("energy.ride_through") / 3600; };
  all["t.floor-load"] = [](const Given& g) {
    const double weight = g("devices_weight.devices") * g("devices_weight.weight_kg") + g("rack_weight.empty_rack");
    return weight / g("floor_load.width") / g("floor_load.depth");
  };
}

void add_training(Answers& all) {
  all["t.training-flops"] = [](const Given& g) {
    return (2 + 4) * g("work.total_parameters") * g("work.tokens") / 1e21;
  };
  all["t.time-to-train"] = [](const Given& g) {
    const double rate = g("time.gpus") * g("achieved_rate.peak_dense_bf16") * g("achieved_rate.mfu");
    return 6 * g("time.total_parameters") * g("time.tokens") / rate / 86400;
  };
  all["t.gpus-for-deadline"] = [](const Given& g) {
    const double rate = g("gpus.peak_dense_bf16") * g("gpus.mfu");
    return std::ceil(6 * g("work.total_parameters") * g("work.tokens") / rate / g("gpus.time"));
  };
  all["t.mfu-of-run"] = [](const Given& g) {
    const double rate = 6 * g("work_per_token.total_parameters") * g("work_of_a_second.tokens");
    return 100 * rate / (g("mfu.gpus") * g("mfu.peak_dense_bf16"));
  };
  all["t.pipeline-bubble"] = [](const Given& g) {
    const double waits = (g("bubble.stages") - 1) / g("bubble.chunks");
    return 100 * waits / (waits + g("bubble.micro_batches"));
  };
  all["t.bubble-over-work"] = [](const Given& g) {
    return 100 * (g("bubble_over_work.stages") - 1) / g("bubble_over_work.micro_batches");
  };
  all["t.tokens-of-step"] = [](const Given& g) {
    return g("micro_batches.replicas") * g("micro_batches.accumulated") * g("global_batch.micro_batch") *
           g("tokens.sequence_length");
  };
}

void add_costs(Answers& all) {
  all["t.cloud-bill"] = [](const Given& g) {
    double instances = 0;
    while (instances * g("instances.gpus_per_instance") < g("instances.gpus")) ++instances;
    return instances * g("rent.on_demand") * g("cost.time");
  };
  all["t.break-even"] = [](const Given& g) {
    const double own = g("capital.price") / (g("capital.life_years") * 31536000) + g("own.operation");
    return 100 * own / (g("rent_all_year.gpus") * g("rent_all_year.rent"));
  };
  all["t.break-even-months"] = [](const Given& g) {
    return g("time.capex") / ((g("time.rent") - g("time.operation")) * 3600) / 730;
  };
  all["t.token-price"] = [](const Given& g) {
    return 1e6 / g("price.tokens_per_s") * g("rent.gpus") * g("rent.rent_per_gpu");
  };
  all["t.used-hour"] = [](const Given& g) { return 3600 * g("used_hour.available") / g("used_hour.utilization"); };
  all["t.spot-price"] = [](const Given& g) {
    return 3600 * g("effective_price.spot") / (1 - g("effective_price.lost_share"));
  };
  all["t.electricity-share"] = [](const Given& g) {
    const double kilowatt_hours = g("site_power.power_max") * g("site_power.pue") / 1e3 * 8760;
    return 100 * kilowatt_hours * g("energy_cost.price") * 3.6e6 / g("share.hardware");
  };
  all["t.replicas-for-peak"] = [](const Given& g) {
    double count = 0;
    while (count * g("replicas.per_replica") < g("peak.mean") * g("peak.factor")) ++count;
    return count;
  };
}

void add_reliability(Answers& all) {
  all["t.mtbf-of-job"] = [](const Given& g) {
    return g("between_failures.time_of_one") / 3600 / g("between_failures.gpus");
  };
  all["t.failures-in-run"] = [](const Given& g) {
    return g("between_failures.gpus") * g("failures.run") / g("between_failures.gpu_time");
  };
  all["t.checkpoint-interval"] = [](const Given& g) {
    return std::sqrt(2 * g("interval.pause") * g("interval.between_failures")) / 60;
  };
  all["t.checkpoint-size"] = [](const Given& g) { return 14 * g("checkpoint.total_parameters") / 1e9; };
  all["t.checkpoint-write"] = [](const Given& g) {
    const double rate = std::min(g("rate.nodes") * g("rate.per_node"), g("rate.storage"));
    return 14 * g("checkpoint.total_parameters") / rate;
  };
  all["t.lost-share"] = [](const Given& g) {
    const double between = g("lost_share.between_failures");
    const double lost_each = g("lost_share.interval") / 2 + g("lost_share.restart");
    return 100 * (g("lost_share.pause") / g("lost_share.interval") + lost_each / between);
  };
  all["t.availability"] = [](const Given& g) {
    const double up = g("availability.between_failures");
    return 1000 * up / (up + g("availability.repair"));
  };
  all["t.servers-in-repair"] = [](const Given& g) {
    return g("in_repair.servers") * g("in_repair.failures_per_year") * g("in_repair.repair") / 86400 / 365;
  };
  all["t.storage-bandwidth"] = [](const Given& g) {
    return g("read_rate.gpus") * g("read_rate.images_per_gpu") * g("read_rate.image") / 1e9;
  };
  all["t.storage-capacity"] = [](const Given& g) {
    const double checkpoints = g("checkpoints.kept") * g("checkpoints.checkpoint");
    return (g("data.dataset") * g("data.copies") + checkpoints + g("storage.logs")) / 1e12;
  };
  all["t.first-epoch"] = [](const Given& g) { return g("time.dataset") / g("time.rate") / 60; };
}

/// Pods of the nodes; as many as the solution names.
double pods(const Given& g) {
  double all = 0;
  for (int node = 1; node <= 8; ++node) {
    const std::string step = "pods_on_node_" + std::to_string(node);
    const double free = g(step + ".free_on_node_" + std::to_string(node));
    if (!std::isnan(free))
      all += static_cast<double>(static_cast<int>(free) / static_cast<int>(g(step + ".gpus_per_pod")));
  }
  return all;
}

void add_operations(Answers& all) {
  all["t.free-slots"] = pods;
  all["t.fair-share"] = [](const Given& g) { return g("share.gpus") * g("share.weight") / g("share.weights"); };
  all["t.smi-memory"] = [](const Given& g) { return (g("free.total") - g("free.used")) / kGiB; };
  all["t.energy-of-job"] = [](const Given& g) {
    return g("power.gpus") * g("power.mean_power") / 1e3 * g("energy.time") / 3600;
  };
  all["t.mig-bandwidth"] = [](const Given& g) {
    return g("bandwidth.memory_bandwidth") / 8 * g("share.memory_slices") / 1e9;
  };
  all["t.exam-arithmetic"] = [](const Given& g) { return g("questions.questions") * g("questions.weight"); };
  all["t.exam-score"] = [](const Given& g) {
    return 38 * g("from_first.first_score") + 40 * g("from_second.second_score") + 22 * g("from_third.third_score");
  };
}

}  // namespace

const Answers& independent_answers() {
  static const Answers answers = [] {
    Answers all;
    add_memory(all);
    add_rates(all);
    add_links(all);
    add_fabrics(all);
    add_sites(all);
    add_training(all);
    add_costs(all);
    add_reliability(all);
    add_operations(all);
    return all;
  }();
  return answers;
}

}  // namespace podwright::study_tests
