// Every number of racks, cooling, storage and management is explained down to facts with sources.
#include <gtest/gtest.h>

#include "architecture/management_plan.h"
#include "architecture/site_parts.h"
#include "architecture/storage_plan.h"

namespace podwright::site_trace_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

/// A whole site of one design, recorded.
void record(Trace& trace, const DesignParts& parts, double node_count, double gpu_count, double unit_count) {
  const auto nodes = trace.input("/nodes", node_count);
  const auto gpus = trace.input("/gpus", gpu_count);
  const std::optional<Traced<double>> units = trace.input("/units", unit_count);
  const RackLimits<Trace> limits{.power = trace.input("/rack_power_kw", kw(160)),
                                 .rack_units = trace.input("/rack_units", 48.0),
                                 .load_kg = trace.input("/rack_load_kg", 1500.0)};
  const auto plan = rack_plan<Trace>(trace, facts(), parts, parts.architecture, nodes, units, limits,
                                     usual_circuit(trace, facts()), 3, trace.input("/network_power_kw", kw(30)));
  ASSERT_TRUE(plan.has_value());
  const std::vector<SwitchCount<Trace>> switches{
      {"compute", item_of(facts().switches, "qm9700"), trace.input("/switches", 48.0)}};
  const auto power = it_power<Trace>(trace, parts, nodes, switches);
  cooling_numbers<Trace>(trace, power->systems, parts.system, trace.input("/air_rise_k", 15.0),
                         trace.input("/liquid_rise_k", 10.0));
  ups_numbers<Trace>(power->total, trace.input("/module_kw", kw(500)), trace.input("/minutes", seconds(300)));

  const StorageGuide guide = storage_guide(facts(), parts.architecture);
  const auto bandwidth =
      storage_bandwidth<Trace>(trace, guide, guide.architecture->site.storage_levels.back(), units, gpus, nodes);
  const auto checkpoint = trace.input("/checkpoint_gb", gb(980));
  checkpoint_cost<Trace>(trace, checkpoint, bandwidth->write, bandwidth->read, trace.input("/readers", 1.0),
                         trace.input("/start_s", seconds(300)), trace.input("/between_s", hours(49.9)));
  const StorageContent<Trace> content{.dataset = trace.input("/dataset_tb", tb(30)),
                                      .copies = trace.input("/copies", 5.0),
                                      .checkpoint = checkpoint,
                                      .checkpoints = trace.input("/checkpoints", 20.0),
                                      .recent_checkpoints = trace.input("/recent", 2.0),
                                      .logs = trace.input("/logs_tb", tb(1))};
  storage_capacity_in_tiers<Trace>(trace, content, parts.system, nodes);
  const auto servers = management_servers<Trace>(trace, parts.architecture, units);
  management_ports<Trace>(trace, parts.architecture, nodes, units, servers, trace.input("/fabric_switches", 64.0),
                          trace.input("/ethernet_switches", 8.0), plan->pdus);
  software_licences<Trace>(facts(), *parts.architecture, gpus, nodes);
}

void check(const Trace& trace) {
  for (const TraceNode& node : trace.nodes()) {
    EXPECT_FALSE(node.source.empty()) << node.id;
    for (const NodeId input : node.inputs) {
      EXPECT_GE(input, 0) << node.id;
    }
  }
}

TEST(SiteTrace, OfTheH100SuperPod) {
  Trace trace;
  record(trace, design_of("dgx-h100", "dgx-superpod-h100"), 127, 1016, 4);
  check(trace);
}

TEST(SiteTrace, OfTheGb200SuperPod) {
  Trace trace;
  record(trace, design_of("gb200-nvl72", "dgx-superpod-gb200"), 8, 576, 1);
  check(trace);
}

TEST(SiteTrace, OfABasePod) {
  Trace trace;
  record(trace, design_of("dgx-b200", "dgx-basepod-ndr400"), 8, 64, 1);
  check(trace);
}

}  // namespace
}  // namespace podwright::site_trace_test
