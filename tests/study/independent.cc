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

}  // namespace

const Answers& independent_answers() {
  static const Answers answers = [] {
    Answers all;
    add_memory(all);
    add_rates(all);
    add_links(all);
    add_fabrics(all);
    add_sites(all);
    return all;
  }();
  return answers;
}

}  // namespace podwright::study_tests
