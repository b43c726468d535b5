#include "study/independent.h"

#include <algorithm>
#include <cmath>

namespace podwright::study_tests {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

double weights(const Given& g, const std::string& step = "weights") {
  return g(step + ".parameters") * (g(step + ".bits_per_weight") / 8);
}
double kv_sequence(const Given& g) {
  return 2 * g("kv_per_sequence.layers") * g("kv_per_sequence.tokens") * g("kv_bytes_per_layer.kv_heads") *
         g("kv_bytes_per_layer.head_dim") * g("kv_bytes_per_layer.element");
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
  all["t.training-states"] = [](const Given& g) { return (2 + 2 + 4 + 4 + 4) * g("states.parameters") / 1e9; };
  all["t.zero-stage"] = [](const Given& g) {
    const double each = 2 / g("weights.shards") + 2 / g("gradients.shards") + 12 / g("optimizer.shards");
    return g("weights.parameters") * each / 1e9;
  };
  all["t.min-gpus"] = [](const Given& g) {
    double gpus = 1;
    while (gpus * g("gpus.memory") < 16 * g("states.parameters")) ++gpus;
    return gpus;
  };
  all["t.moe-memory"] = all["t.weights-memory"];
  all["t.lora-parameters"] = [](const Given& g) {
    const double hidden = g("widths.second");
    return g("trained.layers") * (hidden * g("adapter.rank") + g("adapter.rank") * hidden);
  };
}

void add_rates(Answers& all) {
  all["t.dense-or-sparse"] = [](const Given& g) { return g("peak_of_gpus.gpus") * g("dense_peak.sparse") / 2 / 1e12; };
  all["t.peak-from-sm"] = [](const Given& g) {
    return g("peak.sms") * g("peak.multiply_adds") * 2 * g("peak.clock") / 1e12;
  };
  all["t.ridge-point"] = [](const Given& g) { return g("ridge_point.peak") / g("ridge_point.bandwidth"); };
  all["t.token-bound"] = [](const Given& g) { return g("step_time.gpus") * g("step_time.bandwidth") / weights(g); };
  all["t.token-bound-experts"] = [](const Given& g) {
    return g("step_time.gpus") * g("step_time.bandwidth") / weights(g, "weights_read");
  };
  all["t.batch-at-ridge"] = [](const Given& g) {
    // Reading takes weight / bandwidth, computing 2 batch / peak.
    return g("batch.weight") / g("batch.bandwidth") / (2 / g("batch.peak"));
  };
  all["t.prompt-time"] = [](const Given& g) {
    return 2 * g("work.layers") * g("work_per_token.parameters") / g("time.rate") * 1e3;
  };
  all["t.memory-read-time"] = [](const Given& g) { return g("time.payload") / g("time.bandwidth") * 1e3; };
  all["t.bandwidth-from-clock"] = [](const Given& g) {
    return 2 * g("bandwidth.bus_bits") * g("bandwidth.memory_clock") / 8 / 1e9;
  };
  all["t.product-work"] = [](const Given& g) {
    // Every entry of the result takes `k` multiplications and as many additions.
    return g("work.m") * g("work.n") * (g("work.k") + g("work.k")) / 1e9;
  };
  all["t.generation-growth"] = [](const Given& g) { return g("times.larger") / g("times.smaller"); };
}

void add_links(Answers& all) {
  all["t.allreduce-volume"] = [](const Given& g) {
    return 2 * ring_factor(g("sent.ranks")) * g("gradients.values") * 2 / 1e9;
  };
  all["t.allreduce-time"] = [](const Given& g) {
    return 2 * ring_factor(g("time.ranks")) * g("time.payload") / g("time.bus_bandwidth") * 1e3;
  };
  all["t.allgather-time"] = [](const Given& g) {
    return ring_factor(g("time.ranks")) * g("time.payload") / (g("link.bits_per_second") / 8) * 1e3;
  };
  all["t.nvlink-duplex"] = [](const Given& g) { return g("time.payload") / g("both_ways.one_way") * 1e3; };
  all["t.gbit-gbyte"] = [](const Given& g) { return 8 * g("time.payload") / g("bytes_per_second.bits_per_second"); };
  all["t.node-injection"] = [](const Given& g) {
    return g("links.nodes") * g("links.rails") * g("injection.link") / 1e9;
  };
  all["t.nvlink-against-network"] = [](const Given& g) { return 8 * g("times.larger") / g("nic.bits_per_second"); };
  all["t.pcie-load"] = [](const Given& g) {
    const double lane_transfers = 8e9 * std::ldexp(1.0, static_cast<int>(g("pcie.generation")) - 3);
    return g("time.payload") / (16 * lane_transfers * 128 / 130 / 8);
  };
}

void add_fabrics(Answers& all) {
  all["t.fat-tree-limit"] = [](const Given& g) {
    const double half = g("endpoints.switch_ports") / 2;
    return 2 * half * half / g("nodes.smaller");
  };
  all["t.oversubscription"] = [](const Given& g) {
    const double down = g("uplinks.leaf_ports_down");
    return down / (g("uplinks.switch_ports") - down);
  };
  all["t.topology-bisection"] = [](const Given& g) {
    const double ports_up =
        g("node_ports.count") * std::min(g("oversubscription.ports_up"), g("oversubscription.ports_down"));
    return ports_up * g("link.bits_per_second") / 8 / 2 / 1e9;
  };
  all["t.topology-cables"] = [](const Given& g) { return g("cables.leaves") * g("cables.uplinks"); };
}

void add_sites(Answers& all) {
  all["t.facility-power"] = [](const Given& g) {
    return g("it_power.nodes") * g("it_power.node_power") * g("facility_power.load") * g("facility_power.pue") / 1e3;
  };
  all["t.yearly-energy"] = [](const Given& g) {
    return g("facility_power.it_power") * g("facility_power.pue") / 1e6 * 24 * 365;
  };
  all["t.energy-bill"] = [](const Given& g) {
    const double kilowatts = g("it_power.nodes") * g("it_power.node_power") / 1e3 * g("facility_power.pue");
    return kilowatts * 8760 * g("energy_cost.electricity_price") * 3.6e6;
  };
  all["t.pue-of-site"] = [](const Given& g) { return g("pue.larger") / g("pue.smaller"); };
  all["t.rack-nodes"] = [](const Given& g) {
    double nodes = 0;
    while ((nodes + 1) * g("by_height.node_rack_units") <= g("by_height.usable_rack_units") &&
           (nodes + 1) * g("by_power.node_power") <= g("by_power.rack_power"))
      ++nodes;
    return nodes;
  };
  all["t.rack-count"] = [](const Given& g) {
    double in_rack = 0;
    while ((in_rack + 1) * g("nodes_per_rack.node_power") <= g("nodes_per_rack.rack_power")) ++in_rack;
    double racks = 0;
    while (racks * in_rack * g("nodes.gpus_per_node") < g("nodes.gpu_count")) ++racks;
    return racks;
  };
  all["t.liquid-share"] = [](const Given& g) {
    return g("heat.devices") * g("heat.device_power") * (1 - g("liquid_heat.liquid_heat_fraction")) / 1e3;
  };
  all["t.water-flow"] = [](const Given& g) {
    const double kg_per_second = g("flow.heat") / 4186 / g("flow.temperature_rise_k");
    return kg_per_second * 60;
  };
  all["t.air-flow"] = [](const Given& g) { return g("flow.heat") / 1005 / 1.2 / g("flow.temperature_rise_k"); };
  all["t.heat-btu"] = [](const Given& g) { return g("heat.nodes") * g("heat.node_power") * 3.412142 / 1e3; };
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
    const double weight =
        g("devices_weight.devices") * g("devices_weight.device_weight_kg") + g("rack_weight.other_racks");
    return weight / g("floor_load.width_m") / g("floor_load.depth_m");
  };
}

void add_training(Answers& all) {
  all["t.training-flops"] = [](const Given& g) {
    return (2 + 4) * g("work.active_parameters") * g("work.tokens") / 1e21;
  };
  all["t.time-to-train"] = [](const Given& g) {
    const double rate = g("time.gpus") * g("achieved_rate.peak") * g("achieved_rate.utilisation");
    return 6 * g("time.parameters") * g("time.tokens") / rate / 86400;
  };
  all["t.gpus-for-deadline"] = [](const Given& g) {
    const double rate = g("gpus.peak_per_gpu") * g("gpus.utilisation");
    return std::ceil(6 * g("work.active_parameters") * g("work.tokens") / rate / g("gpus.time"));
  };
  all["t.mfu-of-run"] = [](const Given& g) {
    const double rate = 6 * g("work_per_token.parameters") * g("work_of_a_second.tokens");
    return 100 * rate / (g("mfu.gpus") * g("mfu.peak_per_gpu"));
  };
  all["t.pipeline-bubble"] = [](const Given& g) {
    const double waits = (g("bubble.stages") - 1) / g("bubble.chunks");
    return 100 * waits / (waits + g("bubble.micro_batches"));
  };
  all["t.bubble-over-work"] = [](const Given& g) {
    return 100 * (g("bubble_over_work.stages") - 1) / g("bubble_over_work.micro_batches");
  };
  all["t.tokens-of-step"] = [](const Given& g) {
    return g("micro_batches.first") * g("micro_batches.second") * g("global_batch.second") *
           g("tokens.sequence_length");
  };
}

void add_costs(Answers& all) {
  all["t.cloud-bill"] = [](const Given& g) {
    double instances = 0;
    while (instances * g("instances.gpus_per_instance") < g("instances.gpu_count")) ++instances;
    return instances * g("rent.instance_price") * g("cost.wall_time");
  };
  all["t.break-even"] = [](const Given& g) {
    const double own = g("capital.capex") / (g("capital.life_years") * 31536000) + g("own.operation");
    return 100 * own / (g("rent_all_year.instances") * g("rent_all_year.instance_price"));
  };
  all["t.break-even-months"] = [](const Given& g) {
    return g("time.capex") / ((g("time.rent") - g("time.operation")) * 3600) / 730;
  };
  all["t.token-price"] = [](const Given& g) {
    return 1e6 / g("price.output_tokens_per_s") * g("rent.instances") * g("rent.instance_price");
  };
  all["t.used-hour"] = [](const Given& g) { return 3600 * g("used_hour.available") / g("used_hour.utilization"); };
  all["t.spot-price"] = [](const Given& g) {
    return 3600 * g("effective_price.spot_price") / (1 - g("effective_price.lost_share"));
  };
  all["t.electricity-share"] = [](const Given& g) {
    const double kilowatt_hours = g("site_power.it_power") * g("site_power.pue") / 1e3 * 8760;
    return 100 * kilowatt_hours * g("energy_cost.electricity_price") * 3.6e6 / g("share.hardware");
  };
  all["t.replicas-for-peak"] = [](const Given& g) {
    double count = 0;
    while (count * g("replicas.requests_per_s_per_instance") < g("peak.request_rate") * g("peak.tokens")) ++count;
    return count;
  };
}

void add_reliability(Answers& all) {
  all["t.mtbf-of-job"] = [](const Given& g) {
    return g("between_failures.gpu_time_per_failure") / 3600 / g("between_failures.gpus");
  };
  all["t.failures-in-run"] = [](const Given& g) {
    return g("between_failures.gpus") * g("failures.run") / g("between_failures.gpu_time_per_failure");
  };
  all["t.checkpoint-interval"] = [](const Given& g) {
    return std::sqrt(2 * g("interval.pause") * g("interval.mean_time_between_failures")) / 60;
  };
  all["t.checkpoint-size"] = [](const Given& g) { return 14 * g("checkpoint.parameters") / 1e9; };
  all["t.checkpoint-write"] = [](const Given& g) {
    const double rate = std::min(g("rate.nodes") * g("rate.per_node"), g("rate.per_unit"));
    return 14 * g("checkpoint.parameters") / rate;
  };
  all["t.lost-share"] = [](const Given& g) {
    const double between = g("lost_share.mean_time_between_failures");
    const double lost_each = g("lost_share.interval") / 2 + g("lost_share.loss_per_failure");
    return 100 * (g("lost_share.pause") / g("lost_share.interval") + lost_each / between);
  };
  all["t.availability"] = [](const Given& g) {
    const double up = g("availability.mean_time_between_failures");
    return 1000 * up / (up + g("availability.repair"));
  };
  all["t.servers-in-repair"] = [](const Given& g) {
    return g("in_repair.machines") * g("in_repair.failures_per_year") * g("in_repair.repair") / 86400 / 365;
  };
  all["t.storage-bandwidth"] = [](const Given& g) {
    return g("read_rate.gpus") * g("read_rate.samples_per_gpu") * g("read_rate.sample") / 1e9;
  };
  all["t.storage-capacity"] = [](const Given& g) {
    const double checkpoints = g("checkpoints.checkpoints") * g("checkpoints.checkpoint");
    return (g("data.dataset") * g("data.copies") + checkpoints + g("storage.logs")) / 1e12;
  };
  all["t.first-epoch"] = [](const Given& g) { return g("time.dataset") / g("time.rate") / 60; };
}

/// Pods of the nodes; as many as the solution names.
double pods(const Given& g) {
  double all = 0;
  for (int node = 1; node <= 8; ++node) {
    const std::string step = "pods_on_node_" + std::to_string(node);
    const double free = g(step + ".free");
    if (!std::isnan(free)) all += static_cast<double>(static_cast<int>(free) / static_cast<int>(g(step + ".each")));
  }
  return all;
}

void add_operations(Answers& all) {
  all["t.free-slots"] = pods;
  all["t.fair-share"] = [](const Given& g) { return g("share.whole") * g("share.weight") / g("share.weights"); };
  all["t.smi-memory"] = [](const Given& g) { return (g("free.budget") - g("free.taken")) / kGiB; };
  all["t.energy-of-job"] = [](const Given& g) {
    return g("power.devices") * g("power.device_power") / 1e3 * g("energy.time") / 3600;
  };
  all["t.mig-bandwidth"] = [](const Given& g) { return g("bandwidth.bandwidth") / 8 * g("share.larger") / 1e9; };
  all["t.exam-arithmetic"] = [](const Given& g) { return g("questions.questions") * g("questions.weight"); };
  all["t.exam-score"] = [](const Given& g) {
    return 38 * g("from_first.questions") + 40 * g("from_second.questions") + 22 * g("from_third.questions");
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
